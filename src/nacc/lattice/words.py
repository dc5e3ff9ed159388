"""What a network predicts for one sentence, as a Lattice over words with names.

Both engines (ONNX and torch) give raw candidates as symbols: a vocabulary id, or `words + i` for
the source word first seen at position i. Here they get ids of their own, 0..M-1, so that weights,
bigrams and constraints need only be worked out for the M words that can occur.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nacc.lattice import Lattice


@dataclass(frozen=True, eq=False)
class WordLattice:
    """A lattice whose word of id i is `keys[i]`.

    source: (S, width) what the network made of each word of the source, for a scorer to look at;
            None where there is none.
    """

    lattice: Lattice
    keys: tuple[str, ...]
    source: NDArray[np.float32] | None = None


@dataclass(frozen=True, eq=False)
class NetworkOutput:
    """A network's raw answer for a batch of sentences, padded to the longest.

    symbols, values: (B, U, K+1) the candidates of each slot; the last is the next best, left out.
    blank: (B, U) ε values; None where links stand in for it.
    links: (B, U+1, U+1), from the begin and every slot, to every slot and the end; None where the
           slots do not know of each other.
    each:  how many slots every word of the source has: slot i belongs to word i // each.
    source: (B, S, width) what the network made of the source's words; None where nobody asks.
    """

    symbols: NDArray[np.int32]
    values: NDArray[np.float32]
    blank: NDArray[np.float32] | None
    links: NDArray[np.float32] | None = None
    each: int = 1
    source: NDArray[np.float32] | None = None

    def lattice(self, row: int, source: Sequence[str], vocabulary: Sequence[str]) -> WordLattice:
        """The lattice of one sentence, given its words and the output vocabulary."""
        slots = self.each * len(source)
        top_k = self.symbols.shape[2] - 1
        symbols = self.symbols[row, :slots, :top_k]
        values = self.values[row, :slots].astype(np.float64)
        known, local = np.unique(symbols, return_inverse=True)
        size, numbers = len(vocabulary), known.tolist()
        own = bisect_left(numbers, size)
        keys = (
            *map(vocabulary.__getitem__, numbers[:own]), *(source[s - size] for s in numbers[own:])
        )  # fmt: skip
        lattice = Lattice(
            local.reshape(symbols.shape).astype(np.int32),
            np.ascontiguousarray(values[:, :top_k]),
            _no_blank(slots) if self.blank is None else self.blank[row, :slots].astype(np.float64),
            np.ascontiguousarray(values[:, top_k]),
            np.arange(slots, dtype=np.int32) // self.each,
            None if self.links is None else own_links(self.links[row], slots),
        )
        seen = None if self.source is None else self.source[row, : len(source)]
        return WordLattice(lattice, keys, seen)


def _no_blank(slots: int) -> NDArray[np.float64]:
    return np.full(slots, -np.inf)


def own_links(links: NDArray[np.float32], slots: int) -> NDArray[np.float64]:
    """The links of a sentence's own slots, and to the end, which stands after all padding."""
    to = np.append(np.arange(slots), links.shape[1] - 1)
    return links[: slots + 1, to].astype(np.float64)
