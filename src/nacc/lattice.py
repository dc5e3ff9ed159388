"""The seam between models and decoders.

A model turns a sentence into a `Lattice`; a decoder turns a `Lattice` into words. Models know
nothing of lengths, decoders nothing of neural networks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nacc.errors import InvalidInput

NO_WORD = -1


@dataclass(frozen=True, eq=False)
class Lattice:
    """Per slot, the K most probable words, and ε.

    words:   (S, K) int32, word ids; NO_WORD where a slot has fewer than K candidates.
             Ids are whatever the caller's weight vector is indexed by. No word twice in a slot.
    values:  (S, K) float64, log-probabilities, -inf where the word is NO_WORD.
    blank:   (S,) float64, ε's log-probability.
    rest:    (S,) float64, an upper bound on the value of any word left out of `words` in that
             slot (the (K+1)-th best value); -inf when nothing was left out.
    """

    words: NDArray[np.int32]
    values: NDArray[np.float64]
    blank: NDArray[np.float64]
    rest: NDArray[np.float64]

    @property
    def slots(self) -> int:
        return int(self.words.shape[0])

    @classmethod
    def from_log_probs(cls, log_probs: ArrayLike, *, blank: int = 0, top_k: int = 20) -> Lattice:
        """Select the `top_k` best words of every slot from a (slots × vocabulary) array.

        Ties are broken by the smaller word id, so the selection does not depend on the platform.
        Words of probability zero (-inf) are never candidates.
        """
        table = np.asarray(log_probs, dtype=np.float64)
        if table.ndim != 2 or table.shape[1] < 1:
            raise InvalidInput(
                f"log_probs must be a (slots × vocabulary) array, got shape {table.shape}"
            )
        if np.isnan(table).any():
            slot, word = np.argwhere(np.isnan(table))[0]
            raise InvalidInput(f"log_probs[{slot}, {word}] is NaN")
        if np.isposinf(table).any():
            slot, word = np.argwhere(np.isposinf(table))[0]
            raise InvalidInput(f"log_probs[{slot}, {word}] is +inf")
        slots, vocabulary = table.shape
        if not 0 <= blank < vocabulary:
            raise InvalidInput(f"blank = {blank} is outside the vocabulary of {vocabulary}")
        if top_k < 1:
            raise InvalidInput(f"top_k = {top_k} must be at least 1")
        blank_values = table[:, blank].copy()
        values_of = table.copy()
        values_of[:, blank] = -np.inf
        order = np.argsort(-values_of, axis=1, kind="stable")
        k = min(top_k, vocabulary)
        chosen = order[:, :k]
        values = np.take_along_axis(values_of, chosen, axis=1)
        words = np.where(np.isneginf(values), NO_WORD, chosen).astype(np.int32)
        rest = np.full(slots, -np.inf)
        if k < vocabulary:
            rest = np.take_along_axis(values_of, order[:, k : k + 1], axis=1)[:, 0]
        return cls(words, values, blank_values, rest)
