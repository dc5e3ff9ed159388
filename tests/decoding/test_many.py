"""Many answers: alternatives, several budgets, batches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc.decoding import Bigrams, Coherence, alternatives, decode, decode_batch, decode_budgets
from nacc.errors import InvalidInput, NaccError
from nacc.lattice import Lattice

from .oracle import Rules, path_score, ranked, reduce
from .strategies import coherences, lattices, ranges, weight_vectors
from .test_constraints import constraints

MODELS = st.one_of(st.none(), coherences())


def method(coherence: Coherence | None) -> dict[str, object]:
    name = "exact" if coherence is None else "coherent"
    return {"method": name, "coherence": coherence}


@settings(max_examples=800, deadline=None)
@given(
    lattices(), weight_vectors(), ranges(), st.booleans(), constraints(), MODELS,
    st.integers(1, 12),
)  # fmt: skip
def test_alternatives_are_the_best_distinct_sequences(
    lattice, weights, limits, merge, given, coherence, n
):
    low, high = limits
    bonus = {} if coherence is None else {"bonus": coherence.value}
    rules = Rules(merge, **given, **bonus)
    options = {"at_least": low, "merge_repeats": merge, **given, **method(coherence)}
    best = ranked(lattice, weights, low, high, rules)
    try:
        found = alternatives(lattice, weights, high, n, **options)
    except NaccError:
        assert rules.required and not best
        return
    if not best:
        assert [answer.tokens for answer in found] == [()]
        return
    scores = [answer.score for answer in found]
    assert scores == pytest.approx([score for score, _ in best[:n]], abs=1e-9)
    assert len({answer.tokens for answer in found}) == len(found)
    for answer in found:
        assert rules.allow(answer.tokens)
        assert reduce(answer.slots, merge) == answer.tokens
        assert answer.weight == sum(weights[word] for word in answer.tokens) <= high
        own = path_score(lattice, answer.slots) + rules.bonus(answer.tokens)
        assert answer.score == pytest.approx(own, abs=1e-9)
        assert [answer.slots[s] for s in answer.starts] == list(answer.tokens)
    assert found[0].score == pytest.approx(decode(lattice, weights, high, **options).score)


def test_alternatives_refuse_what_makes_no_sense():
    with pytest.raises(InvalidInput, match=r"method=\"exact\" or .*, got 'greedy'"):
        alternatives(np.zeros((1, 2)), [1, 1], 3, 2, method="greedy")
    with pytest.raises(InvalidInput, match="n = 0"):
        alternatives(np.zeros((1, 2)), [1, 1], 3, 0)


@settings(max_examples=400, deadline=None)
@given(lattices(), weight_vectors(), st.lists(ranges(), max_size=5), constraints(), MODELS)
def test_several_budgets_at_once_are_as_each_alone(lattice, weights, limits, given, coherence):
    given = {kind: words for kind, words in given.items() if kind not in ("required", "once")}
    options = {**given, **method(coherence)}
    lows, highs = [low for low, _ in limits], [high for _, high in limits]
    together = decode_budgets(lattice, weights, highs, at_least=lows, **options)
    for answer, low, high in zip(together, lows, highs, strict=True):
        alone = decode(lattice, weights, high, at_least=low, **options)
        if coherence is None:
            assert answer == alone
        assert answer.score == pytest.approx(alone.score, abs=1e-9)
        assert (answer.weight, answer.floor_met) == (alone.weight, alone.floor_met)


@pytest.mark.parametrize("name", ["greedy", "bucketed"])
def test_several_budgets_work_for_every_method(name):
    table = np.log([[0.1, 0.6, 0.3], [0.3, 0.2, 0.5]])
    together = decode_budgets(table, [0, 3, 4], [0, 3, 7], method=name)
    assert together == [decode(table, [0, 3, 4], budget, method=name) for budget in (0, 3, 7)]


def big_batch(rng: np.random.Generator, size: int) -> tuple[list[Lattice], list[np.ndarray]]:
    found = []
    for _ in range(size):
        S, M = int(rng.integers(0, 20)), 30
        words = np.array([rng.permutation(M)[:8] for _ in range(S)]).reshape(S, 8)
        values = -rng.exponential(3, (S, 8))
        found.append(Lattice(words, values, -rng.exponential(1, S), np.full(S, -9.0)))
    return found, [rng.integers(1, 9, 30) for _ in range(size)]


@pytest.mark.parametrize("name", ["greedy", "bucketed", "exact", "coherent"])
def test_an_answer_does_not_depend_on_its_batch_the_threads_or_the_run(name):
    rng = np.random.default_rng(11)
    lattices, weights = big_batch(rng, 40)
    budgets = rng.integers(5, 40, 40).tolist()
    floors = [budget // 2 for budget in budgets]
    coherence = None
    if name == "coherent":
        words = [list(map(str, rng.integers(0, 12, 5))) for _ in range(30)]
        bigrams = Bigrams.train(words, min_count=1)
        ids = rng.integers(1, len(bigrams.words), 30)
        coherence = Coherence(bigrams, ids, 0.3)
    alone = [
        decode(lattice, vector, budget, at_least=floor, method=name, coherence=coherence)
        for lattice, vector, budget, floor in zip(lattices, weights, budgets, floors, strict=True)
    ]
    for threads in (1, 2, 5, None):
        for order in (np.arange(40), rng.permutation(40), np.arange(40)):
            batch = decode_batch(
                [lattices[i] for i in order], [weights[i] for i in order],
                [budgets[i] for i in order], at_least=[floors[i] for i in order],
                method=name, coherence=coherence, threads=threads,
            )  # fmt: skip
            assert batch == [alone[i] for i in order]


def test_a_batch_takes_one_value_for_all_or_one_each():
    tables = [np.log([[0.1, 0.6, 0.3]]), np.log([[0.1, 0.3, 0.6], [0.2, 0.5, 0.3]])]
    shared = decode_batch(tables, [0, 3, 4], 7, forbidden=[1])
    each = decode_batch(tables, [[0, 3, 4]] * 2, [7, 7], forbidden=[[1], [1]])
    assert shared == each
    mixed = decode_batch(tables, [0, 3, 4], 7, forbidden=[[1], []], required=[(), (1,)])
    assert [answer.tokens for answer in mixed] == [(2,), (2, 1)]
    assert decode_batch([], [0, 3, 4], 7) == []
