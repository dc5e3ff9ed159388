"""The coherent decoder: Σ log-probability + what every two neighbouring words are worth (Pairs).

Like the exact decoder it works from the last slot to the first, over (context, weight). What the
slots still to come look like from the left is (their first word, whether this slot holds it): a
word put before them pays the pair it forms with that first word, and cannot be that word again
without an ε between. So every cell keeps a list of such states instead of two best paths.

A state is left out of its list when another one is so much better that no word put before it,
and no run of repeats, can make up for the difference. That loses nothing. Beyond that a list
holds at most `beam` states; what is cut off then is remembered, and the answer counts as proven
only if no path through a state cut off could have scored higher.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from nacc.decoding.arrays import Classes, Flags, Indices, Shorts, States, Values, Weights, Words

# What the slots from here on look like from the left: their value, their first word, whether this
# slot holds it, the candidate in this slot (-1: ε), and the state of the next slot it came from.
STATE = np.dtype(
    [("value", "f8"), ("back", "i8"), ("word", "i4"), ("choice", "i2"), ("held", "?")], align=True
)


@njit(nogil=True, cache=True)
def fill(
    local: Words,
    values: Values,
    weights: Weights,
    classes: Classes,
    counts: Weights,
    blank: Values,
    steps: Shorts,
    worth: Values,
    base: Values,
    known: Values,
    spread: Values,
    row_top: Values,
    move: Indices,
    accept: Flags,
    width: int,
    beam: int,
    merge: bool,
) -> tuple[States, Weights, Weights, Values]:
    """All lists, one after another: that of cell (s, c, x) is states[begin:begin + size].

    And cut (S,): the value of the best state of each slot that the beam cut off. A beam of 0 cuts
    nothing off.
    """
    S, K = local.shape
    M, C, X = len(spread), move.shape[0], width + 1
    states = np.empty(256 + 4 * S * X, STATE)
    begin, size = np.zeros((S + 1, C, X), np.int64), np.zeros((S + 1, C, X), np.int64)
    used = 0
    for c in range(C):
        if accept[c]:
            states[used].value, states[used].back = 0.0, -1
            states[used].word, states[used].held, states[used].choice = M - 1, False, -1
            begin[S, c, 0], size[S, c, 0] = used, 1
            used += 1
    cut = np.full(S, -np.inf)
    top = np.full((S + 1, C, X), -np.inf)  # the best value of each list
    top[S, :, 0] = np.where(accept, 0.0, -np.inf)
    new, new_back = np.empty((K, X)), np.empty((K, X), np.int64)
    column, where = np.full(M, -1, np.int32), np.full(M, -1, np.int32)
    gain = _repeat_gains(local, values, counts, blank, M, merge)
    cell = np.empty(M + K + 1, STATE)
    for s in range(S - 1, -1, -1):
        for k in range(counts[s]):
            column[local[s, k]] = k
        for c in range(C):
            for k in range(counts[s]):
                word = local[s, k]
                hope = row_top[word] + spread[word] + max(gain[s, k], 0.0) - blank[s]
                _put_before(
                    states, begin[s + 1], size[s + 1], top[s + 1], c, word, weights[s, k],
                    values[s, k], steps[word], worth, base[word], known, move[c, classes[s, k]],
                    hope, merge, new[k], new_back[k],
                )  # fmt: skip
            for x in range(X):
                right = begin[s + 1, c, x]
                n = _gather(
                    states, right, right + size[s + 1, c, x], blank[s], local[s], values[s],
                    gain[s, : counts[s]], spread, column, where, merge, new[:, x], new_back[:, x],
                    cell,
                )  # fmt: skip
                n = _drop_dominated(cell, n, spread, gain[s])
                if 0 < beam < n:
                    cut[s] = max(cut[s], _cut(cell, n, beam))
                    n = beam
                while used + n > len(states):
                    states = np.concatenate((states, np.empty_like(states)))
                begin[s, c, x], size[s, c, x] = used, n
                for i in range(n):
                    states[used + i] = cell[i]
                    top[s, c, x] = max(top[s, c, x], cell[i].value)
                used += n
        for k in range(counts[s]):
            column[local[s, k]] = -1
    return states, begin, size, cut


@njit(nogil=True, cache=True)
def _put_before(
    states: States,
    begin: Weights,
    size: Weights,
    top: Values,
    here: int,
    word: int,
    weight: int,
    value: float,
    steps: Shorts,
    worth: Values,
    base: float,
    known: Values,
    context: int,
    hope: float,
    merge: bool,
    new: Values,
    back: Weights,
) -> None:
    """new[x]: the best way to go on after emitting `word` in this slot, for every weight x.

    Left at -inf where ε is so much better that not even the best pairs and repeats (`hope`) can
    make up for it.
    """
    new[:] = -np.inf
    for x in range(weight, len(new) if context >= 0 else 0):
        if top[context, x - weight] + value + hope <= top[here, x]:
            continue
        best, at = -np.inf, -1
        first = begin[context, x - weight]
        for i in range(first, first + size[context, x - weight]):
            state = states[i]
            total = state.value + base * known[state.word] + worth[steps[state.word]]
            if total > best and not (merge and state.held and state.word == word):
                best, at = total, i
        new[x], back[x] = best + value, at


@njit(nogil=True, cache=True)
def _gather(
    states: States,
    begin: int,
    end: int,
    blank: float,
    words: Words,
    values: Values,
    gain: Values,
    spread: Values,
    column: Words,
    where: Words,
    merge: bool,
    new: Values,
    back: Weights,
    cell: States,
) -> int:
    """All states of one cell: ε, repeats and new words before the states to its right."""
    n = 0
    for i in range(begin, end):
        word, value, k = states[i].word, states[i].value, column[states[i].word]
        if merge and states[i].held and k >= 0 and value + values[k] > new[k]:
            new[k], back[k] = value + values[k], i
        if value + blank == -np.inf:
            continue
        at = where[word]
        if at < 0:
            at = where[word] = n
            n += 1
        elif cell[at].value >= value + blank:
            continue
        cell[at].value, cell[at].back, cell[at].word = value + blank, i, word
        cell[at].held, cell[at].choice = False, -1
    silent, level = n, -np.inf
    for i in range(n):
        level = max(level, cell[i].value)
    for k in range(len(gain)):
        reach = new[k] + max(gain[k], 0.0)
        if reach + spread[words[k]] <= level or new[k] == -np.inf:
            continue  # dominated: ε leaves every word to be put before it
        at = where[words[k]]
        if at >= 0 and cell[at].value >= reach:
            continue
        if at < 0 or gain[k] >= 0.0 or cell[at].value > new[k]:
            at = n
            n += 1
        cell[at].value, cell[at].back, cell[at].word = new[k], back[k], words[k]
        cell[at].held, cell[at].choice = True, k
    for i in range(silent):
        where[cell[i].word] = -1
    return n


@njit(nogil=True, cache=True)
def _repeat_gains(
    local: Words, values: Values, counts: Weights, blank: Values, words: int, merge: bool
) -> Values:
    """gain[s, k]: the most that repeating candidate k of slot s in the slots before it can be
    worth, compared with ε there; -1 if it cannot be repeated."""
    S, K = local.shape
    gain = np.full((S, K), -1.0)
    left = np.full(words, -1, np.int32)  # the candidate of the slot before
    for s in range(1, S if merge else 0):
        for j in range(counts[s - 1]):
            left[local[s - 1, j]] = j
        for k in range(counts[s]):
            j = left[local[s, k]]
            if j >= 0:
                further = values[s - 1, j] - blank[s - 1] + max(gain[s - 1, j], 0.0)
                gain[s, k] = max(further, 0.0)
        for j in range(counts[s - 1]):
            left[local[s - 1, j]] = -1
    return gain


@njit(nogil=True, cache=True)
def _drop_dominated(cell: States, n: int, spread: Values, gain: Values) -> int:
    """Keep the states that something put before them could still make the best.

    The best state does at least as well as any other before which the same word is put; except
    that, if it holds a word that can be repeated, that very word cannot be put before it. Then
    the best state with another word steps in.
    """
    best, other = 0, -1
    for i in range(1, n):
        if cell[i].value > cell[best].value:
            best = i
    level = cell[best].value if n > 0 else 0.0
    if n > 0 and cell[best].held and gain[cell[best].choice] >= 0.0:
        level = -np.inf
        for i in range(n):
            if cell[i].word != cell[best].word and cell[i].value > level:
                other, level = i, cell[i].value
    kept = 0
    for i in range(n):
        reach = cell[i].value + spread[cell[i].word]
        if cell[i].held:
            reach += max(gain[cell[i].choice], 0.0)
        if reach > level or i in (best, other):
            cell[kept] = cell[i]
            kept += 1
    return kept


@njit(nogil=True, cache=True)
def _cut(cell: States, n: int, beam: int) -> float:
    """Bring the `beam` best states to the front; the value of the best state left behind."""
    for i in range(beam + 1):
        best = i
        for j in range(i + 1, n):
            if cell[j].value > cell[best].value:
                best = j
        cell[n] = cell[best]  # rows are views: swap through a spare one
        cell[best] = cell[i]
        cell[i] = cell[n]
    return cell[beam].value
