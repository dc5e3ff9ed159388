"""The coherent decoder's answers: the best whole path of a weight, followed through the lists."""

from __future__ import annotations

import numpy as np

from nacc.compiled import kernel
from nacc.decoding.kernels.arrays import Candidates, Pairs, Paths, States, Values, Weights
from nacc.decoding.kernels.paths import no_paths, pick


@kernel
def follow(
    found: Candidates,
    pairs: Pairs,
    states: States,
    begin: Weights,
    size: Weights,
    lows: Weights,
    highs: Weights,
) -> Paths:
    """begin, size: (X,) the lists of the first slot, out of the first context."""
    S, n, boundary = len(found.blank), len(lows), len(pairs.known) - 1
    base, known, worth, steps = pairs.base, pairs.known, pairs.worth, pairs.steps
    opening = base[boundary] * known + worth[steps[boundary]]
    opening[boundary] = 0.0  # nothing emitted, no pair
    totals, first = _totals(states, begin, size, opening)
    paths = no_paths(n, S)
    for i in range(n):
        x = pick(totals, lows[i], highs[i])
        paths.reached[i], paths.weights[i] = x >= 0, max(x, 0)
        if x < 0:
            paths.scores[i] = found.blank.sum()
            continue
        at, before, in_run, score, emitted = first[x], boundary, False, 0.0, 0
        for s in range(S):
            k, to = states[at].choice, states[at].back
            score += found.values[s, k] if k >= 0 else found.blank[s]
            if k >= 0:
                word = found.numbers[s, k]
                paths.symbols[i, s] = found.members[word]
                if not in_run:
                    paths.starts[i, emitted] = s
                    emitted += 1
                    score += base[before] * known[word] + worth[steps[before, word]]
                    before = word
            held = states[to].held and states[to].word == states[at].word
            in_run = found.merge and k >= 0 and held
            at = to
        if emitted > 0:
            score += base[before] + worth[steps[before, boundary]]
        paths.scores[i], paths.emitted[i] = score, emitted
    return paths


@kernel
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
