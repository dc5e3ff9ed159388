"""The linked decoder: the best path from slot to slot, and what is to be expected.

A path begins in a slot, follows links and ends; every slot it passes says one word, never the same
twice in a row. Its score is its log-probability, plus what `Expected` adds. What is rarer than
RARE (a slot that paths pass, a candidate, a link) is not considered, unless nothing else has the
weight or the words that are asked for: `exact` is about what was considered, `optimal` about
everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nacc.decoding.candidates import usable
from nacc.decoding.constraints import MOST_MARKED, Constraints
from nacc.decoding.decoded import Decoded
from nacc.decoding.kernels.arrays import Automaton, Flags, Path, Values, Weights, Words
from nacc.decoding.problem import DecodingProblem
from nacc.decoding.relaxation import Relaxing, one_place
from nacc.errors import InvalidInput
from nacc.lattice import NO_WORD

if TYPE_CHECKING:
    from nacc.decoding.kernels.linked import Graph
    from nacc.decoding.kernels.linked_table import Rules

RARE = 1e-3
MOST_CELLS = 2**26  # of a table: candidates × contexts × weights
MOST_BEGINNINGS = 1_000  # of answers that a search looks at: more only where `once` misleads it,
BEGINNINGS_EACH = 40  # and so many for each answer it is to find
MOST_EXPANSIONS = 50_000
CELLS_TO_MARK = 2**20  # tables that remember repeated words are no larger than this


_NOTHING = np.empty(0, np.int64)


class Parts(NamedTuple):
    """A problem as the kernels read it, the word ids that their numbers stand for, and how heavy
    an answer can be."""

    graph: Graph
    rules: Rules
    members: Words
    high: int


class Linked(Relaxing):
    name = "linked"
    what = "the best path over linked slots, and what is to be expected"
    needs = frozenset({"links"})
    ranks = True
    most_barred = 2

    def best(
        self,
        problem: DecodingProblem,
        automaton: Automaton,
        lows: Sequence[int],
        highs: Sequence[int],
    ) -> list[Decoded] | None:
        answers = _best(problem, automaton, lows, highs, RARE)
        short = [i for i, one in enumerate(answers) if not one.floor_met or one.score == -np.inf]
        if short:
            limits = [lows[i] for i in short], [highs[i] for i in short]
            for i, one in zip(short, _best(problem, automaton, *limits, 0.0), strict=True):
                answers[i] = one
        if problem.constraints.wanted and any(one.score == -np.inf for one in answers):
            return None
        return answers

    def smallest(self, problem: DecodingProblem, automaton: Automaton, above: int) -> int | None:
        width = max(problem.lattice.words.size * len(automaton.accept), 1)
        _, totals = _table(_parts(problem, automaton, MOST_CELLS // width - 1, 0.0), 0)
        fitting = np.flatnonzero(totals[above + 1 :] > -np.inf)
        return int(fitting[0]) + above + 1 if len(fitting) else None

    def most_marked(self, problem: DecodingProblem, high: int) -> int:
        heaviest = int(problem.weights.max(initial=0)) * problem.lattice.slots
        cells = problem.lattice.words.size * (min(high, heaviest) + 1)
        return min(MOST_MARKED, int(np.log2(max(CELLS_TO_MARK / max(cells, 1), 1))))

    def solve(
        self, problem: DecodingProblem, lows: Sequence[int], highs: Sequence[int]
    ) -> list[Decoded]:
        if len(highs) == 1:
            answers, _ = _ranked(problem, (), (lows[0], highs[0]), lows[0], 1)
            if answers:
                return answers
        if not highs:
            return []
        found = self.relaxed(problem, lows, highs)
        return found.answers if found.problem is problem else _told_anew(problem, found.answers)

    def rank(self, problem: DecodingProblem, low: int, high: int, n: int) -> list[Decoded]:
        """As many as can be proven; then, where words that may come but once mislead the search,
        the best with fewer slots for them."""
        now, reach = problem, (low, high)
        single: tuple[int, ...] = ()
        answers, complete = _ranked(now, single, reach, low, n)
        if not answers:
            (best,), single, now = self.relaxed(problem, [low], [high])
            if best.score == -np.inf:
                return [best]
            reach = reach if best.floor_met else (best.weight, best.weight)
            answers, complete = _ranked(now, single, reach, low, n)
            answers = answers or [best]
        if complete and now is problem:
            return answers
        proven, others = (answers, []) if now is problem else ([], answers)
        if not complete:
            free = problem.constraints.once.difference(single, *problem.constraints.wanted)
            simpler = replace(now, lattice=one_place(now.lattice, free))
            others = [*others, *_ranked(simpler, single, reach, low, n)[0]]
        known = {one.tokens for one in proven}
        new = {one.tokens: one for one in others if one.tokens not in known}
        told = _told_anew(problem, list(new.values()))
        return (proven + sorted(told, key=lambda one: -one.score))[:n]


def _best(
    problem: DecodingProblem,
    automaton: Automaton,
    lows: Sequence[int],
    highs: Sequence[int],
    rare: float,
) -> list[Decoded]:
    """The best answers over what is not rarer than `rare`."""
    from nacc.decoding.kernels.linked_table import follow
    from nacc.decoding.kernels.paths import pick

    parts = _parts(problem, automaton, max(highs), rare)
    after, totals = _table(parts, 0)
    answers = []
    for low, high in zip(lows, highs, strict=True):
        weight = pick(totals, low, high)
        path = follow(*parts[:2], after, weight, 0) if weight >= 0 else _NOTHING
        answers.append(_answer(problem, parts, path, low))
    return answers


def _ranked(
    problem: DecodingProblem, single: tuple[int, ...], reach: tuple[int, int], low: int, n: int
) -> tuple[list[Decoded], bool]:
    """The n best answers with a weight within reach, and whether the search came to its end."""
    from nacc.decoding.kernels.linked_search import n_best
    from nacc.decoding.kernels.linked_table import follow

    least, most = reach
    automaton = problem.constraints.automaton(len(problem.weights), single, endings=False)
    for rare in (RARE, 0.0) if least >= low else (0.0,):
        parts = _parts(problem, automaton, most, rare)
        if parts.high < least:
            continue
        slack = parts.high - least
        after, totals = _table(parts, slack)
        if totals[parts.high] == -np.inf:
            continue
        if n == 1:
            path = follow(*parts[:2], after, parts.high, slack)
            words = parts.graph.number[path]
            if len(set(words[parts.rules.once[words]])) == parts.rules.once[words].sum():
                return [_answer(problem, parts, path, low)], True
        begun = min(MOST_BEGINNINGS + BEGINNINGS_EACH * n, MOST_EXPANSIONS)
        paths, lengths, complete = n_best(*parts[:2], after, slack, n, begun)
        if len(lengths) or not complete:
            pairs = zip(paths, lengths.tolist(), strict=False)
            found = [_answer(problem, parts, path[:length], low) for path, length in pairs]
            return found, complete
    return [], True


def _parts(problem: DecodingProblem, automaton: Automaton, high: int, rare: float) -> Parts:
    """What is not rarer than `rare`, and weighs no more than `high`."""
    from nacc.decoding.kernels.linked import linked_graph, wrong_link
    from nacc.decoding.kernels.linked_table import Rules

    lattice, constraints, expected = problem.lattice, problem.constraints, problem.expected
    assert lattice.links is not None, "a problem for this decoder has them"
    i, j = wrong_link(lattice.links)
    if i >= 0:
        raise InvalidInput(f"Lattice.links[{i}, {j}] is {lattice.links[i, j]}")
    found = usable(problem, automaton.classes, high)
    worth = (expected.words, expected.pairs) if expected else (0.0, 0.0)
    graph = linked_graph(found, lattice.links, lattice.rest, *worth, rare)
    rules = Rules(
        automaton.classes[found.members].astype(np.int16),
        automaton.move,
        automaton.accept,
        ~_among(constraints.no_dangling, found.members, len(problem.weights)),
        _among(constraints.once, found.members, len(problem.weights)),
    )
    return Parts(graph, rules, found.members, min(high, graph.heaviest))


def _table(parts: Parts, slack: int) -> tuple[Values, Values]:
    """How well a path can go on after each candidate, unless that is a table beyond reason."""
    from nacc.decoding.kernels.linked_table import linked_table

    graph, rules, _, high = parts
    cells = len(graph.number) * len(rules.accept) * (high + 1)
    if cells > MOST_CELLS:
        raise InvalidInput(
            f"{len(graph.holds)} slots and weights up to {high} need a table of {cells} cells; at "
            f"most {MOST_CELLS} are allowed: weigh words in coarser units"
        )
    return linked_table(graph, rules, high, slack)


def _among(words: frozenset[int], members: Words, vocabulary: int) -> Flags:
    """Which of the members are among some words."""
    flags = np.zeros(vocabulary, np.bool_)
    flags[list(words)] = True
    return flags[members]


def _answer(problem: DecodingProblem, parts: Parts, path: Weights, low: int) -> Decoded:
    """A path of candidates as the caller gets it."""
    from nacc.decoding.kernels.linked_search import worth

    graph = parts.graph
    symbols = np.full(problem.lattice.slots, NO_WORD, np.int32)
    if not len(path):
        nothing = Path(symbols, symbols, 0, -np.inf, 0)
        return problem.answer(nothing, low, -np.inf, graph.elsewhere)
    starts = graph.slot[path].astype(np.int32)
    symbols[starts] = parts.members[graph.number[path]]
    score, all_paths, expected = worth(graph, path)
    found = Path(symbols, starts, len(path), score, int(graph.weight[path].sum()))
    return problem.answer(found, low, -np.inf, graph.elsewhere, all_paths, expected)


def _told_anew(problem: DecodingProblem, answers: Sequence[Decoded]) -> list[Decoded]:
    """Answers to a problem with less to choose from, as they count in this one; no proof holds."""
    from nacc.decoding.kernels.linked_search import worth

    if not answers:
        return []
    free = Constraints().automaton(len(problem.weights))
    heaviest = max(one.weight for one in answers)  # other words are in none of their paths
    graph, _, members, _ = _parts(problem, free, heaviest, 0.0)
    told = []
    for one in answers:
        path = [
            next(
                i
                for i in range(graph.first[slot], graph.first[slot + 1])
                if members[graph.number[i]] == word
            )
            for slot, word in zip(one.starts, one.tokens, strict=True)
        ]
        score, all_paths, expected = worth(graph, np.array(path, np.int64))
        worse = replace(one, exact=False, optimal=False)
        told.append(replace(worse, score=score, all_paths=all_paths, expected=expected))
    return told
