"""From a lattice's arrays to Candidates, in one pass that checks them as well."""

from __future__ import annotations

import numpy as np

from nacc.compiled import kernel
from nacc.decoding.kernels.arrays import Candidates, Classes, Values, Weights, Words
from nacc.lattice import NO_WORD

# What can be wrong with a lattice.
NOTHING, VALUE, BLANK, REST, NO_WEIGHT, TWICE = range(6)


@kernel
def pack(
    words: Words,
    values: Values,
    blank: Values,
    rest: Values,
    weights: Weights,
    classes: Classes,
    high: int,
    merge: bool,
) -> tuple[Candidates, int, int, int]:
    """The candidates that weigh no more than `high`, and a fault with its slot and column.

    weights, classes: of every word id; a class below 0 forbids the word.
    """
    S, K = words.shape
    numbers, counts = np.empty((S, K), np.int32), np.empty(S, np.int64)
    packed_values, packed_weights = np.empty((S, K)), np.empty((S, K), np.int64)
    packed_classes = np.empty((S, K), np.int8)
    number, seen = np.full(len(weights), -1, np.int32), np.full(len(weights), -1, np.int32)
    members, distinct = np.empty(min(S * K, len(weights)), np.int32), 0
    best = np.empty(S)
    fault, heaviest = (NOTHING, 0, 0), 0
    for s in range(S):
        at, slot_heaviest, slot_best = 0, 0, blank[s]
        if not (blank[s] < np.inf and rest[s] < np.inf):
            fault = (BLANK if rest[s] < np.inf else REST, s, 0)
        for k in range(K):
            word, value = words[s, k], values[s, k]
            wrong = _fault(word, value, s, seen)
            if wrong != NOTHING:
                fault = (wrong, s, k)
            if word == NO_WORD or wrong in (VALUE, NO_WEIGHT):
                continue
            seen[word] = s
            if value == -np.inf or classes[word] < 0:
                continue
            slot_best = max(slot_best, value)
            if weights[word] > high:
                continue
            if number[word] < 0:
                number[word], members[distinct] = distinct, word
                distinct += 1
            numbers[s, at], packed_values[s, at] = number[word], value
            packed_weights[s, at], packed_classes[s, at] = weights[word], classes[word]
            at += 1
            slot_heaviest = max(slot_heaviest, weights[word])
        counts[s], best[s] = at, slot_best
        heaviest = min(high, heaviest + slot_heaviest)
    top, elsewhere = _bounds(best, rest)
    found = Candidates(
        numbers, packed_values, packed_weights, packed_classes, counts, members[:distinct], blank,
        merge, heaviest, top, elsewhere,
    )  # fmt: skip
    return found, *fault


@kernel
def _fault(word: int, value: float, slot: int, seen: Words) -> int:
    """What is wrong with a candidate; seen: the last slot that had each word."""
    if not value < np.inf:
        return VALUE
    if word == NO_WORD:
        return NOTHING
    if word < 0 or word >= len(seen):
        return NO_WEIGHT
    return TWICE if seen[word] == slot else NOTHING


@kernel
def _bounds(best: Values, rest: Values) -> tuple[float, float]:
    """A word left out takes one slot, every other has its best symbol: the bound on such paths."""
    top, loss = 0.0, np.inf
    for s in range(len(best)):
        highest = max(best[s], rest[s])
        top += highest
        if rest[s] > -np.inf:
            loss = min(loss, highest - rest[s])
    return top, (top - loss if loss < np.inf else -np.inf)
