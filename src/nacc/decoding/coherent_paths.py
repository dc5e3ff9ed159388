"""The coherent decoder's answers: the best whole path of a weight, followed through the lists.

Apart from the kernel that fills the lists, so that each can be read by itself; solve.py calls one
after the other.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from nacc.decoding.arrays import Flags, Shorts, States, Values, Weights, Words


@njit(nogil=True, cache=True)
def follow(
    states: States,
    begin: Weights,
    size: Weights,
    local: Words,
    values: Values,
    blank: Values,
    steps: Shorts,
    worth: Values,
    base: Values,
    known: Values,
    lows: Weights,
    highs: Weights,
    merge: bool,
) -> tuple[Words, Words, Weights, Values, Weights, Flags]:
    """As exact.solve returns, but symbols are candidates' columns (-1 for ε).

    begin, size: (X,) the lists of the first slot, out of the first context.
    """
    S, boundary = local.shape[0], len(known) - 1
    opening = base[boundary] * known + worth[steps[boundary]]
    opening[boundary] = 0.0  # nothing emitted, no pair
    totals, first = _totals(states, begin, size, opening)
    n = len(lows)
    symbols = np.full((n, S), -1, np.int32)
    starts = np.zeros((n, S), np.int32)
    emitted = np.zeros(n, np.int64)
    score = np.zeros(n)
    weight = np.zeros(n, np.int64)
    found = np.zeros(n, np.bool_)
    for i in range(n):
        x = _pick(totals, lows[i], highs[i])
        found[i] = x >= 0
        weight[i] = max(x, 0)
        if x < 0:
            score[i] = blank.sum()
            continue
        at, before, in_run = first[x], boundary, False
        for s in range(S):
            k, to = states[at].choice, states[at].back
            symbols[i, s] = k
            score[i] += values[s, k] if k >= 0 else blank[s]
            if k >= 0 and not in_run:
                starts[i, emitted[i]] = s
                emitted[i] += 1
                word = local[s, k]
                score[i] += base[before] * known[word] + worth[steps[before, word]]
                before = word
            in_run = merge and k >= 0 and states[to].held and states[to].word == states[at].word
            at = to
        if emitted[i] > 0:
            score[i] += base[before] + worth[steps[before, boundary]]
    return symbols, starts, emitted, score, weight, found


@njit(nogil=True, cache=True)
def _totals(
    states: States, begin: Weights, size: Weights, opening: Values
) -> tuple[Values, Weights]:
    """Per weight, the value of the best whole path and the state it begins with."""
    totals = np.full(len(begin), -np.inf)
    first = np.full(len(begin), -1, np.int64)
    for x in range(len(begin)):
        for i in range(begin[x], begin[x] + size[x]):
            if states[i].value + opening[states[i].word] > totals[x]:
                totals[x], first[x] = states[i].value + opening[states[i].word], i
    return totals, first


@njit(nogil=True, cache=True)
def _pick(totals: Values, low: int, high: int) -> int:
    """As exact._pick, over here because kernels do not call across files."""
    best, at = -np.inf, -1
    for x in range(min(low, len(totals)), min(high + 1, len(totals))):
        if totals[x] > best:
            best, at = totals[x], x
    if at < 0:
        for x in range(min(low, len(totals)) - 1, -1, -1):
            if totals[x] > -np.inf:
                return x
    return at
