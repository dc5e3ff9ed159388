"""The exact decoder finds what trying everything finds."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc import Lattice
from nacc.decoding import Decoded, decode

from .oracle import Rules, path_score, ranked, reduce
from .strategies import lattices, ranges, weight_vectors


def agrees(
    answer: Decoded, lattice: Lattice, weights: list[int], low: int, high: int, rules: Rules
) -> None:
    """The answer is one of the best that the oracle found, and is what it says it is."""
    best = ranked(lattice, weights, low, high, rules)
    assert reduce(answer.slots, rules.merge) == answer.tokens
    assert answer.weight == sum(weights[word] for word in answer.tokens) <= high
    assert answer.floor_met is (answer.weight >= low)
    assert [answer.slots[s] for s in answer.starts] == list(answer.tokens)
    if not best:
        assert answer.tokens == () and answer.score == -math.inf
        return
    assert rules.allow(answer.tokens)
    assert answer.score == pytest.approx(best[0][0], abs=1e-9)
    own = path_score(lattice, answer.slots) + rules.bonus(answer.tokens)
    assert answer.score == pytest.approx(own, abs=1e-9)
    assert answer.floor_met is (best[0][1] >= low)
    if not answer.floor_met:
        assert answer.weight == best[0][1]


@settings(max_examples=1500, deadline=None)
@given(lattices(), weight_vectors(), ranges(), st.booleans())
def test_exact_equals_brute_force(lattice, weights, limits, merge):
    low, high = limits
    answer = decode(lattice, weights, high, at_least=low, merge_repeats=merge)
    agrees(answer, lattice, weights, low, high, Rules(merge))
