"""Keeping the rules about words: what all decoders that do so share.

`no_dangling` and `once` are met by relaxation: decode without them; if the answer ends on a word
it may not end on, let the automaton watch endings; if a word came twice, let it remember that
word; and decode again. Each round is exact for a looser problem, so the first answer that keeps
the rules is the best one. Words beyond what the automaton can remember are kept from slots
instead, which is still sure but no longer proven best.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from nacc.deadline import check
from nacc.decoding.candidates import MOST_CELLS, usable
from nacc.decoding.constraints import MOST_MARKED, Constraints
from nacc.decoding.decoded import Decoded
from nacc.decoding.kernels.arrays import Automaton, Candidates, Values
from nacc.decoding.problem import DecodingProblem
from nacc.decoding.registry import Decoder
from nacc.errors import BudgetTooSmall, NaccError, Unsayable
from nacc.lattice import Lattice


class Completions(NamedTuple):
    """How well any beginning of a word sequence can go on: what ranking needs of a decoder.

    starting:    (S, C, K, X) the best way to fill slots s.. beginning with a *new* word k, out of
                 context c, within the limits of weight x; the pair that k ends is not counted.
    pair_values: (M + 1, M + 1) what a word and the next are worth; M is the boundary.
    elsewhere:   no path with a word that is not among the candidates scores higher than this.
    """

    starting: Values
    pair_values: Values
    elsewhere: float


class Relaxed(NamedTuple):
    """Answers that keep the rules, and how they came to: the words that the automaton had to
    remember, and the problem, less the words that had to be kept from slots."""

    answers: list[Decoded]
    single: tuple[int, ...]
    problem: DecodingProblem


class Relaxing(Decoder):
    """A decoder that finds the best path under an automaton: so it keeps all rules.

    most_barred: how many times a word is kept from slots; after that, no word that may come but
        once has more than one slot, which ends it.
    cells_to_mark: tables that remember repeated words are no larger than this.
    """

    keeps_rules = True
    most_barred: int = 2
    cells_to_mark: int = 2**20

    @abstractmethod
    def best(
        self,
        problem: DecodingProblem,
        automaton: Automaton,
        lows: Sequence[int],
        highs: Sequence[int],
    ) -> list[Decoded] | None:
        """The best answers under an automaton, or None if required words cannot be had."""

    @abstractmethod
    def smallest(self, problem: DecodingProblem, automaton: Automaton, above: int) -> int | None:
        """The smallest budget above one that did not do, that would; None if none would."""

    def most_marked(self, problem: DecodingProblem, high: int) -> int:
        """How many words the automaton may remember."""
        heaviest = int(problem.weights.max(initial=0)) * problem.lattice.slots
        cells = problem.lattice.words.size * (min(high, heaviest) + 1)
        return min(MOST_MARKED, int(np.log2(max(self.cells_to_mark / max(cells, 1), 1))))

    def solve(
        self, problem: DecodingProblem, lows: Sequence[int], highs: Sequence[int]
    ) -> list[Decoded]:
        return self.relaxed(problem, lows, highs).answers if highs else []

    def relaxed(
        self, problem: DecodingProblem, lows: Sequence[int], highs: Sequence[int]
    ) -> Relaxed:
        """The best answers that keep all rules."""
        constraints, vocabulary = problem.constraints, len(problem.weights)
        single: tuple[int, ...] = ()
        endings, barred = False, 0
        while True:
            check()
            automaton = constraints.automaton(vocabulary, single, endings=endings)
            answers = self.best(problem, automaton, lows, highs)
            if answers is None:
                strict = constraints.automaton(vocabulary, single)
                raise _impossible(self, problem, strict, max(highs))
            ends_well = not any(_dangles(constraints, answer) for answer in answers)
            repeat = next((found for one in answers for found in _twice(constraints, one)), None)
            if ends_well and repeat is None:
                if barred:
                    answers = [replace(one, exact=False, optimal=False) for one in answers]
                return Relaxed(answers, single, problem)
            endings = endings or not ends_well
            if repeat is None:
                continue
            word, slot = repeat
            if len(constraints.marked((*single, word))) <= self.most_marked(problem, max(highs)):
                single = (*single, word)
                continue
            if barred < self.most_barred:
                lattice = _bar(problem.lattice, word, slot)
            else:
                needed = constraints.once.intersection(chain(*constraints.wanted))
                single = tuple(dict.fromkeys((*single, *needed)))
                lattice = one_place(problem.lattice, constraints.once.difference(single))
            problem, barred = replace(problem, lattice=lattice), barred + 1


class RuleKeeper(Relaxing):
    """One that also knows how well any beginning of an answer can go on: so it ranks."""

    ranks = True

    @abstractmethod
    def completions(
        self,
        problem: DecodingProblem,
        found: Candidates,
        automaton: Automaton,
        high: int,
        slack: int,
    ) -> Completions:
        """For sequences that weigh between high - slack and high."""

    def smallest(self, problem: DecodingProblem, automaton: Automaton, above: int) -> int | None:
        from nacc.decoding.kernels.exact import exact_paths

        limit = MOST_CELLS // (problem.lattice.words.size * len(automaton.accept)) - 1
        found = usable(problem, automaton.classes, limit)
        highs = np.arange(above + 1, found.heaviest + 1)
        reached = exact_paths(found, automaton, np.zeros_like(highs), highs).reached
        return int(highs[reached.argmax()]) if reached.any() else None

    def rank(self, problem: DecodingProblem, low: int, high: int, n: int) -> list[Decoded]:
        from nacc.decoding.ranking import ranked

        return ranked(self, problem, low, high, n)


def _dangles(constraints: Constraints, answer: Decoded) -> bool:
    return bool(answer.tokens) and answer.tokens[-1] in constraints.no_dangling


def _twice(constraints: Constraints, answer: Decoded) -> Iterator[tuple[int, int]]:
    """The words that may come once and came again, with the slot where they did."""
    if constraints.once:
        seen = set()
        for word, slot in zip(answer.tokens, answer.starts, strict=True):
            if word in seen and word in constraints.once:
                yield word, slot
            seen.add(word)


def _bar(lattice: Lattice, word: int, slot: int) -> Lattice:
    """The lattice without a word, from a slot on."""
    values = lattice.values.copy()
    values[slot:][lattice.words[slot:] == word] = -np.inf
    return replace(lattice, values=values)


def one_place(lattice: Lattice, words: frozenset[int]) -> Lattice:
    """The lattice with each of some words only in the slot where it is likeliest."""
    values = lattice.values.copy()
    for word in words:
        here = np.where(lattice.words == word, values, -np.inf)
        if here.size:
            best = np.unravel_index(here.argmax(), here.shape)
            values[lattice.words == word] = -np.inf
            values[best] = here[best]
    return replace(lattice, values=values)


def _impossible(
    decoder: Relaxing, problem: DecodingProblem, automaton: Automaton, high: int
) -> NaccError:
    """Why the required words cannot be had, and which budget would do."""
    constraints, lattice = problem.constraints, problem.lattice
    required = list(dict.fromkeys(chain(*constraints.wanted)))
    possible = lattice.words[lattice.values > -np.inf]
    missing = [word for word in required if word not in possible]
    if missing:
        return Unsayable(f"required words {missing} are candidates in no slot")
    smallest = decoder.smallest(problem, automaton, high)
    if smallest is None:
        return Unsayable(f"no path through the lattice has all required words {required}")
    if constraints.once and problem.tries:
        try:
            decoder.solve(replace(problem, tries=problem.tries - 1), [0], [smallest])
        except BudgetTooSmall as error:  # more room for another way, without the repeats
            smallest = int(error.smallest or smallest)
        except Unsayable as error:
            return error
    return BudgetTooSmall(
        f"required words {required} do not fit a budget of {high}; {smallest} would do",
        smallest,
    )
