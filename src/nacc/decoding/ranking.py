"""The n best distinct word sequences within a budget.

Best-first search over beginnings of sequences. A beginning's bound is the score of the best
sequence that starts so, which the decoders' tables give exactly; so the search goes straight to
the answers, and alignments of one sequence never compete with one another. Only `once` makes the
bounds too high here and there, and the search correspondingly longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count, islice
from typing import TypeAlias

import numpy as np
from numba import njit

from nacc.decoding import coherent_table, exact
from nacc.decoding.arrays import Values, Weights, Words
from nacc.decoding.bounds import best_elsewhere
from nacc.decoding.candidates import Candidates
from nacc.decoding.constraints import Automaton
from nacc.decoding.decoded import Decoded
from nacc.decoding.pairs import Pairs, no_pairs, pair_table
from nacc.decoding.problem import Problem
from nacc.decoding.solve import as_decoded, candidates, solve, with_words

MOST_EXPANSIONS = 50_000  # reached only where `once` misleads the bounds


@dataclass(frozen=True, eq=False)
class Beginning:
    """The first words of a sequence, and the best ways to align them with the first slots.

    words:    as numbers of Pairs.
    context:  where they leave the constraints.
    room:     the weight that is left.
    silent:   (S + 1,) the best score of the first s slots when the last of them is ε, …
    running:  (S + 1,) … and when it holds the last word.
    """

    words: tuple[int, ...]
    context: int
    room: int
    silent: Values
    running: Values


Queue: TypeAlias = list[tuple[float, int, Beginning, int | None]]


@dataclass(frozen=True, eq=False)
class Search:
    """A problem with its tables; answers weigh between high - slack and high."""

    problem: Problem
    found: Candidates
    automaton: Automaton
    pairs: Pairs
    table: Values
    starting: Values
    high: int
    slack: int

    @classmethod
    def prepare(cls, problem: Problem, low: int, high: int) -> Search:
        """Fill the tables for sequences with weight in [low, high]."""
        lattice = problem.lattice
        automaton = problem.constraints.automaton(len(problem.weights))
        found = candidates(problem, automaton, high)
        high = min(high, found.heaviest)
        table = (found.values, found.weights, found.classes, found.counts, lattice.blank)
        rules = (automaton.move, automaton.accept, high, high - low, problem.merge)
        if problem.coherence is None:
            pairs = no_pairs(found)
            starting = exact.completions(found.words, *table, *rules)
        else:
            pairs = pair_table(found, problem.coherence)
            starting = coherent_table.completions(pairs.local, *table, pairs.table, *rules)
        return cls(problem, found, automaton, pairs, pairs.table, starting, high, high - low)

    def answers(self) -> Iterator[Beginning]:
        """Whole sequences, best first."""
        order = count()  # first come, first served among equals
        queue: Queue = []
        silent = np.concatenate([[0.0], np.cumsum(self.problem.lattice.blank)])
        self._push(queue, order, Beginning((), 0, self.high, silent, np.full(len(silent), -np.inf)))
        for _ in range(MOST_EXPANSIONS):
            if not queue:
                return
            _, _, beginning, word = heappop(queue)
            if word is None:
                yield beginning
            else:
                self._push(queue, order, self._extend(beginning, word))

    def _push(self, queue: Queue, order: Iterator[int], at: Beginning) -> None:
        """Queue the sequence that ends here, and all that go on, by their next word."""
        last = at.words[-1] if at.words else self.pairs.boundary
        whole = max(at.silent[-1], at.running[-1]) + self.table[last, self.pairs.boundary]
        if whole > -np.inf and self.automaton.accept[at.context] and at.room <= self.slack:
            heappush(queue, (-whole, next(order), at, None))
        bounds = _bounds(
            at.silent, at.running, last, at.context, at.room, self.pairs.local, self.found.counts,
            self.table, self.starting, self.problem.merge,
        )  # fmt: skip
        for word in np.flatnonzero(bounds > -np.inf).tolist():
            if not (word in at.words and self.pairs.members[word] in self.problem.constraints.once):
                heappush(queue, (-bounds[word], next(order), at, word))

    def _extend(self, at: Beginning, word: int) -> Beginning:
        last = at.words[-1] if at.words else self.pairs.boundary
        silent, running = _advance(
            at.silent, at.running, last, word, self.pairs.local, self.found.values,
            self.found.counts, self.problem.lattice.blank, self.table, self.problem.merge,
        )  # fmt: skip
        used = np.arange(self.pairs.local.shape[1]) < self.found.counts[:, None]
        slot, column = np.argwhere((self.pairs.local == word) & used)[0]
        context = int(self.automaton.move[at.context, self.found.classes[slot, column]])
        room = at.room - int(self.found.weights[slot, column])
        return Beginning((*at.words, word), context, room, silent, running)

    def aligned(self, answer: Beginning) -> tuple[Words, Words, float]:
        """The symbols of all slots along the best alignment, the tokens' first slots, the score."""
        columns, starts, score = _align(
            np.array(answer.words, np.int64), self.pairs.local, self.found.values,
            self.found.counts, self.problem.lattice.blank, self.table, self.problem.merge,
        )  # fmt: skip
        return with_words(self.found, columns), starts, score


def ranked(problem: Problem, low: int, high: int, n: int) -> list[Decoded]:
    """The n best distinct sequences with weight in [low, high], or fewer if there are no more.

    If there are none, those of the heaviest weight below.
    """
    best = solve(problem, [low], [high])[0]
    if best.score == -np.inf:
        return [best]
    reach = (low, high) if best.floor_met else (best.weight, best.weight)
    search = Search.prepare(problem, *reach)
    elsewhere = search.found.elsewhere
    if problem.coherence is not None:
        elsewhere = best_elsewhere(search.found, problem.lattice, search.pairs, problem.coherence)
    decoded = []
    for answer in islice(search.answers(), n):
        symbols, starts, score = search.aligned(answer)
        weight = search.high - answer.room
        proven = elsewhere <= score if best.floor_met else elsewhere == -np.inf
        decoded.append(as_decoded(problem, symbols, starts, score, weight, low, True, proven))
    return decoded


@njit(nogil=True, cache=True)
def _bounds(
    silent: Values,
    running: Values,
    last: int,
    context: int,
    room: int,
    local: Words,
    counts: Weights,
    pairs: Values,
    starting: Values,
    merge: bool,
) -> Values:
    """For every word, the score of the best sequence that goes on with it."""
    bounds = np.full(pairs.shape[0] - 1, -np.inf)
    for s in range(local.shape[0]):
        for k in range(counts[s]):
            word = local[s, k]
            ahead = silent[s] if merge and word == last else max(silent[s], running[s])
            total = ahead + pairs[last, word] + starting[s, context, k, room]
            bounds[word] = max(bounds[word], total)
    return bounds


@njit(nogil=True, cache=True)
def _advance(
    silent: Values,
    running: Values,
    last: int,
    word: int,
    local: Words,
    values: Values,
    counts: Weights,
    blank: Values,
    pairs: Values,
    merge: bool,
) -> tuple[Values, Values]:
    """The best alignments (as in Beginning) of one word more."""
    S = len(blank)
    new_silent, new_running = np.full(S + 1, -np.inf), np.full(S + 1, -np.inf)
    for s in range(S):
        new_silent[s + 1] = max(new_silent[s], new_running[s]) + blank[s]
        for k in range(counts[s]):
            if local[s, k] == word:
                ahead = silent[s] if merge and word == last else max(silent[s], running[s])
                ahead += pairs[last, word]
                if merge:
                    ahead = max(ahead, new_running[s])
                new_running[s + 1] = ahead + values[s, k]
    return new_silent, new_running


@njit(nogil=True, cache=True)
def _align(
    words: Weights,
    local: Words,
    values: Values,
    counts: Weights,
    blank: Values,
    pairs: Values,
    merge: bool,
) -> tuple[Words, Words, float]:
    S, T, boundary = len(blank), len(words), pairs.shape[0] - 1
    silent, running = np.full((T + 1, S + 1), -np.inf), np.full((T + 1, S + 1), -np.inf)
    silent[0, 0] = 0.0
    for s in range(S):
        silent[0, s + 1] = silent[0, s] + blank[s]
    last = boundary
    for t in range(T):
        silent[t + 1], running[t + 1] = _advance(
            silent[t], running[t], last, words[t], local, values, counts, blank, pairs, merge
        )
        last = words[t]
    columns, starts = np.full(S, -1, np.int32), np.zeros(T, np.int32)
    t, holding = T, running[T, S] > silent[T, S]
    for s in range(S - 1, -1, -1):
        if not holding:
            holding = running[t, s] > silent[t, s]
            continue
        for k in range(counts[s]):
            if local[s, k] == words[t - 1]:
                columns[s] = k
        t -= 1
        starts[t] = s
        if merge and running[t + 1, s] + values[s, columns[s]] == running[t + 1, s + 1]:
            t += 1  # the word began earlier
        elif merge and t > 0 and words[t - 1] == words[t]:
            holding = False
        else:
            holding = running[t, s] > silent[t, s]
    score, t, last = 0.0, 0, boundary
    for s in range(S):
        score += values[s, columns[s]] if columns[s] >= 0 else blank[s]
        if t < T and starts[t] == s:
            score += pairs[last, words[t]]
            last = words[t]
            t += 1
    return columns, starts, score + pairs[last, boundary]
