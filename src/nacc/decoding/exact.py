"""The exact decoder: the best path within the budget, merging of repeats included.

A table is filled from the last slot to the first. `after[c, row, x]` is the value of the best
way to fill the slots still to come with exactly x weight, when the constraints stand at context c
and the slot before holds the symbol of that row. Only two things about the symbol before matter:
whether it can be repeated for free, and that it cannot be emitted anew at once. So row 0 serves
every symbol that is not a candidate of this slot (ε among them), and each word that two
neighbouring slots share has a row of its own. Keeping, per weight, the best new word and the best
*different* new word makes each row O(1) a weight: O(S · budget · K) in all.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from nacc.decoding.arrays import Classes, Flags, Indices, Values, Weights, Words
from nacc.lattice import NO_WORD


@njit(nogil=True, cache=True)
def solve(
    words: Words,
    values: Values,
    weights: Weights,
    classes: Classes,
    counts: Weights,
    blank: Values,
    move: Indices,
    accept: Flags,
    lows: Weights,
    highs: Weights,
    width: int,
    merge: bool,
) -> tuple[Words, Words, Weights, Values, Weights, Flags]:
    """The best path with weight in [lows[i], highs[i]], for every i, or the heaviest below.

    Returns per i: symbols (n, S), first slots of the tokens (n, S) and how many, score, weight
    and whether a path was found at all (with weight below lows[i], if need be).
    """
    S = words.shape[0]
    again, rows = _shared(words, counts, merge)
    totals, choice, _ = _fill(
        words, values, weights, classes, counts, blank, move, accept, again, rows, width, 0, False
    )
    n = len(lows)
    symbols = np.full((n, S), NO_WORD, np.int32)
    starts = np.zeros((n, S), np.int32)
    emitted = np.zeros(n, np.int64)
    score = np.zeros(n)
    weight = np.zeros(n, np.int64)
    found = np.zeros(n, np.bool_)
    for i in range(n):
        x = _pick(totals, lows[i], highs[i])
        found[i] = x >= 0
        weight[i] = max(x, 0)
        c, before = 0, -1
        for s in range(S):
            k = -1
            if x >= 0:
                k = choice[rows[s, before] if before >= 0 else rows[s, -1], c, x]
            if k < 0:
                score[i] += blank[s]
            else:
                symbols[i, s] = words[s, k]
                score[i] += values[s, k]
                if before < 0 or again[s, before] != k:
                    starts[i, emitted[i]] = s
                    emitted[i] += 1
                    x -= weights[s, k]
                    c = move[c, classes[s, k]]
            before = k
    return symbols, starts, emitted, score, weight, found


@njit(nogil=True, cache=True)
def completions(
    words: Words,
    values: Values,
    weights: Weights,
    classes: Classes,
    counts: Weights,
    blank: Values,
    move: Indices,
    accept: Flags,
    width: int,
    slack: int,
    merge: bool,
) -> Values:
    """starting[s, c, k, x]: the best way to fill slots s.. beginning with a *new* word k, out of
    context c, with at least x - slack and at most x weight."""
    again, rows = _shared(words, counts, merge)
    _, _, starting = _fill(
        words,
        values,
        weights,
        classes,
        counts,
        blank,
        move,
        accept,
        again,
        rows,
        width,
        slack,
        True,
    )
    return starting


@njit(nogil=True, cache=True)
def _shared(words: Words, counts: Weights, merge: bool) -> tuple[Words, Words]:
    """again[s, p]: the candidate of slot s that repeats candidate p of slot s - 1, or -1.

    rows[s, p] is the table row to continue with at slot s after p; rows[s, -1] the one after ε.
    Rows are numbered from the last slot to the first, over all slots; slot S has one row.
    """
    S, K = words.shape
    again = np.full((S + 1, K + 1), -1, np.int32)
    rows = np.zeros((S + 1, K + 1), np.int32)
    mask = 15  # a hash table for one slot's words at a time; `slot` says whose an entry is
    while mask < 2 * K:
        mask = 2 * mask + 1
    word, column = np.empty(mask + 1, np.int32), np.empty(mask + 1, np.int32)
    slot = np.full(mask + 1, -1, np.int32)
    next_row = 1
    for s in range(S - 1, -1, -1):
        rows[s, :] = next_row
        next_row += 1
        if s == 0 or not merge:
            continue
        for k in range(counts[s]):
            at = (words[s, k] * 40503) & mask
            while slot[at] == s:
                at = (at + 1) & mask
            word[at], column[at], slot[at] = words[s, k], k, s
        for p in range(counts[s - 1]):
            at = (words[s - 1, p] * 40503) & mask
            while slot[at] == s and word[at] != words[s - 1, p]:
                at = (at + 1) & mask
            if slot[at] == s:
                again[s, p], rows[s, p] = column[at], next_row
                next_row += 1
    return again, rows


@njit(nogil=True, cache=True)
def _fill(
    words: Words,
    values: Values,
    weights: Weights,
    classes: Classes,
    counts: Weights,
    blank: Values,
    move: Indices,
    accept: Flags,
    again: Words,
    rows: Words,
    width: int,
    slack: int,
    keep: bool,
) -> tuple[Values, Indices, Values]:
    S, K = words.shape
    C, X = move.shape[0], width + 1
    last_row = rows[0, -1] if S > 0 else 0
    choice = np.empty((last_row + 1, C, X), np.int16)
    starting = np.full((S, C, K, X), -np.inf) if keep else np.empty((0, 0, 0, 0))
    later = np.full((C, K + 1, X), -np.inf)
    after = np.full((C, K + 1, X), -np.inf)
    for c in range(C):
        if accept[c]:
            after[c, 0, : slack + 1] = 0.0
    first, second = np.empty(X), np.empty(X)
    which, which_second = np.empty(X, np.int64), np.empty(X, np.int64)
    for s in range(S - 1, -1, -1):
        later, after = after, later
        base, base_later = rows[s, -1], rows[s + 1, -1]
        for c in range(C):
            first[:] = -np.inf
            second[:] = -np.inf
            which[:] = -1
            which_second[:] = -1
            for k in range(counts[s]):
                to = move[c, classes[s, k]]
                if to < 0:
                    continue
                source = later[to, rows[s + 1, k] - base_later]
                u = weights[s, k]
                _two_best(
                    source[: X - u], values[s, k], k, first[u:], second[u:], which[u:],
                    which_second[u:],
                )  # fmt: skip
                if keep:
                    starting[s, c, k, u:] = source[: X - u] + values[s, k]
            silent = later[c, 0]
            for x in range(X):
                nothing = silent[x] + blank[s]
                word = first[x] > nothing
                after[c, 0, x] = first[x] if word else nothing
                choice[base, c, x] = which[x] if word else -1
            for p in range(counts[s - 1] if s > 0 else 0):
                k = again[s, p]
                if k < 0:
                    continue
                row = rows[s, p]
                _after_word(
                    silent, blank[s], later[c, rows[s + 1, k] - base_later], values[s, k], k,
                    first, second, which, which_second, after[c, row - base], choice[row, c],
                )  # fmt: skip
    return after[0, 0].copy(), choice, starting


@njit(nogil=True, cache=True)
def _two_best(
    source: Values,
    value: float,
    k: int,
    first: Values,
    second: Values,
    which: Weights,
    which_second: Weights,
) -> None:
    """Let a new word compete, at every weight. Without branches, so that it runs in parallel."""
    for x in range(len(first)):
        new, old, was = source[x] + value, first[x], which[x]
        wins = new > old
        first[x], which[x] = (new, k) if wins else (old, was)
        loser, who = (old, was) if wins else (new, k)
        second_wins = loser > second[x]
        second[x] = loser if second_wins else second[x]
        which_second[x] = who if second_wins else which_second[x]


@njit(nogil=True, cache=True)
def _after_word(
    silent: Values,
    blank: float,
    run: Values,
    value: float,
    k: int,
    first: Values,
    second: Values,
    which: Weights,
    which_second: Weights,
    after: Values,
    choice: Indices,
) -> None:
    """The row after a word that candidate k repeats: ε, the repeat, or the best other word."""
    for x in range(len(after)):
        same = which[x] == k
        best, chosen = (second[x], which_second[x]) if same else (first[x], which[x])
        repeat, nothing = run[x] + value, silent[x] + blank
        best, chosen = (best, chosen) if best > repeat else (repeat, k)
        best, chosen = (best, chosen) if best > nothing else (nothing, -1)
        after[x], choice[x] = best, chosen


@njit(nogil=True, cache=True)
def _pick(totals: Values, low: int, high: int) -> int:
    """The best weight in [low, high] (the lightest of equals), else the heaviest below, else -1."""
    best, at = -np.inf, -1
    for x in range(min(low, len(totals)), min(high + 1, len(totals))):
        if totals[x] > best:
            best, at = totals[x], x
    if at < 0:
        for x in range(min(low, len(totals)) - 1, -1, -1):
            if totals[x] > -np.inf:
                return x
    return at
