"""The paper's decoder: one best path per slot and bucket of lengths (equations 3 to 7).

Bucket 0 holds weight 0, bucket l the weights α·(l-1)+1 to α·l. A path's true weight travels with
it, and no path heavier than the budget enters the table. Exact only for α = 1 without merging.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from nacc.decoding.arrays import Values, Weights, Words
from nacc.lattice import NO_WORD


@njit(nogil=True, cache=True)
def solve(
    words: Words,
    values: Values,
    weights: Weights,
    counts: Weights,
    blank: Values,
    low: int,
    high: int,
    width: int,
    alpha: int,
    merge: bool,
) -> tuple[Words, Words, int, float, int]:
    """Symbols (S,), first slots of the tokens (S,) and how many, score, weight."""
    S = words.shape[0]
    L = -(-width // alpha) + 1
    value, value_before = np.full(L, -np.inf), np.full(L, -np.inf)
    weight, weight_before = np.zeros(L, np.int64), np.zeros(L, np.int64)
    last, last_before = np.full(L, NO_WORD, np.int32), np.full(L, NO_WORD, np.int32)
    came_from = np.zeros((S, L), np.int32)  # the bucket before
    choice = np.full((S, L), -1, np.int32)  # the candidate taken, -1 for ε
    value[0] = 0.0
    for s in range(S):
        value, value_before = value_before, value
        weight, weight_before = weight_before, weight
        last, last_before = last_before, last
        for b in range(L):  # case 1: ε
            value[b] = value_before[b] + blank[s]
            weight[b], last[b] = weight_before[b], NO_WORD
            came_from[s, b], choice[s, b] = b, -1
        for b in range(L):
            if value_before[b] == -np.inf:
                continue
            for k in range(counts[s]):
                repeats = merge and words[s, k] == last_before[b]  # case 2, else case 3
                total = weight_before[b] + (0 if repeats else weights[s, k])
                if total > width:
                    continue
                new, to = value_before[b] + values[s, k], -(-total // alpha)
                if new > value[to]:
                    value[to], weight[to], last[to] = new, total, words[s, k]
                    came_from[s, to], choice[s, to] = b, k
    return _trace(words, values, blank, value, weight, came_from, choice, low, high, merge)


@njit(nogil=True, cache=True)
def _trace(
    words: Words,
    values: Values,
    blank: Values,
    value: Values,
    weight: Weights,
    came_from: Words,
    choice: Words,
    low: int,
    high: int,
    merge: bool,
) -> tuple[Words, Words, int, float, int]:
    S = words.shape[0]
    best, at, fallback = -np.inf, -1, -1
    for b in range(len(value)):
        if value[b] == -np.inf or weight[b] > high:
            continue
        if weight[b] < low:
            fallback = b  # buckets rise in weight, so the last one is the heaviest
        elif value[b] > best:
            best, at = value[b], b
    if at < 0:
        at = fallback
    symbols = np.full(S, NO_WORD, np.int32)
    total = weight[at] if at >= 0 else 0
    for s in range(S - 1 if at >= 0 else -1, -1, -1):
        if choice[s, at] >= 0:
            symbols[s] = words[s, choice[s, at]]
        at = came_from[s, at]
    starts = np.zeros(S, np.int32)
    emitted, score, before = 0, 0.0, NO_WORD
    for s in range(S):
        if symbols[s] == NO_WORD:
            score += blank[s]
        else:
            for k in range(words.shape[1]):
                if words[s, k] == symbols[s]:
                    score += values[s, k]
            if not (merge and symbols[s] == before):
                starts[emitted] = s
                emitted += 1
        before = symbols[s]
    return symbols, starts, emitted, score, total
