"""From a Lattice and weights to what the kernels work on: the candidates that can be used at all.

Words too heavy for the budget, forbidden or of probability zero are left out here, once, so the
decoders never meet them. The check of what is in the arrays happens in the same pass.

No kernel of this package calls a kernel of another file: Numba's on-disk cache watches only the
file a kernel is written in.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from nacc.decoding.arrays import Classes, Values, Weights, Words
from nacc.errors import InvalidInput
from nacc.lattice import NO_WORD, Lattice

_PROBLEMS = (
    "",
    "Lattice.values[{slot}, {column}] is {value}",
    "Lattice.blank[{slot}] is {blank}",
    "Lattice.rest[{slot}] is {rest}",
    "Lattice.words[{slot}, {column}] = {word} has no weight: there are {weights} weights",
    "the weight of word {word} is negative",
    "word {word} is twice among the candidates of slot {slot}",
)


class Candidates(NamedTuple):
    """The usable candidates of every slot, packed to the left.

    words, values, weights, classes: (S, K); the first counts[s] columns of slot s are used.
    classes: what a word means to the constraints (0: nothing).
    heaviest: no path is heavier than this, nor than the budget.
    ceiling: Σ over slots of the best value: no path scores higher.
    elsewhere: no path with a word that is not among the candidates scores higher than this.
    """

    words: NDArray[np.int32]
    values: NDArray[np.float64]
    weights: NDArray[np.int64]
    classes: NDArray[np.int8]
    counts: NDArray[np.int64]
    heaviest: int
    ceiling: float
    elsewhere: float


def usable(
    lattice: Lattice, weights: NDArray[np.int64], classes: NDArray[np.int8], budget: int
) -> Candidates:
    """The candidates that fit the budget, or InvalidInput.

    classes: what each word id means to the constraints; below 0, it is forbidden.
    """
    found, fault = _pack(
        lattice.words, lattice.values, lattice.blank, lattice.rest, weights, classes, budget
    )
    problem, slot, column = fault
    if problem:
        inside = column < lattice.words.shape[1]
        raise InvalidInput(
            _PROBLEMS[problem].format(
                slot=slot,
                column=column,
                value=lattice.values[slot, column] if inside else None,
                word=lattice.words[slot, column] if inside else None,
                blank=lattice.blank[slot],
                rest=lattice.rest[slot],
                weights=len(weights),
            )
        )
    return Candidates(*found)


@njit(nogil=True, cache=True)
def _pack(
    words: Words,
    values: Values,
    blank: Values,
    rest: Values,
    weights: Weights,
    classes: Classes,
    budget: int,
) -> tuple[
    tuple[Words, Values, Weights, Classes, Weights, int, float, float], tuple[int, int, int]
]:
    S, K = words.shape
    out_words = np.full((S, K), NO_WORD, np.int32)
    out_values = np.full((S, K), -np.inf)
    out_weights = np.zeros((S, K), np.int64)
    out_classes = np.zeros((S, K), np.int8)
    counts = np.zeros(S, np.int64)
    best = np.empty(S)
    fault = (0, 0, 0)
    mask = 15  # a hash table for one slot's words at a time; `slot` says whose an entry is
    while mask < 2 * K:
        mask = 2 * mask + 1
    slot, column = np.full(mask + 1, -1, np.int32), np.empty(mask + 1, np.int32)
    heaviest = 0
    for s in range(S):
        if not blank[s] < np.inf:
            fault = (2, s, 0)
        if not rest[s] < np.inf:
            fault = (3, s, 0)
        best[s] = blank[s]
        slot_heaviest = 0
        for k in range(K):
            word, value = words[s, k], values[s, k]
            if not value < np.inf:
                fault = (1, s, k)
                continue
            if word == NO_WORD:
                continue
            if word < 0 or word >= len(weights):
                fault = (4, s, k)
                continue
            if weights[word] < 0:
                fault = (5, s, k)
            at = (word * 40503) & mask
            while slot[at] == s and words[s, column[at]] != word:
                at = (at + 1) & mask
            if slot[at] == s:
                fault = (6, s, k)
            slot[at], column[at] = s, k
            if value == -np.inf or classes[word] < 0:
                continue
            best[s] = max(best[s], value)
            if weights[word] > budget:
                continue
            at = counts[s]
            out_words[s, at] = word
            out_values[s, at] = value
            out_weights[s, at] = weights[word]
            out_classes[s, at] = classes[word]
            counts[s] += 1
            slot_heaviest = max(slot_heaviest, weights[word])
        heaviest = min(budget, heaviest + slot_heaviest)
    ceiling, elsewhere = _bounds(best, rest)
    found = (
        out_words, out_values, out_weights, out_classes, counts, heaviest, ceiling, elsewhere
    )  # fmt: skip
    return found, fault


@njit(nogil=True, cache=True)
def _bounds(best: Values, rest: Values) -> tuple[float, float]:
    """A word left out takes one slot, every other has its best symbol: the bound on such paths."""
    ceiling, loss = 0.0, np.inf
    for s in range(len(best)):
        top = max(best[s], rest[s])
        ceiling += top
        if rest[s] > -np.inf:
            loss = min(loss, top - rest[s])
    return ceiling, (ceiling - loss if loss < np.inf else -np.inf)
