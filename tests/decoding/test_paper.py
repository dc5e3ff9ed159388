"""The paper's own decoder and its appendix: counterexamples, Theorem 1, and NAUS as a case."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc.decoding import decode

from .oracle import Rules, path_score, ranked, reduce
from .strategies import lattices, ranges, weight_vectors

EPSILON, ME, AM, A = range(4)  # the appendix's table: ε, I, am, a
APPENDIX = np.log([[0.1, 0.3, 0.4, 0.2], [0.25, 0.1, 0.6, 0.05]])


def test_wide_buckets_lose_the_best_path():
    """α = 2, no merging. The paper counts the space between two words; leaving it out, "am I"
    and "I am" weigh 3, share bucket [3, 4], and "am am" (4) is kept out by the budget."""
    case = {"budget": 3, "at_least": 3, "merge_repeats": False}
    bucketed = decode(APPENDIX, [0, 1, 2, 1], method="bucketed", bucket=2, **case)
    exact = decode(APPENDIX, [0, 1, 2, 1], method="exact", **case)
    assert (bucketed.tokens, math.exp(bucketed.score)) == ((AM, ME), pytest.approx(0.04))
    assert (exact.tokens, math.exp(exact.score)) == ((ME, AM), pytest.approx(0.18))
    assert exact.optimal and not bucketed.optimal


def test_merging_loses_the_best_path_even_with_buckets_of_one():
    """α = 1 with merging; weights are characters + 1, so "I a" and "a I" weigh 4."""
    case = {"budget": 4, "at_least": 4}
    bucketed = decode(APPENDIX, [0, 2, 3, 2], method="bucketed", bucket=1, **case)
    exact = decode(APPENDIX, [0, 2, 3, 2], method="exact", **case)
    assert (bucketed.tokens, math.exp(bucketed.score)) == ((ME, A), pytest.approx(0.015))
    assert (exact.tokens, math.exp(exact.score)) == ((A, ME), pytest.approx(0.02))
    assert exact.optimal and not bucketed.optimal


@settings(max_examples=600, deadline=None)
@given(lattices(), weight_vectors(), ranges())
def test_theorem_1_buckets_of_one_without_merging_are_exact(lattice, weights, limits):
    low, high = limits
    answer = decode(
        lattice, weights, high, at_least=low, method="bucketed", bucket=1, merge_repeats=False
    )
    best = ranked(lattice, weights, low, high, Rules(merge=False))
    assert answer.score == pytest.approx(best[0][0] if best else -math.inf, abs=1e-9)


@settings(max_examples=600, deadline=None)
@given(lattices(), weight_vectors(), ranges(), st.integers(1, 5), st.booleans())
def test_bucketed_is_a_path_within_the_budget_and_never_beats_exact(
    lattice, weights, limits, bucket, merge
):
    low, high = limits
    options = {"at_least": low, "merge_repeats": merge}
    answer = decode(lattice, weights, high, method="bucketed", bucket=bucket, **options)
    exact = decode(lattice, weights, high, **options)
    assert answer.weight == sum(weights[word] for word in answer.tokens) <= high
    assert reduce(answer.slots, merge) == answer.tokens
    assert answer.score == pytest.approx(path_score(lattice, answer.slots), abs=1e-9)
    if answer.floor_met:
        assert exact.floor_met and answer.score <= exact.score + 1e-9


@settings(max_examples=300, deadline=None)
@given(lattices(), st.integers(0, 5))
def test_naus_is_the_same_decoder_with_every_weight_one(lattice, most_words):
    answer = decode(lattice, [1, 1, 1, 1], most_words)
    by_words = [
        score
        for score, words in ranked(lattice, [1, 1, 1, 1], 0, most_words, Rules())
        if words <= most_words
    ]
    assert len(answer.tokens) <= most_words
    assert answer.score == pytest.approx(by_words[0] if by_words else -math.inf, abs=1e-9)


def test_greedy_reduces_the_best_symbols_and_cuts_at_the_last_word_that_fits():
    best = [1, 1, 0, 2, 3]  # Γ = 1 2 3
    table = np.full((5, 4), -3.0)
    table[range(5), best] = -0.1
    whole = decode(table, [0, 4, 3, 2], 9, method="greedy")
    assert (whole.tokens, whole.slots, whole.weight) == ((1, 2, 3), (1, 1, 0, 2, 3), 9)
    assert whole.optimal and whole.score == pytest.approx(-0.5)
    cut = decode(table, [0, 4, 3, 2], 6, method="greedy", at_least=5)
    assert (cut.tokens, cut.slots, cut.weight) == ((1,), (1, 1, 0, 0, 0), 4)
    assert not cut.optimal and not cut.floor_met and cut.starts == (0,)


@settings(max_examples=300, deadline=None)
@given(lattices(), weight_vectors(), ranges(), st.booleans())
def test_greedy_never_exceeds_the_budget(lattice, weights, limits, merge):
    low, high = limits
    answer = decode(lattice, weights, high, at_least=low, method="greedy", merge_repeats=merge)
    assert answer.weight == sum(weights[word] for word in answer.tokens) <= high
    assert reduce(answer.slots, merge) == answer.tokens
    assert answer.floor_met is (answer.weight >= low)
