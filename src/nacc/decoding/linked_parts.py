"""A problem of linked slots as the kernels read it, made small enough for them; and their answers.

A table takes contexts × weights × (candidates, links and links of pairs) steps, which is known
before it is filled. Where that is too much, an order to keep is left to the search, which then goes
by bounds that do not know it; and where it still is, words are weighed in coarser units: rounded
up, and the room down. Since a word then weighs one at least, what has very many contexts expects no
pairs, and gets answers of few words. They fit and keep the rules all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nacc.decoding.candidates import usable
from nacc.decoding.constraints import Constraints
from nacc.decoding.decoded import Decoded
from nacc.decoding.kernels.arrays import Automaton, Flags, Path, Values, Weights, Words
from nacc.decoding.problem import DecodingProblem
from nacc.effort import spend
from nacc.errors import InvalidInput
from nacc.lattice import NO_WORD

if TYPE_CHECKING:
    from nacc.decoding.kernels.linked import Graph
    from nacc.decoding.kernels.linked_table import Rules

MOST_STEPS = 2**25  # of a table: some 40 ms
LIGHT = 2**23  # of one that may be filled round after round
MOST_CELLS = 2**22  # that a table holds: 32 MB
NARROW = 24  # a table of few weights takes as long as if it had so many more
FEWEST_WORDS = 6  # that a table has room for, however many steps each takes


class Parts(NamedTuple):
    """A problem as the kernels read it.

    members: the word ids that numbers of the graph stand for.
    looser:  the rules that the table knows, and stands: which of their contexts each context of
             `rules` is to them.
    unit:    how many weights are one of the graph's; high: how heavy an answer can be, in those;
             less than the graph's heaviest path, where that would take too long.
    steps:   what a table takes.
    is_whole: the table knows all rules, and weights as they are.
    """

    graph: Graph
    rules: Rules
    members: Words
    looser: Rules
    stands: NDArray[np.int16]
    unit: int
    high: int
    steps: int
    is_whole: bool

    @property
    def is_light(self) -> bool:
        """Whether it is whole, and takes few steps."""
        return self.steps <= LIGHT and self.is_whole


def parts_of(
    problem: DecodingProblem, automaton: Automaton, high: int, rare: float, *, whole: bool = False
) -> Parts:
    """What is not rarer than `rare`, and weighs no more than `high`; whole: the table is to know
    all rules."""
    from nacc.decoding.kernels.linked import coarser, linked_graph, steps, wrong_link

    lattice, constraints, expected = problem.lattice, problem.constraints, problem.expected
    assert lattice.links is not None, "a problem for this decoder has them"
    i, j = wrong_link(lattice.links)
    if i >= 0:
        raise InvalidInput(f"Lattice.links[{i}, {j}] is {lattice.links[i, j]}")
    found = usable(problem, automaton.classes, high)
    worth = (expected.words, expected.pairs) if expected else (0.0, 0.0)
    graph = linked_graph(found, lattice.links, lattice.rest, *worth, rare)
    rules = looser = _rules(problem, automaton, found.members)
    stands = np.arange(len(automaton.accept), dtype=np.int16)
    each, cells = steps(graph), len(graph.number) + 3 * len(graph.holds)
    most = min(high, graph.heaviest)
    ordered = constraints.in_order is not None and not whole
    if ordered and _share(len(stands), most, each, cells) > 1:
        loose, stands = constraints.without_order(automaton)
        looser = _rules(problem, loose, found.members)
    contexts = len(looser.accept)
    if graph.pairs and _share(contexts, FEWEST_WORDS, each, cells) > 1:
        graph = graph._replace(pairs=0.0)
        each = steps(graph)
    heaviest_word = int(graph.weight.max(initial=1))  # nothing is gained beyond that
    unit = min(heaviest_word, _share(contexts, most, each, cells))
    if unit > 1:
        graph = coarser(graph, unit)
        wanted = sum(map(len, constraints.wanted))
        room = max(MOST_STEPS // (contexts * each), FEWEST_WORDS, 2 * wanted)
        most = min(high // unit, graph.heaviest, room)
    work = contexts * (most + 1) * each
    is_whole = looser is rules and unit == 1
    return Parts(graph, rules, found.members, looser, stands, unit, most, work, is_whole)


def _share(contexts: int, high: int, each: int, cells: int) -> int:
    """How many times too large a table is; 1 if it is not."""
    times = contexts * (high + 1)
    return max(1, -(-times * each // MOST_STEPS), -(-times * cells // MOST_CELLS))


def _rules(problem: DecodingProblem, automaton: Automaton, members: Words) -> Rules:
    from nacc.decoding.kernels.linked_table import Rules

    constraints, vocabulary = problem.constraints, len(problem.weights)
    return Rules(
        automaton.classes[members].astype(np.int16),
        automaton.move,
        automaton.accept,
        ~_among(constraints.no_dangling, members, vocabulary),
        _among(constraints.once, members, vocabulary),
    )


def _among(words: frozenset[int], members: Words, vocabulary: int) -> Flags:
    """Which of the members are among some words."""
    flags = np.zeros(vocabulary, np.bool_)
    flags[list(words)] = True
    return flags[members]


def table(parts: Parts, slack: int) -> tuple[Values, Values]:
    """How well a path can go on after each candidate, and the best path of every weight."""
    from nacc.decoding.kernels.linked_table import linked_table

    spend(parts.steps + parts.steps // (parts.high + 1) * NARROW)
    return linked_table(parts.graph, parts.looser, parts.high, slack)


def answer(problem: DecodingProblem, parts: Parts, path: Weights, low: int) -> Decoded:
    """A path of candidates as the caller gets it."""
    if len(path):
        (found,) = answers(problem, parts, path[None], np.array([len(path)]), low)
        return found
    symbols = np.full(problem.lattice.slots, NO_WORD, np.int32)
    return problem.answer(Path(symbols, symbols, 0, -np.inf, 0), low, *_bounds(parts))


def answers(
    problem: DecodingProblem, parts: Parts, paths: Weights, lengths: Weights, low: int
) -> list[Decoded]:
    """The same of many that are not empty: (n, S) candidates, of which so many count."""
    from nacc.decoding.kernels.linked_search import worths

    n, bounds = len(lengths), _bounds(parts)
    rows = np.repeat(np.arange(n), lengths)
    flat = paths[:n][np.arange(paths.shape[1]) < lengths[:, None]]
    slots = parts.graph.slot[flat].astype(np.int32)
    words = parts.members[parts.graph.number[flat]]
    symbols = np.full((n, problem.lattice.slots), NO_WORD, np.int32)
    symbols[rows, slots] = words
    ends = np.cumsum(lengths)
    weights = np.add.reduceat(problem.weights[words], ends - lengths).tolist() if n else []
    figures = worths(parts.graph, np.ascontiguousarray(paths), lengths).tolist()
    starts = np.split(slots, ends[:-1])
    made = []
    for i, (score, all_paths, expected) in enumerate(figures):
        path = Path(symbols[i], starts[i], len(starts[i]), score, weights[i])
        made.append(problem.answer(path, low, *bounds, all_paths, expected))
    return made


class Lead(NamedTuple):
    """What is told of an answer before it is known whether it is wanted: as in Decoded."""

    tokens: list[int]
    starts: list[int]
    score: float
    expected: float


def leads(parts: Parts, paths: Weights, lengths: Weights) -> list[Lead]:
    """Of (n, S) candidates, of which so many count."""
    from nacc.decoding.kernels.linked_search import figures

    flat = paths[np.arange(paths.shape[1]) < lengths[:, None]]
    words, slots = parts.members[parts.graph.number[flat]].tolist(), parts.graph.slot[flat].tolist()
    ends = [0, *np.cumsum(lengths).tolist()]
    told = figures(parts.graph, np.ascontiguousarray(paths), lengths).tolist()
    return [
        Lead(words[begin:end], slots[begin:end], score, expected)
        for (begin, end), (score, expected) in zip(pairwise(ends), told, strict=True)
    ]


def _bounds(parts: Parts) -> tuple[float, float]:
    """What no path scores higher than that was not looked at, and that says other words."""
    missed = inf if parts.unit > 1 else -inf  # rounding may have kept a better one out
    return missed, max(missed, parts.graph.elsewhere)


def told_anew(problem: DecodingProblem, answers: Sequence[Decoded]) -> list[Decoded]:
    """Answers to a problem with less to choose from, as they count in this one; no proof holds."""
    from nacc.decoding.kernels.linked_search import worths

    if not answers:
        return []
    free = Constraints().automaton(len(problem.weights))
    heaviest = max(one.weight for one in answers)  # other words are in none of their paths
    graph, _, members, *_ = parts_of(problem, free, heaviest, 0.0)
    words = members[graph.number].tolist()
    place = {at: i for i, at in enumerate(zip(graph.slot.tolist(), words, strict=True))}
    paths = np.zeros((len(answers), problem.lattice.slots), np.int64)
    for path, one in zip(paths, answers, strict=True):
        path[: len(one.tokens)] = [place[at] for at in zip(one.starts, one.tokens, strict=True)]
    lengths = np.array([len(one.tokens) for one in answers])
    figures = worths(graph, paths, lengths).tolist()
    return [
        replace(
            one, exact=False, optimal=False, score=score, all_paths=all_paths, expected=expected
        )
        for one, (score, all_paths, expected) in zip(answers, figures, strict=True)
    ]
