"""The greedy decoder: the best symbol of every slot, reduced, cut at the last whole word that fits.

From the first word that does not fit on, every slot is ε, so that slots, tokens and score agree.
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
    budget: int,
    merge: bool,
) -> tuple[Words, Words, int, float, int]:
    """Symbols (S,), first slots of the tokens (S,) and how many, score, weight."""
    S = words.shape[0]
    symbols = np.full(S, NO_WORD, np.int32)
    starts = np.zeros(S, np.int32)
    emitted, score, weight, full, before = 0, 0.0, 0, False, NO_WORD
    for s in range(S):
        best, chosen = blank[s], -1
        for k in range(counts[s] if not full else 0):
            if values[s, k] > best:
                best, chosen = values[s, k], k
        if chosen >= 0 and not (merge and words[s, chosen] == before):
            if weight + weights[s, chosen] > budget:
                best, chosen, full = blank[s], -1, True
            else:
                weight += weights[s, chosen]
                starts[emitted] = s
                emitted += 1
        before = words[s, chosen] if chosen >= 0 else NO_WORD
        symbols[s] = before
        score += best
    return symbols, starts, emitted, score, weight
