"""The coherent decoder finds what trying everything finds, bigrams and neighbours included."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc.decoding import Bigrams, Coherence, alternatives, decode
from nacc.errors import InvalidInput
from nacc.lattice import NO_WORD, Lattice

from .oracle import Rules, path_score, ranked, reduce
from .strategies import coherences, lattices, ranges, weight_vectors
from .test_exact import agrees


@settings(max_examples=1500, deadline=None)
@given(lattices(), weight_vectors(), ranges(), st.booleans(), coherences())
def test_coherent_without_a_beam_equals_brute_force(lattice, weights, limits, merge, coherence):
    low, high = limits
    answer = decode(
        lattice, weights, high, at_least=low, merge_repeats=merge,
        method="coherent", coherence=coherence,
    )  # fmt: skip
    agrees(answer, lattice, weights, low, high, Rules(merge, bonus=coherence.value))
    assert answer.exact


@settings(max_examples=600, deadline=None)
@given(lattices(), weight_vectors(), ranges(), st.booleans(), coherences(), st.integers(1, 3))
def test_with_a_beam_the_answer_is_sound_and_exact_where_it_says_so(
    lattice, weights, limits, merge, coherence, beam
):
    low, high = limits
    answer = decode(
        lattice, weights, high, at_least=low, merge_repeats=merge,
        method="coherent", coherence=replace(coherence, beam=beam),
    )  # fmt: skip
    best = ranked(lattice, weights, low, high, Rules(merge, bonus=coherence.value))
    assert reduce(answer.slots, merge) == answer.tokens
    assert answer.weight == sum(weights[word] for word in answer.tokens) <= high
    if best:
        own = path_score(lattice, answer.slots) + coherence.value(answer.tokens)
        assert answer.score == pytest.approx(own, abs=1e-9)
        assert answer.score <= best[0][0] + 1e-9
        assert answer.floor_met is (best[0][1] >= low)
        if answer.exact:
            assert answer.score == pytest.approx(best[0][0], abs=1e-9)


def test_a_beam_of_one_can_lose_the_best_path_and_does_not_claim_otherwise():
    rng = np.random.default_rng(5)
    words = "abcdefgh"
    headlines = [[words[i] for i in rng.integers(0, 8, 5)] for _ in range(40)]
    bigrams = Bigrams.train(headlines, min_count=1)
    lost = 0
    for _ in range(200):
        table = np.stack([rng.permutation(8)[:5] for _ in range(8)])
        lattice = Lattice(
            table, -rng.exponential(1, (8, 5)), -rng.exponential(1, 8), np.full(8, -9)
        )
        narrow, wide = (
            decode(
                lattice, [2] * 8, 8, at_least=6, method="coherent",
                coherence=Coherence(bigrams, bigrams.ids(list(words)), 1.0, beam),
            )
            for beam in (1, None)
        )  # fmt: skip
        assert narrow.score <= wide.score
        if narrow.score < wide.score:
            lost += 1
            assert not narrow.exact and not narrow.optimal
        assert wide.exact
    assert lost > 0


def test_without_bigrams_having_a_say_coherent_is_exact():
    rng = np.random.default_rng(2)
    bigrams = Bigrams.train([["a", "b"]])
    for _ in range(50):
        words = np.stack([rng.permutation(9)[:6] for _ in range(12)])
        lattice = Lattice(words, -rng.exponential(2, (12, 6)), -rng.exponential(1, 12), [-9] * 12)
        weights = rng.integers(1, 6, 9)
        plain = decode(lattice, weights, 15, at_least=9)
        neutral = decode(
            lattice, weights, 15, at_least=9, method="coherent",
            coherence=Coherence(bigrams, np.full(9, -1), weight=0.7),
        )  # fmt: skip
        assert neutral.score == pytest.approx(plain.score)
        assert neutral.optimal is plain.optimal


def test_the_bigrams_decide_between_equal_words():
    bigrams = Bigrams.train([["prime", "minister"]] * 5 + [["old", "master"]] * 5, min_count=1)
    words = ["prime", "minister", "master", "old"]
    lattice = Lattice([[0, NO_WORD], [2, 1]], [[0, -np.inf], [-1, -1]], [-9, -9], [-20, -20])
    answer = decode(
        lattice,
        [6, 9, 7, 4],
        20,
        method="coherent",
        coherence=Coherence(bigrams, bigrams.ids(words)),
    )
    assert [words[i] for i in answer.tokens] == ["prime", "minister"]
    assert decode(lattice, [6, 9, 7, 4], 20).tokens == (0, 2)


@settings(max_examples=300, deadline=None)
@given(lattices(), weight_vectors(), ranges(), coherences())
def test_neighbours_worth_nothing_change_nothing(lattice, weights, limits, coherence):
    low, high = limits
    worthless = replace(coherence, adjacency=0.0)
    without = Coherence(coherence.bigrams, coherence.ids, coherence.weight, coherence.beam)
    for count in (1, 4):
        assert alternatives(
            lattice, weights, high, count, at_least=low, method="coherent", coherence=worthless
        ) == alternatives(
            lattice, weights, high, count, at_least=low, method="coherent", coherence=without
        )


def test_a_pair_of_the_source_counts_each_time_it_is_said_in_its_order():
    bigrams = Bigrams.train([["a", "b"]], min_count=1)
    ids = np.array([1, 2, -1])
    plain = Coherence(bigrams, ids, 0.5)
    kept = Coherence(bigrams, ids, 0.5, adjacent=np.array([[0, 1], [1, 2]]), adjacency=0.3)
    for tokens, pairs in [
        ((), 0), ((0,), 0), ((0, 1), 1), ((1, 0), 0), ((0, 2), 0), ((1, 2), 1), ((0, 1, 2), 2),
        ((0, 1, 0, 1), 2), ((0, 0, 1, 1), 1),
    ]:  # fmt: skip
        assert kept.value(tokens) == pytest.approx(plain.value(tokens) + 0.3 * pairs)


def test_words_left_out_that_belong_together_keep_an_answer_from_being_proven():
    table = np.array([[-0.1, -1.2, -9.0, -1.0], [-0.1, -9.0, -1.2, -1.0]])  # the last is ε
    bigrams = Bigrams.train([["a", "b"]])
    together = Coherence(bigrams, np.full(4, -1), 0.0, adjacent=np.array([[1, 2]]), adjacency=5.0)
    options = {"blank": 3, "method": "coherent", "coherence": together}
    narrow = decode(table, [99, 1, 1, 0], 5, top_k=1, **options)  # only the word that is too heavy
    assert narrow.tokens == () and narrow.exact and not narrow.optimal
    assert decode(table, [99, 1, 1, 0], 5, top_k=3, **options).tokens == (1, 2)


@pytest.mark.parametrize("weight", [0.0, 0.4])
def test_on_longer_texts_the_usual_beam_finds_the_best_with_neighbours(weight):
    rng = np.random.default_rng(9)
    words = "abcdefgh"
    headlines = [[words[i] for i in rng.integers(0, 8, 5)] for _ in range(40)]
    bigrams = Bigrams.train(headlines, min_count=1)
    ids = np.append(bigrams.ids(list(words)), [-1] * 4)
    changed = 0
    for _ in range(60):
        table = np.stack([rng.permutation(12)[:8] for _ in range(12)])
        lattice = Lattice(
            table, -rng.exponential(1, (12, 8)), -rng.exponential(1, 12), np.full(12, -9)
        )
        source = rng.permutation(12)
        kept = Coherence(
            bigrams, ids, weight, adjacent=np.stack([source[:-1], source[1:]], 1), adjacency=0.7
        )
        rules = {"at_least": 12, "method": "coherent"}
        usual = decode(lattice, [2] * 12, 16, coherence=kept, **rules)
        wide = decode(lattice, [2] * 12, 16, coherence=replace(kept, beam=None), **rules)
        (first,) = alternatives(lattice, [2] * 12, 16, 1, coherence=kept, **rules)
        assert usual.exact and wide.exact
        assert usual.score == pytest.approx(wide.score, abs=1e-9)
        assert first.score == pytest.approx(wide.score, abs=1e-9)
        own = path_score(lattice, usual.slots) + kept.value(usual.tokens)
        assert usual.score == pytest.approx(own, abs=1e-9)
        alone = decode(lattice, [2] * 12, 16, coherence=replace(kept, adjacency=0.0), **rules)
        changed += alone.tokens != usual.tokens
    assert changed > 20


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ids": np.array([0.5])}, "vector of integers"),
        ({"ids": np.array([5])}, r"ids\[0\] = 5 is no word"),
        ({"ids": np.array([1, 0])}, r"ids\[1\] = 0 is no word"),
        ({"ids": np.array([-2])}, r"ids\[0\] = -2 is no word"),
        ({"weight": -0.1}, "weight = -0.1"),
        ({"weight": np.nan}, "weight = nan"),
        ({"beam": 0}, "beam = 0 must be at least 1, or None"),
        ({"adjacency": -0.1}, "adjacency = -0.1"),
        ({"adjacency": np.inf}, "adjacency = inf"),
        ({"adjacent": np.array([0, 1])}, r"pairs of word ids, got int64 of shape \(2,\)"),
        ({"adjacent": [[0.5, 1.0]]}, "pairs of word ids, got float64"),
        ({"adjacent": [[0, 0]]}, r"adjacent\[0\] = \[0, 0\] must be two different words of 0..0"),
        ({"adjacent": [[0, 1]]}, r"adjacent\[0\] = \[0, 1\]"),
        ({"adjacent": [[-1, 0]]}, r"adjacent\[0\] = \[-1, 0\]"),
    ],
)
def test_bad_coherence_is_refused(change, message):
    with pytest.raises(InvalidInput, match=message):
        Coherence(**{"bigrams": Bigrams.train([["a", "b"]]), "ids": np.array([1]), **change})


def test_coherence_and_its_method_go_together():
    bigrams = Bigrams.train([["a", "b"]])
    table = np.zeros((2, 3))
    with pytest.raises(InvalidInput, match="that method needs it"):
        decode(table, [1, 1, 1], 2, method="coherent")
    with pytest.raises(InvalidInput, match="coherence goes with"):
        decode(table, [1, 1, 1], 2, coherence=Coherence(bigrams, np.array([-1, 1, 2])))
    with pytest.raises(InvalidInput, match="2 ids for 3 weights"):
        short = Coherence(bigrams, np.array([1, 2]))
        decode(table, [1, 1, 1], 2, method="coherent", coherence=short)
