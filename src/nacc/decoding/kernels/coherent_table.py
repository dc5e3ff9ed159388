"""The coherent decoder's table with nothing left out, for ranking whole sequences.

Per (context, weight): `silent[w]`, the best way to fill the slots still to come when their first
word is w and this slot is ε; and `holding[k]`, when this slot holds candidate k. O(S · budget · K
· words): dear, but exact for every beginning, which the decoder's short lists are not.
"""

from __future__ import annotations

import numpy as np

from nacc.compiled import kernel
from nacc.decoding.kernels.arrays import Automaton, Candidates, Values


@kernel
def coherent_completions(
    found: Candidates, pair_values: Values, automaton: Automaton, high: int, slack: int
) -> Values:
    """starting[s, c, k, x], as exact_completions; the pair that k ends is not counted."""
    S, K = found.numbers.shape
    M, C, X = len(pair_values), len(automaton.accept), high + 1
    starting = np.full((S, C, K, X), -np.inf)
    silent, either = np.full((C, X, M), -np.inf), np.empty((C, X, M))
    for c in range(C):
        if automaton.accept[c]:
            silent[c, : slack + 1, M - 1] = 0.0
    again = np.full(M, -1, np.int32)  # the candidate of the slot to the right
    for s in range(S - 1, -1, -1):
        either[:] = silent
        for k in range(found.counts[s + 1] if s + 1 < S else 0):
            word = found.numbers[s + 1, k]
            again[word] = k
            for c in range(C):
                for x in range(X):
                    either[c, x, word] = max(silent[c, x, word], starting[s + 1, c, k, x])
        for c in range(C):
            for k in range(found.counts[s]):
                word, to = found.numbers[s, k], automaton.move[c, found.classes[s, k]]
                for x in range(X):
                    best, left = -np.inf, x - found.weights[s, k]
                    if to >= 0 and left >= 0:
                        best = _best_before(
                            pair_values[word], either[to, left], silent[to, left], word, found.merge
                        )
                    if found.merge and again[word] >= 0:
                        best = max(best, starting[s + 1, c, again[word], x])
                    starting[s, c, k, x] = best + found.values[s, k]
        for k in range(found.counts[s + 1] if s + 1 < S else 0):
            again[found.numbers[s + 1, k]] = -1
        silent[:] = either + found.blank[s]
    return starting


@kernel
def _best_before(pairs: Values, either: Values, silent: Values, word: int, merge: bool) -> float:
    """The best way to go on after emitting `word`, which may follow itself only after ε."""
    best = silent[word] + pairs[word]
    if not merge:
        best = either[word] + pairs[word]
    for following in range(len(pairs)):
        if following != word:
            best = max(best, either[following] + pairs[following])
    return best
