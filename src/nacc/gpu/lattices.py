"""Lattices of many sentences side by side on a device, and what a budget makes of their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nacc.decoding.constraints import Constraints
from nacc.lattice import NO_WORD, Lattice

MAY_END, ONCE = 1, 2


@dataclass(frozen=True, eq=False)
class Lattices:
    """B lattices of up to U slots and K candidates, and what is asked of an answer.

    words:   (B, U, K) int32, equal only for equal words; any number.
    values:  (B, U, K) log-probabilities; −inf where there is no word, or none that may be said.
    weights: (B, U, K) int32.
    flags:   (B, U, K) int32, MAY_END and ONCE.
    links:   (B, U + 1, U + 1) as in Lattice, the end in the last column.
    slots:   (B,) int32, how many slots each has.
    lows:    (B,) int32, the least that an answer weighs; high: the most, of all.
    """

    words: Tensor
    values: Tensor
    weights: Tensor
    flags: Tensor
    links: Tensor
    slots: Tensor
    lows: Tensor
    high: int

    @classmethod
    def of(
        cls,
        lattices: Sequence[Lattice],
        weights: Sequence[Sequence[int]],
        rules: Sequence[Constraints],
        lows: Sequence[int],
        high: int,
        device: str | torch.device = "cpu",
        dtype: torch.dtype = torch.float32,
    ) -> Lattices:
        """From the CPU's. Of the rules, `no_dangling`, `once` and `forbidden` are kept."""
        U = max(1, *(lattice.slots for lattice in lattices))
        K = max(1, *(lattice.words.shape[1] for lattice in lattices))
        shape = (len(lattices), U, K)
        words, values = np.full(shape, NO_WORD, np.int32), np.full(shape, -np.inf)
        heavy, flags = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
        links = np.full((len(lattices), U + 1, U + 1), -np.inf)
        for b, (lattice, vector, rule) in enumerate(zip(lattices, weights, rules, strict=True)):
            S, k = lattice.words.shape
            assert lattice.links is not None, "only linked slots are decoded here"
            each = np.minimum(np.append(np.asarray(vector, np.int64), 0), high + 1)
            kind = np.full(len(each), MAY_END)
            kind[list(rule.no_dangling)] = 0
            kind[list(rule.once)] |= ONCE
            gone = np.isin(lattice.words, (NO_WORD, *rule.forbidden))
            here = np.where(gone | (each[lattice.words] > high), -np.inf, lattice.values)
            words[b, :S, :k], values[b, :S, :k] = lattice.words, here
            heavy[b, :S, :k], flags[b, :S, :k] = each[lattice.words], kind[lattice.words]
            links[b, : S + 1, :S] = lattice.links[:, :S]
            links[b, : S + 1, U] = lattice.links[:, S]
        slots = np.array([lattice.slots for lattice in lattices], np.int32)

        def moved(array: Any, kind: torch.dtype) -> Tensor:
            return torch.as_tensor(np.asarray(array)).to(device, kind).contiguous()

        return cls(
            moved(words, torch.int32), moved(values, dtype), moved(heavy, torch.int32),
            moved(flags, torch.int32), moved(links, dtype), moved(slots, torch.int32),
            moved(lows, torch.int32), high,
        )  # fmt: skip
