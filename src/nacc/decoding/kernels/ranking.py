"""Beginnings of word sequences: how they align with the slots, and how well they can go on."""

from __future__ import annotations

import numpy as np

from nacc.compiled import kernel
from nacc.decoding.kernels.arrays import Candidates, Path, Values, Weights, Words
from nacc.decoding.kernels.paths import path_along


@kernel
def bounds_by_word(
    silent: Values,
    running: Values,
    last: int,
    context: int,
    room: int,
    found: Candidates,
    pair_values: Values,
    starting: Values,
) -> Values:
    """For every word, the score of the best sequence that goes on with it.

    silent, running: as in ranking.Beginning. last: the word before, M if there is none.
    """
    bounds = np.full(len(found.members), -np.inf)
    for s in range(len(found.blank)):
        for k in range(found.counts[s]):
            word = found.numbers[s, k]
            ahead = silent[s] if found.merge and word == last else max(silent[s], running[s])
            total = ahead + pair_values[last, word] + starting[s, context, k, room]
            bounds[word] = max(bounds[word], total)
    return bounds


@kernel
def advance(
    silent: Values, running: Values, last: int, word: int, found: Candidates, pair_values: Values
) -> tuple[Values, Values]:
    """The best alignments (silent, running) of one word more."""
    S = len(found.blank)
    new_silent, new_running = np.full(S + 1, -np.inf), np.full(S + 1, -np.inf)
    for s in range(S):
        new_silent[s + 1] = max(new_silent[s], new_running[s]) + found.blank[s]
        for k in range(found.counts[s]):
            if found.numbers[s, k] == word:
                ahead = silent[s] if found.merge and word == last else max(silent[s], running[s])
                ahead += pair_values[last, word]
                if found.merge:
                    ahead = max(ahead, new_running[s])
                new_running[s + 1] = ahead + found.values[s, k]
    return new_silent, new_running


@kernel
def align(words: Weights, found: Candidates, pair_values: Values) -> Path:
    """The best path of a whole sequence, given as numbers; its weight is left to the caller."""
    S, T, boundary = len(found.blank), len(words), len(found.members)
    silent, running = np.full((T + 1, S + 1), -np.inf), np.full((T + 1, S + 1), -np.inf)
    silent[0, 0] = 0.0
    for s in range(S):
        silent[0, s + 1] = silent[0, s] + found.blank[s]
    last = boundary
    for t in range(T):
        silent[t + 1], running[t + 1] = advance(
            silent[t], running[t], last, words[t], found, pair_values
        )
        last = words[t]
    columns = _columns(words, found, silent, running)
    path = path_along(found, columns, 0)
    score, t, last = 0.0, 0, boundary
    for s in range(S):  # in this order, so that the last digit is as the decoders have it
        k = columns[s]
        score += found.values[s, k] if k >= 0 else found.blank[s]
        if t < T and path.starts[t] == s:
            score += pair_values[last, words[t]]
            last = words[t]
            t += 1
    score += pair_values[last, boundary]
    return Path(path.symbols, path.starts, path.emitted, score, 0)


@kernel
def _columns(words: Weights, found: Candidates, silent: Values, running: Values) -> Words:
    """The candidate that every slot holds (-1: ε)."""
    S, T = len(found.blank), len(words)
    columns = np.full(S, -1, np.int32)
    t, holding = T, running[T, S] > silent[T, S]
    for s in range(S - 1, -1, -1):
        if not holding:
            holding = running[t, s] > silent[t, s]
            continue
        for k in range(found.counts[s]):
            if found.numbers[s, k] == words[t - 1]:
                columns[s] = k
        if found.merge and running[t, s] + found.values[s, columns[s]] == running[t, s + 1]:
            continue  # the word began earlier
        t -= 1
        if found.merge and t > 0 and words[t - 1] == words[t]:
            holding = False
        else:
            holding = running[t, s] > silent[t, s]
    return columns
