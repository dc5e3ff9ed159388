"""The paper's dynamic programme: one best path per slot and bucket of lengths (equations 3 to 7).

Bucket 0 holds weight 0, bucket l the weights α·(l-1)+1 to α·l. A path's true weight travels with
it, and no path heavier than the budget enters the table.
"""

from __future__ import annotations

import numpy as np

from nacc.compiled import kernel
from nacc.decoding.kernels.arrays import Candidates, Path, Values, Weights, Words
from nacc.decoding.kernels.paths import path_along


@kernel
def bucketed_path(found: Candidates, low: int, high: int, alpha: int) -> Path:
    """The best path over all buckets with a weight in [low, high], or the heaviest below."""
    S, high = len(found.blank), min(high, found.heaviest)
    L = -(-high // alpha) + 1
    value, value_before = np.full(L, -np.inf), np.full(L, -np.inf)
    weight, weight_before = np.zeros(L, np.int64), np.zeros(L, np.int64)
    last, last_before = np.full(L, -1, np.int32), np.full(L, -1, np.int32)
    came_from = np.zeros((S, L), np.int32)  # the bucket before
    choice = np.full((S, L), -1, np.int32)  # the candidate taken, -1 for ε
    value[0] = 0.0
    for s in range(S):
        value, value_before = value_before, value
        weight, weight_before = weight_before, weight
        last, last_before = last_before, last
        for b in range(L):  # case 1: ε
            value[b] = value_before[b] + found.blank[s]
            weight[b], last[b] = weight_before[b], -1
            came_from[s, b], choice[s, b] = b, -1
        for b in range(L):
            if value_before[b] == -np.inf:
                continue
            for k in range(found.counts[s]):
                word = found.numbers[s, k]
                repeats = found.merge and word == last_before[b]  # case 2, else case 3
                total = weight_before[b] + (0 if repeats else found.weights[s, k])
                if total > high:
                    continue
                new, to = value_before[b] + found.values[s, k], -(-total // alpha)
                if new > value[to]:
                    value[to], weight[to], last[to] = new, total, word
                    came_from[s, to], choice[s, to] = b, k
    return _trace(found, _bucket(value, weight, low), weight, came_from, choice)


@kernel
def _bucket(value: Values, weight: Weights, low: int) -> int:
    """The bucket of the best path, or of the heaviest below `low`; -1 if there is no path."""
    best, at, fallback = -np.inf, -1, -1
    for b in range(len(value)):
        if value[b] == -np.inf:
            continue
        if weight[b] < low:
            fallback = b  # buckets rise in weight, so the last one is the heaviest
        elif value[b] > best:
            best, at = value[b], b
    return at if at >= 0 else fallback


@kernel
def _trace(
    found: Candidates, bucket: int, weight: Weights, came_from: Words, choice: Words
) -> Path:
    """The path that ends in a bucket; all ε if there is none."""
    S = len(found.blank)
    columns = np.full(S, -1, np.int32)
    if bucket < 0:
        return path_along(found, columns, 0)
    total = weight[bucket]
    for s in range(S - 1, -1, -1):
        columns[s] = choice[s, bucket]
        bucket = came_from[s, bucket]
    return path_along(found, columns, total)
