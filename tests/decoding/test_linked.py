"""The linked decoder equals brute force: rules, phrases, order, floors, budgets, n best."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nacc.decoding import Decoded, alternatives, decode, decode_budgets
from nacc.errors import NaccError
from nacc.lattice import NO_WORD, Lattice

from .linked_oracle import Counts, considered, ranked, sequences
from .oracle import Rules
from .strategies import EXPECTED, linked_lattices, ranges, weight_vectors
from .test_constraints import constraints

PHRASES = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=3), max_size=2)


@st.composite
def asked(draw: st.DrawFn) -> dict[str, object]:
    """Rules of all kinds, most of the time few of them."""
    found: dict[str, object] = dict(draw(st.one_of(st.just({}), constraints())))
    if draw(st.integers(0, 3)) == 0:
        taken = found.get("forbidden", frozenset())
        phrases = [p for p in draw(PHRASES) if not taken & set(p)]
        found["phrases"] = tuple(map(tuple, phrases))[: 3 - len(found.get("required", ()))]
    if draw(st.integers(0, 3)) == 0:
        found["in_order"] = tuple(draw(st.lists(st.integers(0, 3), max_size=6)))
    return found


def check(answer: Decoded, lattice: Lattice, weights, rules: Rules, counts: Counts) -> None:
    """The answer is a path of the lattice, keeps the rules, and is worth what it says."""
    assert rules.allow(answer.tokens)
    assert answer.weight == sum(weights[word] for word in answer.tokens)
    assert [word for word in answer.slots if word != NO_WORD] == list(answer.tokens)
    assert [answer.slots[s] for s in answer.starts] == list(answer.tokens)
    assert answer.expected == pytest.approx(counts.mean(answer.tokens))
    row, score = 0, counts.bonus(answer.tokens)
    for slot, word in zip(answer.starts, answer.tokens, strict=True):
        column = lattice.words[slot].tolist().index(word)
        score += lattice.links[row, slot] + lattice.values[slot, column]
        row = slot + 1
    assert answer.score == pytest.approx(score + lattice.links[row, lattice.slots], abs=1e-9)
    totals = [
        math.log(part[answer.tokens].total)
        for part in (sequences(considered(lattice), rules), sequences(lattice, rules))
        if answer.tokens in part
    ]
    assert any(answer.all_paths == pytest.approx(total) for total in totals)


@settings(max_examples=1500, deadline=None)
@given(linked_lattices(), weight_vectors(), ranges(), asked(), EXPECTED)
def test_the_best_answer_equals_brute_force(lattice, weights, limits, given, expected):
    low, high = limits
    rules, counts = Rules(**given), Counts.of(lattice, expected)
    best = ranked(lattice, weights, low, high, rules, counts)
    wanted = rules.required or rules.phrases
    options = {"method": "linked", "expected": expected, **given}
    try:
        answer = decode(lattice, weights, high, at_least=low, **options)
    except NaccError as error:
        everything = sequences(lattice, rules)
        fitting = [sum(weights[w] for w in tokens) for tokens in everything]
        assert wanted and not best
        assert getattr(error, "smallest", None) == (min(fitting) if fitting else None)
        return
    assert answer.exact
    if not best:
        assert not wanted and answer.tokens == () and answer.score == -math.inf
        return
    check(answer, lattice, weights, rules, counts)
    assert answer.score == pytest.approx(best[0][0], abs=1e-9)
    assert answer.floor_met is (best[0][1] >= low)
    assert answer.weight <= high


@settings(max_examples=800, deadline=None)
@given(linked_lattices(), weight_vectors(), ranges(), asked(), EXPECTED, st.integers(1, 12))
def test_alternatives_are_the_best_distinct_sequences(lattice, weights, limits, given, expected, n):
    low, high = limits
    rules, counts = Rules(**given), Counts.of(lattice, expected)
    best = ranked(lattice, weights, low, high, rules, counts)
    options = {"method": "linked", "expected": expected, **given}
    try:
        found = alternatives(lattice, weights, high, n, at_least=low, **options)
    except NaccError:
        assert (rules.required or rules.phrases) and not best
        return
    if not best:
        assert [answer.tokens for answer in found] == [()]
        return
    assert [one.score for one in found] == pytest.approx([one[0] for one in best[:n]], abs=1e-9)
    assert len({one.tokens for one in found}) == len(found)
    for answer in found:
        check(answer, lattice, weights, rules, counts)
        assert answer.exact and answer.floor_met is (answer.weight >= low)


TWO_EQUALS = Lattice(
    np.array([[0, 1]], np.int32),
    np.zeros((1, 2)),
    np.full(1, -np.inf),
    np.full(1, -np.inf),
    links=np.full((2, 2), -0.1),
)
"""Two answers of one word, as likely as each other."""


@settings(max_examples=400, deadline=None)
@example(TWO_EQUALS, [1, 0, 0, 0], [(0, 0), (0, 1)], {}, None)
@given(
    linked_lattices(), weight_vectors(), st.lists(ranges(), max_size=4), constraints(), EXPECTED
)  # fmt: skip
def test_several_budgets_at_once_are_as_each_alone(lattice, weights, limits, given, expected):
    given = {kind: words for kind, words in given.items() if kind != "required"}
    options = {"method": "linked", "expected": expected, **given}
    rules, counts = Rules(**given), Counts.of(lattice, expected)
    lows, highs = [low for low, _ in limits], [high for _, high in limits]
    together = decode_budgets(lattice, weights, highs, at_least=lows, **options)
    for answer, low, high in zip(together, lows, highs, strict=True):
        alone = decode(lattice, weights, high, at_least=low, **options)
        assert answer.exact and alone.exact
        assert answer.score == pytest.approx(alone.score, abs=1e-9)
        assert answer.floor_met is alone.floor_met
        best = ranked(lattice, weights, low, high, rules, counts)
        equals = {words for score, _, words in best if score >= best[0][0] - 1e-9} or {()}
        assert {answer.tokens, alone.tokens} <= equals
        assert answer.weight == sum(weights[word] for word in answer.tokens)


@settings(max_examples=600, deadline=None)
@given(linked_lattices(), weight_vectors(), ranges(), asked(), EXPECTED, st.integers(1, 3))
def test_an_answer_called_optimal_is_best_over_the_whole_vocabulary(
    lattice, weights, limits, given, expected, kept
):
    low, high = limits
    order = np.argsort(-lattice.values, axis=1, kind="stable")
    words = np.take_along_axis(lattice.words, order, axis=1)
    values = np.take_along_axis(lattice.values, order, axis=1)
    rest = values[:, kept:].max(axis=1, initial=-np.inf)
    few = Lattice(words[:, :kept], values[:, :kept], lattice.blank, rest, links=lattice.links)
    rules, counts = Rules(**given), Counts.of(few, expected)
    for word in range(4):
        counts.words.setdefault(word, 0.0)
    try:
        answer = decode(
            few, weights, high, at_least=low, method="linked", expected=expected, **given
        )
    except NaccError:
        return
    found = [
        (said.best + counts.bonus(tokens), sum(weights[w] for w in tokens))
        for tokens, said in sequences(lattice, rules).items()
    ]
    found = [one for one in found if one[1] <= high]
    best = [one for one in found if one[1] >= low] or found
    if answer.optimal:
        if answer.floor_met:
            assert answer.score == pytest.approx(max((s for s, _ in best), default=-math.inf))
        else:
            assert answer.weight == max((weight for _, weight in best), default=0)
