"""The linked decoder: the best path from slot to slot, and what is to be expected.

A path begins in a slot, follows links and ends; every slot it passes says one word, never the same
twice in a row. Its score is its log-probability, plus what `Expected` adds. What is rarer than
RARE (a slot that paths pass, a candidate, a link) is not considered, unless nothing else has the
weight or the words that are asked for: `exact` is about what was considered, `optimal` about
everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from nacc.decoding.candidates import UNLIMITED
from nacc.decoding.decoded import Decoded
from nacc.decoding.kernels.arrays import Automaton, Values, Weights
from nacc.decoding.linked_parts import (
    LIGHT,
    Lead,
    Parts,
    answer,
    answers,
    leads,
    parts_of,
    table,
    told_anew,
)
from nacc.decoding.problem import DecodingProblem
from nacc.decoding.relaxation import Relaxing, one_place
from nacc.effort import left, spend
from nacc.errors import Untrusted

RARE = 1e-3
MOST_BEGINNINGS = 1_000  # of answers that a search looks at: more only where `once` misleads it,
BEGINNINGS_EACH = 40  # and so many for each answer it is to find,
MOST_SEARCHED = 2**24  # but never more than take so many steps,
STEPS = 4  # these for each candidate and link of the graph, as long as so many of a table

_NOTHING = np.empty(0, np.int64)


class Found(NamedTuple):
    """Answers, best first, and whether the search for them came to its end; if it found none
    before, the heaviest that it came across; and whether its table was light."""

    answers: list[Decoded]
    complete: bool = True
    resort: Decoded | None = None
    light: bool = True


class Linked(Relaxing):
    name = "linked"
    what = "the best path over linked slots, and what is to be expected"
    needs = frozenset({"links"})
    ranks = True

    def best(
        self,
        problem: DecodingProblem,
        automaton: Automaton,
        lows: Sequence[int],
        highs: Sequence[int],
    ) -> list[Decoded] | None:
        answers, few = _best(problem, automaton, lows, highs, RARE)
        short = [
            i
            for i, one in enumerate(answers)
            if one.score == -np.inf or not (one.floor_met or few)  # more to say, even fewer words
        ]
        if short:
            limits = [lows[i] for i in short], [highs[i] for i in short]
            others, _ = _best(problem, automaton, *limits, 0.0)
            for i, one in zip(short, others, strict=True):
                answers[i] = one
        if problem.constraints.wanted and any(one.score == -np.inf for one in answers):
            return None
        return answers

    def smallest(self, problem: DecodingProblem, automaton: Automaton, above: int) -> int | None:
        parts = parts_of(problem, automaton, UNLIMITED, 0.0)
        above //= parts.unit
        _, totals = table(parts, 0)
        fitting = np.flatnonzero(totals[above + 1 :] > -np.inf)
        if len(fitting):
            return (int(fitting[0]) + above + 1) * parts.unit
        unseen = parts.high < parts.graph.heaviest
        return parts.graph.heaviest * parts.unit if unseen else None

    def solve(
        self, problem: DecodingProblem, lows: Sequence[int], highs: Sequence[int]
    ) -> list[Decoded]:
        if len(highs) == 1:
            first = _ranked(problem, (), (lows[0], highs[0]), lows[0], 1)
            if first.answers:
                return first.answers
            light = first.light
        else:
            light = not highs or _is_light(problem, max(highs))
        if not light:
            limits = zip(lows, highs, strict=True)
            return [self.rank(problem, low, high, 1)[0] for low, high in limits]
        if not highs:
            return []
        found = self.relaxed(problem, lows, highs)
        return found.answers if found.problem is problem else told_anew(problem, found.answers)

    def rank(self, problem: DecodingProblem, low: int, high: int, n: int) -> list[Decoded]:
        """As many as can be proven; then, where words that may come but once mislead the search,
        the best with fewer slots for them."""
        now, reach = problem, (low, high)
        single: tuple[int, ...] = ()
        found = _ranked(now, single, reach, low, n)
        if not found.answers and found.light:
            (best,), single, now = self.relaxed(problem, [low], [high])
            if best.score == -np.inf:
                return [best]
            reach = reach if best.floor_met else (best.weight, best.weight)
            found = _ranked(now, single, reach, low, n)
            found = found._replace(answers=found.answers or [best])
        elif not found.answers and found.complete:  # nothing is so heavy: anything, then
            reach = (0, high)
            found = _ranked(now, single, reach, low, n)
        if found.complete and now is problem:
            return found.answers or self._roughly(problem, low, high)
        proven, others = (found.answers, []) if now is problem else ([], found.answers)
        if not found.complete:
            free = problem.constraints.once.difference(single, *problem.constraints.wanted)
            simpler = replace(now, lattice=one_place(now.lattice, free))
            try:
                more = _ranked(simpler, single, reach, low, n)
            except Untrusted:  # no steps are left for more than was found
                if not found.answers:
                    raise
                more = Found([])
            last = [one for one in (found.resort, more.resort) if one and not found.answers]
            others = [*others, *(more.answers or last)]
        known = {one.tokens for one in proven}
        new = {one.tokens: one for one in others if one.tokens not in known}
        told = told_anew(problem, list(new.values()))
        best_first = proven + sorted(told, key=lambda one: -one.score)
        return best_first[:n] or self._roughly(problem, low, high)

    def _roughly(self, problem: DecodingProblem, low: int, high: int) -> list[Decoded]:
        """The best answer by a table that knows all rules, and may have to weigh roughly."""
        found = self.relaxed(replace(problem, tries=0), [low], [high])
        return told_anew(problem, [one for one in found.answers if one.tokens]) or found.answers


def leading(problem: DecodingProblem, low: int, high: int, counts: Sequence[int]) -> Iterator[Lead]:
    """The first of `rank`'s answers, as the search comes to them: each is proven to be the next
    best. Ends where words that may come but once mislead it, or nothing that is not rare is so
    heavy.

    counts: how many are looked for, and how many then, where those are not enough.
    """
    parts, slack, after = _filled(problem, (), (low, high), RARE)
    if after is None or not parts.is_light:
        return
    told = 0
    for n in counts:
        paths, lengths, *_ = _search(parts, slack, after, n)
        yield from leads(parts, paths[told : len(lengths)], lengths[told:])
        told = len(lengths)
        if told < n:
            return


def _is_light(problem: DecodingProblem, high: int) -> bool:
    automaton = problem.constraints.automaton(len(problem.weights), (), endings=False)
    return parts_of(problem, automaton, high, RARE).steps <= LIGHT


def _best(
    problem: DecodingProblem,
    automaton: Automaton,
    lows: Sequence[int],
    highs: Sequence[int],
    rare: float,
) -> tuple[list[Decoded], bool]:
    """The best answers over what is not rarer than `rare`, and whether the table has room for few
    words only."""
    from nacc.decoding.kernels.linked_table import follow
    from nacc.decoding.kernels.paths import pick

    parts = parts_of(problem, automaton, max(highs), rare, whole=True)
    after, totals = table(parts, 0)
    answers = []
    for low, high in zip(lows, highs, strict=True):
        weight = pick(totals, -(-low // parts.unit), high // parts.unit)
        path = follow(parts.graph, parts.rules, after, weight, 0) if weight >= 0 else _NOTHING
        answers.append(answer(problem, parts, path, low))
    return answers, parts.high < min(max(highs) // parts.unit, parts.graph.heaviest)


def _filled(
    problem: DecodingProblem, single: tuple[int, ...], reach: tuple[int, int], rare: float
) -> tuple[Parts, int, Values | None]:
    """A problem's parts; by how much an answer may be lighter than the heaviest; and the table of
    how well a path can go on, None if no path has a weight within reach."""
    known = problem.tables.get((single, reach, rare))
    if known is None:
        automaton = problem.constraints.automaton(len(problem.weights), single, endings=False)
        parts = parts_of(problem, automaton, reach[1], rare)
        slack = parts.high - -(-reach[0] // parts.unit)
        after, totals = table(parts, slack) if slack >= 0 else (None, None)
        possible = totals is not None and totals[parts.high] > -np.inf
        known = problem.tables[single, reach, rare] = parts, slack, after if possible else None
    found: tuple[Parts, int, Values | None] = known
    return found


def _ranked(
    problem: DecodingProblem, single: tuple[int, ...], reach: tuple[int, int], low: int, n: int
) -> Found:
    """The n best answers with a weight within reach."""
    from nacc.decoding.kernels.linked_table import follow

    light = True
    for rare in (RARE, 0.0) if reach[0] >= low else (0.0,):
        parts, slack, after = _filled(problem, single, reach, rare)
        graph, rules, light = parts.graph, parts.rules, parts.is_light
        if after is None:
            continue
        if n == 1 and parts.is_whole:
            path = follow(graph, rules, after, parts.high, slack)
            words = graph.number[path]
            if len(set(words[rules.once[words]])) == rules.once[words].sum():
                return Found([answer(problem, parts, path, low)])
        paths, lengths, complete, resort = _search(parts, slack, after, n)
        if len(lengths) or not complete:
            found = answers(problem, parts, paths, lengths, low)
            last = answer(problem, parts, resort, low) if len(resort) else None
            return Found(found, complete, last, light)
    return Found([], light=light)


def _search(
    parts: Parts, slack: int, after: Values, n: int
) -> tuple[Weights, Weights, bool, Weights]:
    """What kernels.linked_search.n_best finds, in as many steps as it is worth."""
    from nacc.decoding.kernels.linked_search import n_best

    graph = parts.graph
    each = STEPS * (len(graph.to) + len(graph.number) + len(graph.said))
    able = int(min(MOST_SEARCHED, left())) // each
    most = min(MOST_BEGINNINGS + BEGINNINGS_EACH * n, max(2, able))
    paths, lengths, complete, resort, looked = n_best(
        graph, parts.rules, after, parts.stands, slack, min(n, most), most
    )
    spend(looked * each)
    return paths, lengths, complete, resort
