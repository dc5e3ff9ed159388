"""The best path by Σ log-probability + what every two neighbouring words are worth (Pairs).

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

from typing import NamedTuple

import numpy as np

from nacc.compiled import kernel
from nacc.decoding.kernels.arrays import (
    Automaton,
    Candidates,
    Pairs,
    Paths,
    States,
    Values,
    Weights,
    Words,
)
from nacc.decoding.kernels.coherent_paths import follow

# What the slots from here on look like from the left: their value, their first word, whether this
# slot holds it, the candidate in this slot (-1: ε), and the state of the next slot it came from.
STATE = np.dtype(
    [("value", "f8"), ("back", "i8"), ("word", "i4"), ("choice", "i2"), ("held", "?")], align=True
)


class Right(NamedTuple):
    """The lists of the slot to the right: that of (context c, weight x) is states[begin[c, x] :
    begin[c, x] + size[c, x]], and its best value is top[c, x]."""

    states: States
    begin: Weights
    size: Weights
    top: Values


class SlotCandidates(NamedTuple):
    """One slot's candidates: words, values, and the gains of _repeat_gains; ε's value."""

    words: Words
    values: Values
    gain: Values
    blank: float
    merge: bool


class Spoken(NamedTuple):
    """A word that one slot emits, its value and weight; where it leaves the constraints (context),
    and the most that pairs and repeats can make it worth beyond that, compared with ε (lead)."""

    word: int
    value: float
    weight: int
    context: int
    lead: float


class Scratch(NamedTuple):
    """Used for every cell anew. column[word]: the slot's candidate with this word, or -1;
    where[word]: its place in the cell's list, or -1; cell: the list under construction."""

    column: Words
    where: Words
    cell: States


@kernel
def coherent_paths(
    found: Candidates,
    pairs: Pairs,
    automaton: Automaton,
    beam: int,
    lows: Weights,
    highs: Weights,
) -> tuple[Paths, Values]:
    """As exact_paths; and cut (S,), the value of the best state of each slot that the beam cut
    off. A beam of 0 cuts nothing off."""
    states, begin, size, cut = _lists(found, pairs, automaton, beam)
    return follow(found, pairs, states, begin[0, 0], size[0, 0], lows, highs), cut


@kernel
def _lists(
    found: Candidates, pairs: Pairs, automaton: Automaton, beam: int
) -> tuple[States, Weights, Weights, Values]:
    """All lists, one after another: that of cell (s, c, x) is states[begin:begin + size]; cut."""
    S, K = found.numbers.shape
    M, C, X = len(pairs.spread), len(automaton.accept), found.heaviest + 1
    states, used = np.empty(256 + 4 * S * X, STATE), 0
    begin, size = np.zeros((S + 1, C, X), np.int64), np.zeros((S + 1, C, X), np.int64)
    top = np.full((S + 1, C, X), -np.inf)  # the best value of each list
    for c in range(C):
        if automaton.accept[c]:
            states[used].value, states[used].back = 0.0, -1
            states[used].word, states[used].held, states[used].choice = M - 1, False, -1
            begin[S, c, 0], size[S, c, 0], top[S, c, 0] = used, 1, 0.0
            used += 1
    cut = np.full(S, -np.inf)
    new, back = np.empty((K, X)), np.empty((K, X), np.int64)
    scratch = Scratch(
        np.full(M, -1, np.int32), np.full(M, -1, np.int32), np.empty(M + K + 1, STATE)
    )
    cell, gains = scratch.cell, _repeat_gains(found, M)
    for s in range(S - 1, -1, -1):
        n = found.counts[s]
        slot = SlotCandidates(
            found.numbers[s, :n], found.values[s, :n], gains[s, :n], found.blank[s], found.merge
        )
        for k in range(n):
            scratch.column[slot.words[k]] = k
        for c in range(C):
            right = Right(states, begin[s + 1], size[s + 1], top[s + 1])
            for k in range(n):
                word, context = slot.words[k], automaton.move[c, found.classes[s, k]]
                lead = pairs.row_top[word] + pairs.spread[word] + max(slot.gain[k], 0.0)
                spoken = Spoken(
                    word, slot.values[k], found.weights[s, k], context, lead - slot.blank
                )
                _put_before(right, c, spoken, pairs, found.merge, new[k], back[k])
            for x in range(X):
                n_states = _gather(right, c, x, slot, pairs.spread, scratch, new[:, x], back[:, x])
                n_states = _drop_dominated(cell, n_states, pairs.spread, slot.gain)
                if 0 < beam < n_states:
                    cut[s] = max(cut[s], _cut(cell, n_states, beam))
                    n_states = beam
                while used + n_states > len(states):
                    states = np.concatenate((states, np.empty_like(states)))
                begin[s, c, x], size[s, c, x] = used, n_states
                for i in range(n_states):
                    states[used + i] = cell[i]
                    top[s, c, x] = max(top[s, c, x], cell[i].value)
                used += n_states
        for k in range(n):
            scratch.column[slot.words[k]] = -1
    return states, begin, size, cut


@kernel
def _put_before(
    right: Right,
    here: int,
    spoken: Spoken,
    pairs: Pairs,
    merge: bool,
    new: Values,
    back: Weights,
) -> None:
    """new[x]: the best way to go on after emitting a word in this slot, for every weight x.

    Left at -inf where ε is so much better that not even the best pairs and repeats can make up
    for it.
    """
    new[:] = -np.inf
    word, context, base = spoken.word, spoken.context, pairs.base[spoken.word]
    for x in range(spoken.weight, len(new) if context >= 0 else 0):
        left = x - spoken.weight
        if right.top[context, left] + spoken.value + spoken.lead <= right.top[here, x]:
            continue
        best, at = -np.inf, -1
        first = right.begin[context, left]
        for i in range(first, first + right.size[context, left]):
            state = right.states[i]
            worth = pairs.worth[pairs.steps[word, state.word]]
            total = state.value + base * pairs.known[state.word] + worth
            if total > best and not (merge and state.held and state.word == word):
                best, at = total, i
        new[x], back[x] = best + spoken.value, at


@kernel
def _gather(
    right: Right,
    context: int,
    x: int,
    slot: SlotCandidates,
    spread: Values,
    scratch: Scratch,
    new: Values,
    back: Weights,
) -> int:
    """All states of one cell: ε, repeats and new words before the states to its right."""
    states, words, gain = right.states, slot.words, slot.gain
    column, where, cell = scratch
    first, n = right.begin[context, x], 0
    for i in range(first, first + right.size[context, x]):
        word, value, k = states[i].word, states[i].value, column[states[i].word]
        if slot.merge and states[i].held and k >= 0 and value + slot.values[k] > new[k]:
            new[k], back[k] = value + slot.values[k], i
        silent_value = value + slot.blank
        if silent_value == -np.inf:
            continue
        at = where[word]
        if at < 0:
            at = where[word] = n
            n += 1
        elif cell[at].value >= silent_value:
            continue
        cell[at].value, cell[at].back, cell[at].word = silent_value, i, word
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


@kernel
def _repeat_gains(found: Candidates, size: int) -> Values:
    """gain[s, k]: the most that repeating candidate k of slot s in the slots before it can be
    worth, compared with ε there; -1 if it cannot be repeated."""
    S, K = found.numbers.shape
    gain = np.full((S, K), -1.0)
    left = np.full(size, -1, np.int32)  # the candidate of the slot before
    for s in range(1, S if found.merge else 0):
        for j in range(found.counts[s - 1]):
            left[found.numbers[s - 1, j]] = j
        for k in range(found.counts[s]):
            j = left[found.numbers[s, k]]
            if j >= 0:
                further = found.values[s - 1, j] - found.blank[s - 1] + max(gain[s - 1, j], 0.0)
                gain[s, k] = max(further, 0.0)
        for j in range(found.counts[s - 1]):
            left[found.numbers[s - 1, j]] = -1
    return gain


@kernel
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


@kernel
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
