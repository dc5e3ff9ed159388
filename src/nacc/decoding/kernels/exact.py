"""The best path within the budget, merging of repeats included.

A table is filled from the last slot to the first. `after[c, row, x]` is the value of the best
way to fill the slots still to come with exactly x weight, when the constraints stand at context c
and the slot before holds the symbol of that row. Only two things about the symbol before matter:
whether it can be repeated for free, and that it cannot be emitted anew at once. So row 0 serves
every symbol that is not a candidate of this slot (ε among them), and each word that two
neighbouring slots share has a row of its own. Keeping, per weight, the best new word and the best
*different* new word makes each row O(1) a weight: O(S · budget · K) in all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nacc.compiled import kernel
from nacc.decoding.kernels.arrays import (
    Automaton,
    Candidates,
    Indices,
    Paths,
    Values,
    Weights,
    Words,
)
from nacc.decoding.kernels.paths import no_paths, pick


class Shared(NamedTuple):
    """Words that two neighbouring slots share.

    again[s, p]: the candidate of slot s that repeats candidate p of slot s - 1, or -1.
    rows[s, p]: the table row to continue with at slot s after p; rows[s, -1] the one after ε.
    Rows are numbered from the last slot to the first, over all slots; slot S has one row.
    """

    again: Words
    rows: Words


class TwoBest(NamedTuple):
    """Per weight, the values of the best new word and of the best different one, and which."""

    first: Values
    second: Values
    which: Weights
    which_second: Weights


@kernel
def exact_paths(found: Candidates, automaton: Automaton, lows: Weights, highs: Weights) -> Paths:
    """The best path with weight in [lows[i], highs[i]], for every i, or the heaviest below."""
    S = len(found.blank)
    shared = _shared(found)
    totals, choice, _ = _tables(found, automaton, shared, found.heaviest, 0, False)
    paths = no_paths(len(lows), S)
    for i in range(len(lows)):
        x = pick(totals, lows[i], highs[i])
        paths.reached[i], paths.weights[i] = x >= 0, max(x, 0)
        c, before, score, emitted = 0, -1, 0.0, 0
        for s in range(S):
            k = choice[shared.rows[s, before], c, x] if x >= 0 else -1
            if k < 0:
                score += found.blank[s]
            else:
                paths.symbols[i, s] = found.members[found.numbers[s, k]]
                score += found.values[s, k]
                if before < 0 or shared.again[s, before] != k:
                    paths.starts[i, emitted] = s
                    emitted += 1
                    x -= found.weights[s, k]
                    c = automaton.move[c, found.classes[s, k]]
            before = k
        paths.scores[i], paths.emitted[i] = score, emitted
    return paths


@kernel
def exact_completions(found: Candidates, automaton: Automaton, high: int, slack: int) -> Values:
    """starting[s, c, k, x]: the best way to fill slots s.. beginning with a *new* word k, out of
    context c, with at least x - slack and at most x weight, for x up to `high`."""
    _, _, starting = _tables(found, automaton, _shared(found), high, slack, True)
    return starting


@kernel
def _shared(found: Candidates) -> Shared:
    S, K = found.numbers.shape
    again = np.full((S + 1, K + 1), -1, np.int32)
    rows = np.zeros((S + 1, K + 1), np.int32)
    column = np.full(len(found.members), -1, np.int32)  # of each word, in slot s
    next_row = 1
    for s in range(S - 1, -1, -1):
        rows[s, :] = next_row
        next_row += 1
        if s == 0 or not found.merge:
            continue
        for k in range(found.counts[s]):
            column[found.numbers[s, k]] = k
        for p in range(found.counts[s - 1]):
            k = column[found.numbers[s - 1, p]]
            if k >= 0:
                again[s, p], rows[s, p] = k, next_row
                next_row += 1
        for k in range(found.counts[s]):
            column[found.numbers[s, k]] = -1
    return Shared(again, rows)


@kernel
def _tables(
    found: Candidates, automaton: Automaton, shared: Shared, high: int, slack: int, keep: bool
) -> tuple[Values, Indices, Values]:
    """The best value of every weight, the candidate to take per (row, context, weight), and what
    `exact_completions` returns if it is to be kept."""
    S, K = found.numbers.shape
    C, X = len(automaton.accept), high + 1
    again, rows = shared.again, shared.rows
    choice = np.empty((rows[0, -1] + 1 if S > 0 else 1, C, X), np.int16)
    starting = np.full((S, C, K, X), -np.inf) if keep else np.empty((0, 0, 0, 0))
    later = np.full((C, K + 1, X), -np.inf)
    after = np.full((C, K + 1, X), -np.inf)
    for c in range(C):
        if automaton.accept[c]:
            after[c, 0, : slack + 1] = 0.0
    best = TwoBest(np.empty(X), np.empty(X), np.empty(X, np.int64), np.empty(X, np.int64))
    for s in range(S - 1, -1, -1):
        later, after = after, later
        base, base_later = rows[s, -1], rows[s + 1, -1]
        for c in range(C):
            best.first[:] = -np.inf
            best.second[:] = -np.inf
            best.which[:] = -1
            best.which_second[:] = -1
            for k in range(found.counts[s]):
                to = automaton.move[c, found.classes[s, k]]
                if to < 0:
                    continue
                u = found.weights[s, k]
                source = later[to, rows[s + 1, k] - base_later, : X - u]
                _compete(source, found.values[s, k], k, u, best)
                if keep:
                    starting[s, c, k, u:] = source + found.values[s, k]
            silent = later[c, 0]
            _after_other(silent, found.blank[s], best, after[c, 0], choice[base, c])
            for p in range(found.counts[s - 1] if s > 0 else 0):
                k, row = again[s, p], rows[s, p]
                if k >= 0:
                    run = later[c, rows[s + 1, k] - base_later]
                    _after_word(
                        silent, found.blank[s], run, found.values[s, k], k, best,
                        after[c, row - base], choice[row, c],
                    )  # fmt: skip
    return after[0, 0].copy(), choice, starting


@kernel
def _compete(source: Values, value: float, k: int, weight: int, best: TwoBest) -> None:
    """Let a new word compete, at every weight. Without branches, so that it runs in parallel."""
    first, second = best.first[weight:], best.second[weight:]
    which, which_second = best.which[weight:], best.which_second[weight:]
    for x in range(len(first)):
        new, old, was = source[x] + value, first[x], which[x]
        wins = new > old
        first[x], which[x] = (new, k) if wins else (old, was)
        loser, who = (old, was) if wins else (new, k)
        second_wins = loser > second[x]
        second[x] = loser if second_wins else second[x]
        which_second[x] = who if second_wins else which_second[x]


@kernel
def _after_other(
    silent: Values, blank: float, best: TwoBest, after: Values, choice: Indices
) -> None:
    """The row after a symbol that cannot be repeated: ε or the best new word."""
    for x in range(len(after)):
        nothing = silent[x] + blank
        word = best.first[x] > nothing
        after[x] = best.first[x] if word else nothing
        choice[x] = best.which[x] if word else -1


@kernel
def _after_word(
    silent: Values,
    blank: float,
    run: Values,
    value: float,
    k: int,
    best: TwoBest,
    after: Values,
    choice: Indices,
) -> None:
    """The row after a word that candidate k repeats: ε, the repeat, or the best other word."""
    first, second, which, which_second = best
    for x in range(len(after)):
        same = which[x] == k
        top, chosen = (second[x], which_second[x]) if same else (first[x], which[x])
        repeat, nothing = run[x] + value, silent[x] + blank
        top, chosen = (top, chosen) if top > repeat else (repeat, k)
        top, chosen = (top, chosen) if top > nothing else (nothing, -1)
        after[x], choice[x] = top, chosen
