"""The n best distinct word sequences within a budget.

Best-first search over beginnings of sequences. A beginning's bound is the score of the best
sequence that starts so, which the decoders' tables give exactly; so the search goes straight to
the answers, and alignments of one sequence never compete with one another. Only `once` makes the
bounds too high here and there, and the search correspondingly longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count, islice
from typing import TypeAlias

import numpy as np

from nacc.deadline import check
from nacc.decoding.candidates import for_a_table, usable
from nacc.decoding.decoded import Decoded
from nacc.decoding.kernels.arrays import Automaton, Candidates, Path, Values
from nacc.decoding.kernels.ranking import advance, align, bounds_by_word
from nacc.decoding.problem import DecodingProblem
from nacc.decoding.relaxation import Completions, RuleKeeper

MOST_EXPANSIONS = 1_000  # reached only where `once` misleads the bounds
MOST_STEPS = 2**26  # of a table: candidates × contexts × weights × words


@dataclass(frozen=True, eq=False)
class Beginning:
    """The first words of a sequence, and the best ways to align them with the first slots.

    words:    as numbers of Candidates.
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
class Ranking:
    """A problem with its tables; answers weigh between high - slack and high."""

    problem: DecodingProblem
    found: Candidates
    automaton: Automaton
    ahead: Completions
    high: int
    slack: int

    @classmethod
    def prepare(cls, decoder: RuleKeeper, problem: DecodingProblem, low: int, high: int) -> Ranking:
        """Fill the tables for sequences with weight in [low, high]."""
        automaton = problem.constraints.automaton(len(problem.weights))
        found = for_a_table(problem, automaton, high)
        high = min(high, found.heaviest)
        ahead = decoder.completions(problem, found, automaton, high, high - low)
        return cls(problem, found, automaton, ahead, high, high - low)

    def answers(self) -> Iterator[Beginning]:
        """Whole sequences, best first."""
        order = count()  # first come, first served among equals
        queue: Queue = []
        silent = np.concatenate([[0.0], np.cumsum(self.found.blank)])
        self._push(queue, order, Beginning((), 0, self.high, silent, np.full(len(silent), -np.inf)))
        for _ in range(MOST_EXPANSIONS):
            check()
            if not queue:
                return
            _, _, beginning, word = heappop(queue)
            if word is None:
                yield beginning
            else:
                self._push(queue, order, self._extend(beginning, word))

    def _push(self, queue: Queue, order: Iterator[int], at: Beginning) -> None:
        """Queue the sequence that ends here, and all that go on, by their next word."""
        found, (starting, pair_values, _) = self.found, self.ahead
        boundary = len(found.members)
        last = at.words[-1] if at.words else boundary
        whole = max(at.silent[-1], at.running[-1]) + pair_values[last, boundary]
        if whole > -np.inf and self.automaton.accept[at.context] and at.room <= self.slack:
            heappush(queue, (-whole, next(order), at, None))
        bounds = bounds_by_word(
            at.silent, at.running, last, at.context, at.room, found, pair_values, starting
        )
        for word in np.flatnonzero(bounds > -np.inf).tolist():
            if not (word in at.words and found.members[word] in self.problem.constraints.once):
                heappush(queue, (-bounds[word], next(order), at, word))

    def _extend(self, at: Beginning, word: int) -> Beginning:
        found = self.found
        last = at.words[-1] if at.words else len(found.members)
        silent, running = advance(at.silent, at.running, last, word, found, self.ahead.pair_values)
        used = np.arange(found.numbers.shape[1]) < found.counts[:, None]
        slot, column = np.argwhere((found.numbers == word) & used)[0]
        context = int(self.automaton.move[at.context, found.classes[slot, column]])
        room = at.room - int(found.weights[slot, column])
        return Beginning((*at.words, word), context, room, silent, running)

    def aligned(self, answer: Beginning) -> Path:
        """The best path that says these words."""
        path = align(np.array(answer.words, np.int64), self.found, self.ahead.pair_values)
        return path._replace(weight=self.high - answer.room)


def ranked(
    decoder: RuleKeeper, problem: DecodingProblem, low: int, high: int, n: int
) -> list[Decoded]:
    """The n best distinct sequences with weight in [low, high], or fewer if there are no more.

    If there are none, those of the heaviest weight below.
    """
    best = decoder.solve(problem, [low], [high])[0]
    if best.score == -np.inf:
        return [best]
    reach = (low, high) if best.floor_met else (best.weight, best.weight)
    unit = _unit(problem, high)
    if unit > 1:  # rounded up, so that what fits there fits here
        coarse = replace(problem, weights=-(-problem.weights // unit))
        ranking = Ranking.prepare(decoder, coarse, reach[0] // unit, reach[1] // unit)
    else:
        ranking = Ranking.prepare(decoder, problem, *reach)
    missed = np.inf if unit > 1 else -np.inf
    answers = []
    for found in islice(ranking.answers(), n):
        path = ranking.aligned(found)
        words = path.symbols[path.starts[: path.emitted]]
        path = path._replace(weight=int(problem.weights[words].sum()))
        answers.append(problem.answer(path, low, missed, max(missed, ranking.ahead.elsewhere)))
    return answers or [best]


def _unit(problem: DecodingProblem, high: int) -> int:
    """How many weights to count as one, so that the table is not too large."""
    automaton = problem.constraints.automaton(len(problem.weights))
    found = usable(problem, automaton.classes, high)
    steps = problem.lattice.words.size * len(automaton.accept) * (found.heaviest + 1)
    return max(1, -(-steps * max(len(found.members), 1) // MOST_STEPS))
