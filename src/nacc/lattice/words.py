"""What a network predicts for one sentence, as a Lattice over words with names.

Both engines (ONNX and torch) give raw candidates as symbols: a vocabulary id, or `words + i` for
the source word first seen at position i. Here they get ids of their own, 0..M-1, so that weights,
bigrams and constraints need only be worked out for the M words that can occur.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nacc.lattice import Lattice


@dataclass(frozen=True, eq=False)
class WordLattice:
    """A lattice whose word of id i is `keys[i]`."""

    lattice: Lattice
    keys: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class NetworkOutput:
    """A network's raw answer for a batch: (B, S, K+1) symbols and values, (B, S) ε values.

    Slot i belongs to the source's word i: this network has one for each.
    """

    symbols: NDArray[np.int32]
    values: NDArray[np.float32]
    blank: NDArray[np.float32]

    def lattice(self, row: int, source: Sequence[str], vocabulary: Sequence[str]) -> WordLattice:
        """The lattice of one sentence, given its words and the output vocabulary."""
        slots = len(source)
        top_k = self.symbols.shape[2] - 1
        symbols = self.symbols[row, :slots, :top_k]
        values = self.values[row, :slots].astype(np.float64)
        known, local = np.unique(symbols, return_inverse=True)
        size = len(vocabulary)
        keys = tuple(vocabulary[s] if s < size else source[s - size] for s in known.tolist())
        lattice = Lattice(
            local.reshape(symbols.shape).astype(np.int32),
            np.ascontiguousarray(values[:, :top_k]),
            self.blank[row, :slots].astype(np.float64),
            np.ascontiguousarray(values[:, top_k]),
            np.arange(slots, dtype=np.int32),
        )
        return WordLattice(lattice, keys)
