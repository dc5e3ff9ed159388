"""What method="coherent" adds to a score for words that stand well next to each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nacc.errors import InvalidInput
from nacc.ngrams.bigrams import BOUNDARY, UNKNOWN, Bigrams

NO_PAIRS = np.zeros((0, 2), np.int32)


@dataclass(frozen=True, eq=False)
class Coherence:
    """What method="coherent" adds: λ · Σ over emitted words of the value of the pair they end,
    and γ for every two words said next to each other that are so in the source.

    ids:       the model's id of every word id of the lattice (UNKNOWN: neutral).
    weight:    λ.
    beam:      how many (last word, in a run or not) states are kept per weight; None keeps all.
    adjacent:  (pairs, 2) which words of the lattice follow which in the source, …
    adjacency: … and γ, what saying one of them is worth.
    """

    bigrams: Bigrams
    ids: NDArray[np.int32]
    weight: float = 0.12
    beam: int | None = 32
    adjacent: NDArray[np.int32] = field(default_factory=lambda: NO_PAIRS)
    adjacency: float = 0.0

    def __post_init__(self) -> None:
        ids = np.asarray(self.ids)
        if ids.ndim != 1 or (ids.size and ids.dtype.kind not in "iu"):
            raise InvalidInput(f"ids must be a vector of integers, got {ids.dtype} {ids.shape}")
        wrong = (ids < UNKNOWN) | (ids > len(self.bigrams.words)) | (ids == BOUNDARY)
        if wrong.any():
            at = int(wrong.argmax())
            raise InvalidInput(
                f"ids[{at}] = {ids[at]} is no word of the model: its words are "
                f"1..{len(self.bigrams.words)}, {UNKNOWN} is unknown"
            )
        object.__setattr__(self, "ids", np.ascontiguousarray(ids, dtype=np.int32))
        for name in ("weight", "adjacency"):
            if not 0 <= getattr(self, name) < np.inf:
                raise InvalidInput(f"{name} = {getattr(self, name)} must be a number of at least 0")
        if self.beam is not None and self.beam < 1:
            raise InvalidInput(f"beam = {self.beam} must be at least 1, or None for no limit")
        object.__setattr__(self, "adjacent", _pairs(self.adjacent, len(ids)))

    @cached_property
    def _adjacent(self) -> frozenset[tuple[int, int]]:
        return frozenset(map(tuple, self.adjacent.tolist()))

    def value(self, tokens: Sequence[int]) -> float:
        """λ · coherence of a whole word sequence, boundaries included, and γ for each pair of the
        source; 0 if it is empty."""
        if not tokens:
            return 0.0
        chain = [BOUNDARY, *self.ids[list(tokens)].tolist(), BOUNDARY]
        kept = sum(pair in self._adjacent for pair in pairwise(tokens))
        return (
            self.weight * sum(self.bigrams.value(*pair) for pair in pairwise(chain))
            + self.adjacency * kept
        )


def _pairs(adjacent: ArrayLike, words: int) -> NDArray[np.int32]:
    pairs = np.asarray(adjacent)
    if pairs.size == 0:
        return NO_PAIRS
    if pairs.shape[1:] != (2,) or pairs.dtype.kind not in "iu":
        raise InvalidInput(
            f"adjacent must be pairs of word ids, got {pairs.dtype} of shape {pairs.shape}"
        )
    wrong = (pairs < 0).any(1) | (pairs >= words).any(1) | (pairs[:, 0] == pairs[:, 1])
    if wrong.any():
        at = int(wrong.argmax())
        raise InvalidInput(
            f"adjacent[{at}] = {pairs[at].tolist()} must be two different words of 0..{words - 1}"
        )
    return np.ascontiguousarray(pairs, dtype=np.int32)
