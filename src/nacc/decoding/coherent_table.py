"""The coherent decoder's table with nothing left out, for ranking whole sequences.

Per (context, weight): `silent[w]`, the best way to fill the slots still to come when their first
word is w and this slot is ε; and `holding[k]`, when this slot holds candidate k. O(S · budget · K
· words): dear, but exact for every beginning, which the decoder's short lists are not.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from nacc.decoding.arrays import Classes, Flags, Indices, Values, Weights, Words


@njit(nogil=True, cache=True)
def completions(
    local: Words,
    values: Values,
    weights: Weights,
    classes: Classes,
    counts: Weights,
    blank: Values,
    pairs: Values,
    move: Indices,
    accept: Flags,
    width: int,
    slack: int,
    merge: bool,
) -> Values:
    """starting[s, c, k, x], as exact.completions; the pair that k ends is not counted."""
    S, K = local.shape
    M, C, X = pairs.shape[0], move.shape[0], width + 1
    starting = np.full((S, C, K, X), -np.inf)
    silent, either = np.full((C, X, M), -np.inf), np.empty((C, X, M))
    for c in range(C):
        if accept[c]:
            silent[c, : slack + 1, M - 1] = 0.0
    again = np.full(M, -1, np.int32)  # the candidate of the slot to the right
    for s in range(S - 1, -1, -1):
        either[:] = silent
        for k in range(counts[s + 1] if s + 1 < S else 0):
            word = local[s + 1, k]
            again[word] = k
            for c in range(C):
                for x in range(X):
                    either[c, x, word] = max(silent[c, x, word], starting[s + 1, c, k, x])
        for c in range(C):
            for k in range(counts[s]):
                word, to = local[s, k], move[c, classes[s, k]]
                for x in range(X):
                    best = -np.inf
                    if to >= 0 and x >= weights[s, k]:
                        best = _best_before(
                            pairs[word], either[to, x - weights[s, k]],
                            silent[to, x - weights[s, k]], word, merge,
                        )  # fmt: skip
                    if merge and again[word] >= 0:
                        best = max(best, starting[s + 1, c, again[word], x])
                    starting[s, c, k, x] = best + values[s, k]
        for k in range(counts[s + 1] if s + 1 < S else 0):
            again[local[s + 1, k]] = -1
        silent[:] = either + blank[s]
    return starting


@njit(nogil=True, cache=True)
def _best_before(pairs: Values, either: Values, silent: Values, word: int, merge: bool) -> float:
    """The best way to go on after emitting `word`, which may follow itself only after ε."""
    best = silent[word] + pairs[word]
    if not merge:
        best = either[word] + pairs[word]
    for following in range(len(pairs)):
        if following != word:
            best = max(best, either[following] + pairs[following])
    return best
