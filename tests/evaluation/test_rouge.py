"""What `rouge.score` promises beyond ROUGE-1.5.5's figures: hand-computed cases, speed, errors."""

import random
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacc.errors import InvalidInput
from nacc.evaluation import bootstrap, rouge
from nacc.text import stem as porter

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=8)


def test_hand_computed_pair():
    """Five words against four: three in common, one pair in common, three in order."""
    found = rouge.score(["police arrest two in london"], ["two men: police arrest"])
    assert (found.rouge1.precision, found.rouge1.recall) == (3 / 5, 3 / 4)
    assert found.rouge1.f1 == pytest.approx(2 * 3 / (5 + 4))
    assert (found.rouge2.precision, found.rouge2.recall) == (1 / 4, 1 / 3)
    assert (found.rougeL.precision, found.rougeL.recall) == (2 / 5, 2 / 4)


def test_repeating_a_word_is_not_rewarded():
    assert rouge.score(["oil oil oil oil"], ["oil falls"]).rouge1.precision == 1 / 4


def test_references_are_pooled_by_default_and_the_best_recall_chosen_on_demand():
    hypothesis, references = ["a b"], [["a b c d e f g h", "x b"]]
    assert rouge.score(hypothesis, references).rouge1.recall == 3 / 10
    assert rouge.score(hypothesis, references, several="best").rouge1.recall == 1 / 2


def test_the_byte_limit_cuts_hypothesis_and_reference_in_bytes():
    assert rouge.score(["aé b"], ["b"], byte_limit=4).rouge1.f1 == 0
    assert rouge.score(["aé b"], ["b"], byte_limit=5).rouge1.precision == 1 / 2
    assert rouge.score(["a"], ["a bcd"], byte_limit=1).rouge1.recall == 1


def test_empty_texts_score_zero():
    found = rouge.score(["", "a", "-"], ["a", "", "-"])
    assert not found.pairs.any()


@given(TEXTS, TEXTS)
def test_longest_common_subsequence_equals_the_textbook_recursion(a, b):
    table = np.zeros((len(a) + 1, len(b) + 1), int)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1, j + 1] = (
                table[i, j] + 1 if x == y else max(table[i, j + 1], table[i + 1, j])
            )
    longest = table[-1, -1]
    found = rouge.score([" ".join(a)], [" ".join(b)])
    assert found.rougeL.precision == (longest / len(a) if longest else 0)


@given(st.lists(st.text(max_size=30), min_size=1, max_size=4), st.randoms())
def test_any_text_gets_scores_between_zero_and_one_and_its_mean_lies_in_the_interval(texts, rng):
    references = [rng.choice(texts) for _ in texts]
    found = rouge.score(texts, references, resamples=50)
    assert ((found.pairs >= 0) & (found.pairs <= 1)).all()
    low, high = found.rouge1.f1_interval
    assert low - 1e-12 <= found.pairs[:, 0, 2].max() and high + 1e-12 >= found.pairs[:, 0, 2].min()


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("children", "child"),  # WordNet's exception, looked up
        ("mice", "mouse"),  # and not stemmed further …
        ("mouse", "mous"),  # … so it does not meet its own singular
        ("men", "men"),  # three letters: left alone, exception or not
        ("agreement", "agreem"),
        ("relational", "relat"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("hoping", "hope"),
        ("yellowed", "yellow"),
    ],
)
def test_stems(word, stem):
    assert porter.stem(word) == stem


def test_intervals_are_reproducible_and_depend_on_the_seed():
    texts = ["a b", "a", "c", "b c d"] * 5
    references = ["a b", "b", "c d", "d"] * 5
    first, again = (rouge.score(texts, references, seed=1).rouge1.f1_interval for _ in range(2))
    assert first == again != rouge.score(texts, references, seed=2).rouge1.f1_interval


def test_wider_confidence_gives_wider_intervals():
    values = np.random.default_rng(0).random((200, 1))
    low, high = bootstrap.intervals(values, confidence=0.99)
    inner_low, inner_high = bootstrap.intervals(values, confidence=0.8)
    assert low < inner_low < values.mean() < inner_high < high


def test_paired_test_tells_a_steady_gain_from_none():
    rng = np.random.default_rng(0)
    theirs = rng.random(300)
    assert bootstrap.paired_p_value(theirs + 0.05 * rng.random(300), theirs) < 0.001
    assert bootstrap.paired_p_value(rng.permutation(theirs), theirs) > 0.05
    assert bootstrap.paired_p_value(theirs, theirs) == 1.0


def test_paired_test_matches_all_sign_flips():
    """Three differences 1, 2, 3: of the 8 sign patterns only +++ and --- reach 6."""
    p = bootstrap.paired_p_value(np.array([1.0, 2, 3]), np.zeros(3), resamples=20_000)
    assert p == pytest.approx(2 / 8, abs=0.01)


def test_two_thousand_pairs_take_under_three_seconds():
    rng = random.Random(0)
    vocabulary = [f"word{i}ing" for i in range(5000)]
    texts = [" ".join(rng.choices(vocabulary, k=10)) for _ in range(4000)]
    start = time.perf_counter()
    rouge.score(texts[:2000], texts[2000:])
    assert time.perf_counter() - start < 3


@pytest.mark.parametrize(
    ("hypotheses", "references", "options", "named"),
    [
        (["a", "b"], ["a"], {}, "2 hypotheses but 1"),
        ([], [], {}, "nothing to score"),
        ("a", ["a"], {}, "lists of texts"),
        (["a"], [[]], {}, "pair 0"),
        (["a"], [[1]], {}, "pair 0"),
        (["a"], ["a"], {"byte_limit": 0}, "byte_limit = 0"),
        (["a"], ["a"], {"several": "worst"}, "'worst'"),
        (["a"], ["a"], {"confidence": 95}, "confidence = 95"),
        (["a"], ["a"], {"resamples": 0}, "resamples = 0"),
    ],
)
def test_bad_input_is_named(hypotheses, references, options, named):
    with pytest.raises(InvalidInput, match=named):
        rouge.score(hypotheses, references, **options)
