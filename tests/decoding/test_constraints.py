"""Constraints are met, exactly, by the exact and the coherent decoder; optimality claims hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc.decoding import decode
from nacc.decoding.constraints import Constraints
from nacc.errors import BudgetTooSmall, InvalidInput, NaccError
from nacc.lattice import Lattice

from .oracle import Rules, ranked, sequences
from .strategies import coherences, lattices, ranges, weight_vectors
from .test_exact import agrees

WORDS = st.frozensets(st.integers(0, 3))


@st.composite
def constraints(draw: st.DrawFn) -> dict[str, frozenset[int]]:
    """One kind of constraint, or all of them at once."""
    kinds = ["required", "forbidden", "no_dangling", "once"]
    chosen = draw(st.sampled_from([*[[kind] for kind in kinds], kinds]))
    found = {kind: draw(WORDS) for kind in chosen}
    if "required" in found:
        found["required"] = frozenset(sorted(found["required"])[:3]) - found.get(
            "forbidden", frozenset()
        )
    return found


def decode_or_explain(lattice, weights, low, high, rules, given, **options):
    """The answer; None after checking that an error about required words is justified."""
    try:
        return decode(lattice, weights, high, at_least=low, **given, **options)
    except NaccError as error:
        found = sequences(lattice, weights, rules)
        fitting = [weight for _, weight in found.values()]
        assert rules.required and not any(weight <= high for weight in fitting)
        smallest = getattr(error, "smallest", None)
        assert smallest == (min(fitting) if fitting else None)
        return None


@settings(max_examples=1500, deadline=None)
@given(lattices(), weight_vectors(), ranges(), st.booleans(), constraints())
def test_constraints_in_the_exact_decoder_equal_brute_force(lattice, weights, limits, merge, given):
    low, high = limits
    rules = Rules(merge, **given)
    answer = decode_or_explain(lattice, weights, low, high, rules, given, merge_repeats=merge)
    if answer is not None:
        agrees(answer, lattice, weights, low, high, rules)


@settings(max_examples=800, deadline=None)
@given(lattices(), weight_vectors(), ranges(), st.booleans(), constraints(), coherences())
def test_constraints_in_the_coherent_decoder_equal_brute_force(
    lattice, weights, limits, merge, given, coherence
):
    low, high = limits
    rules = Rules(merge, **given, bonus=coherence.value)
    options = {"merge_repeats": merge, "method": "coherent", "coherence": coherence}
    answer = decode_or_explain(lattice, weights, low, high, rules, given, **options)
    if answer is not None:
        agrees(answer, lattice, weights, low, high, rules)


@st.composite
def tables(draw: st.DrawFn) -> np.ndarray:
    """Log-probabilities of up to 4 slots over ε and 4 words."""
    slots = draw(st.integers(0, 4))
    values = st.sampled_from([-0.1, -0.5, -1.0, -2.0, -3.0, -5.0, -8.0, -np.inf])
    cells = draw(st.lists(values, min_size=5 * slots, max_size=5 * slots))
    return np.array(cells, dtype=np.float64).reshape(slots, 5)


@settings(max_examples=1500, deadline=None)
@given(
    tables(), weight_vectors(), ranges(8), st.integers(1, 3), constraints(),
    st.one_of(st.none(), coherences(beam=2)), st.sampled_from(["greedy", "bucketed", "exact"]),
)  # fmt: skip
def test_an_answer_called_optimal_is_best_over_the_whole_vocabulary(
    table, weights, limits, top_k, given, coherence, method
):
    low, high = limits
    if coherence is not None:
        method = "coherent"
    if method in ("greedy", "bucketed"):
        given = {}
    everything = Lattice.from_log_probs(table, blank=4, top_k=5)
    rules = Rules(**given) if coherence is None else Rules(**given, bonus=coherence.value)
    if coherence is not None:
        object.__setattr__(coherence, "ids", np.append(coherence.ids, np.int32(-1)))
    try:
        answer = decode(
            table, [*weights, 0], high, at_least=low, blank=4, top_k=top_k, method=method,
            coherence=coherence, **given,
        )  # fmt: skip
    except NaccError:
        return
    if answer.optimal:
        best = ranked(everything, weights, low, high, rules)
        expected = best[0][0] if best else -math.inf
        assert answer.score == pytest.approx(expected, abs=1e-9)
        assert not best or answer.floor_met is (best[0][1] >= low)


def test_a_required_word_outside_the_best_candidates_is_tried_all_the_same():
    table = np.log([[0.1, 0.6, 0.2, 0.1], [0.1, 0.2, 0.6, 0.1]])
    assert decode(table, [0, 2, 2, 2], 6, top_k=1).tokens == (1, 2)
    assert decode(table, [0, 2, 2, 2], 6, top_k=1, required=[3]).tokens in [(3, 2), (1, 3)]


def test_a_forbidden_word_leaves_its_place_among_the_candidates_to_another():
    table = np.log([[0.1, 0.6, 0.2, 0.1]])
    assert decode(table, [0, 2, 2, 2], 6, top_k=1, forbidden=[1]).tokens == (2,)


@pytest.mark.parametrize("marked", [3, 12])
def test_once_holds_for_more_words_than_can_be_remembered(marked):
    """Every one of `marked` words would come twice: a b c … a b c …"""
    slots = 2 * marked
    words = np.array([[s % marked] for s in range(slots)])
    lattice = Lattice(words, np.full((slots, 1), -0.1), np.full(slots, -1.0), np.full(slots, -9.0))
    free = decode(lattice, [1] * marked, slots)
    assert len(free.tokens) == slots and free.exact
    answer = decode(lattice, [1] * marked, slots, once=range(marked))
    assert sorted(answer.tokens) == list(range(marked))
    assert answer.score == pytest.approx(-0.1 * marked - marked)
    assert answer.exact is (marked == 3)


def test_no_dangling_may_leave_nothing():
    lattice = Lattice([[0]], [[-0.1]], [-3.0], [-9.0])
    answer = decode(lattice, [2], 5, at_least=2, no_dangling=[0])
    assert (answer.tokens, answer.weight, answer.floor_met) == ((), 0, False)


def test_a_budget_that_would_do_is_not_promised_where_words_would_have_to_repeat():
    forced = Lattice([[0], [1], [0]], [[-0.1]] * 3, [-np.inf] * 3, [-np.inf] * 3)
    with pytest.raises(InvalidInput, match="no path"):
        decode(forced, [1, 1], 1, required=[1], once=[0])
    longer = Lattice(
        [[0, 2], [1, -1], [0, -1]], [[-0.1, -0.1], [-0.1, -np.inf], [-0.1, -np.inf]],
        [-np.inf] * 3, [-np.inf] * 3,
    )  # fmt: skip
    with pytest.raises(BudgetTooSmall, match="budget of 1; 11 would do"):
        decode(longer, [1, 1, 9], 1, required=[1], once=[0])
    assert decode(longer, [1, 1, 9], 11, required=[1], once=[0]).tokens == (2, 1, 0)


def test_endings_are_watched_only_where_an_answer_ends_badly(monkeypatch):
    """Watching them takes a second copy of the table, which here would be too large."""
    lattice = Lattice([[0], [1]], [[-0.1], [-0.1]], [-3.0, -3.0], [-9.0, -9.0])
    monkeypatch.setattr("nacc.decoding.candidates.MOST_CELLS", 2 * 5)
    assert decode(lattice, [2, 2], 4, no_dangling=[0]).tokens == (0, 1)
    with pytest.raises(InvalidInput, match="need a table of 20 cells"):
        decode(lattice, [2, 2], 4, no_dangling=[1])


def test_required_words_may_come_from_any_kind_of_collection():
    table = np.log([[0.1, 0.6, 0.2, 0.1]])
    for words in ({2}, frozenset({2}), [2], (2,), np.array([2])):
        assert decode(table, [0, 2, 2, 2], 6, required=words).tokens == (2,)
    with pytest.raises(InvalidInput, match="required must hold word ids"):
        decode(table, [0, 2, 2, 2], 6, required=2)


@settings(max_examples=500, deadline=None)
@given(
    lattices(), weight_vectors(), ranges(), constraints(), st.one_of(st.none(), coherences()),
    st.lists(st.integers(0, 3), min_size=2, max_size=3),
)  # fmt: skip
def test_phrases_equal_brute_force_with_every_decoder_that_keeps_rules(
    lattice, weights, limits, given, coherence, phrase
):
    low, high = limits
    given = {kind: words for kind, words in given.items() if kind != "required"}
    given["forbidden"] = given.get("forbidden", frozenset()) - set(phrase)
    given["phrases"] = (tuple(phrase),)
    rules = Rules(**given) if coherence is None else Rules(**given, bonus=coherence.value)
    method = "exact" if coherence is None else "coherent"
    try:
        answer = decode(
            lattice, weights, high, at_least=low, method=method, coherence=coherence, **given
        )
    except NaccError as error:
        fitting = [weight for _, weight in sequences(lattice, weights, rules).values()]
        assert not any(weight <= high for weight in fitting)
        assert getattr(error, "smallest", None) == (min(fitting) if fitting else None)
        return
    agrees(answer, lattice, weights, low, high, rules)


def test_what_phrases_remember_of_words_that_may_come_once_is_not_remembered_twice():
    """A word of a phrase came with it, or it never can: no context for words without phrases."""
    rules = Constraints(phrases=((0, 1, 2), (3, 4)), once=frozenset(range(5)))
    loose = rules.automaton(9, endings=False)
    assert len(rules.automaton(9, (0, 1, 2, 3, 4), endings=False).accept) <= len(loose.accept)
    assert len(rules.automaton(9, (0, 1, 2, 3, 4, 5), endings=False).accept) <= 2 * len(
        loose.accept
    )
