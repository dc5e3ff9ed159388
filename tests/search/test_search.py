"""Searching: optima, budgets, and answers that depend on nothing but the sentence."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc.errors import InvalidInput
from nacc.search import SearchSettings, search
from nacc.search.kernels.ascent import ascend, ascent
from nacc.search.kernels.climb import climb
from nacc.search.kernels.objective import score_parts
from nacc.search.kernels.problem import SearchProblem

SIX_WORDS = SearchSettings(words=6)


def problem(rng, n, *, words=0, budget=0, weight_sim=12.0) -> SearchProblem:
    """A sentence of n words with random terms and random vectors."""
    vectors = np.zeros((n + 2, 6))
    vectors[1:-1] = rng.normal(0.4, 1.0, (n, 6)) * rng.uniform(0.5, 5.0, (n, 1))
    dots = vectors @ vectors.T
    table = rng.normal(-8.0, 3.0, (n + 2,) * 3)
    table[0, 0, n + 1] = table[0, n + 1, n + 1] = 0.0
    return SearchProblem(
        table,
        dots,
        dots.sum(axis=1) / np.sqrt(dots.sum()),
        np.array([0, *rng.integers(2, 12, n), 0]),
        words,
        budget,
        1.0,
        weight_sim,
    )


def plain_score(given: SearchProblem, kept) -> float:
    """The score written out: windows of the chain, cosine of the sums."""
    n = len(given.costs) - 2
    chain = [0, 0, *kept, n + 1, n + 1]
    windows = zip(chain, chain[1:], chain[2:], strict=False)
    log_lm = sum(given.table[window] for window in windows) / (2 * (len(kept) + 1))
    cosine = given.to_source[list(kept)].sum() / np.sqrt(given.dots[np.ix_(kept, kept)].sum())
    return given.weight_lm * log_lm + given.weight_sim * np.log((1 + cosine) / 2)


def exhaustive(given: SearchProblem) -> float:
    n = len(given.costs) - 2
    sizes = [given.words] if given.words else range(1, n + 1)
    return max(
        plain_score(given, kept)
        for size in sizes
        for kept in combinations(range(1, n + 1), size)
        if given.words or given.costs[list(kept)].sum() <= given.budget
    )


def positions(kept) -> list[int]:
    assert not kept[0] and not kept[-1]
    return np.flatnonzero(kept).tolist()


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 11), st.data())
def test_without_the_similarity_the_best_is_found(seed, n, data):
    k = data.draw(st.integers(1, n - 1))
    given = problem(np.random.default_rng(seed), n, words=k, weight_sim=0.0)
    kept = positions(ascent(given))
    assert len(kept) == k
    assert plain_score(given, kept) == pytest.approx(exhaustive(given), abs=1e-9)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 12), st.data())
def test_the_score_is_that_of_the_words_kept(seed, n, data):
    k = data.draw(st.integers(1, n - 1))
    given = problem(np.random.default_rng(seed), n, words=k)
    kept = np.zeros(n + 2, np.bool_)
    kept[1 : k + 1] = True
    before = plain_score(given, positions(kept))
    reached = ascend(given, kept)
    assert reached >= before - 1e-9
    assert reached == pytest.approx(plain_score(given, positions(kept)), abs=1e-9)
    assert score_parts(given, kept)[0] == pytest.approx(reached, abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.integers(3, 9), st.data())
def test_no_single_exchange_is_better(seed, n, data):
    k = data.draw(st.integers(1, n - 1))
    given = problem(np.random.default_rng(seed), n, words=k)
    kept = positions(ascent(given))
    reached = plain_score(given, kept)
    for out in kept:
        for into in set(range(1, n + 1)) - set(kept):
            neighbour = sorted({*kept, into} - {out})
            assert plain_score(given, neighbour) <= reached + 1e-6


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 14), st.integers(2, 60))
def test_the_budget_is_held(seed, n, budget):
    given = problem(np.random.default_rng(seed), n, budget=budget)
    for kept in (positions(ascent(given)), positions(climb(given, 1, 2, 0.2))):
        assert given.costs[kept].sum() <= budget
        assert kept or given.costs[1:-1].min() > budget


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 9), st.integers(12, 40))
def test_within_a_budget_no_single_move_is_better(seed, n, budget):
    given = problem(np.random.default_rng(seed), n, budget=budget)
    kept = positions(ascent(given))
    reached = plain_score(given, kept)
    for out in (None, *kept):
        for into in (None, *(set(range(1, n + 1)) - set(kept))):
            neighbour = sorted({*kept, into} - {out, None} if into else set(kept) - {out})
            if neighbour and given.costs[neighbour].sum() <= budget:
                assert plain_score(given, neighbour) <= reached + 1e-6


def test_ascent_finds_the_optimum_more_often_than_climbing_does():
    rng = np.random.default_rng(5)
    optima = {"ascent": 0, "climb": 0}
    totals = {"ascent": 0.0, "climb": 0.0}
    for number in range(60):
        given = problem(rng, 13, words=5)
        best = exhaustive(given)
        for name, kept in (("ascent", ascent(given)), ("climb", climb(given, 0, number, 1.0))):
            reached = plain_score(given, positions(kept))
            optima[name] += reached >= best - 1e-9
            totals[name] += reached
    assert optima["ascent"] >= optima["climb"] > 0
    assert optima["ascent"] >= 55
    assert totals["ascent"] >= totals["climb"]


def test_more_starts_climb_no_lower():
    rng = np.random.default_rng(6)
    for number in range(20):
        given = problem(rng, 14, words=6)
        few, many = (score_parts(given, climb(given, 3, number, share))[0] for share in (0.1, 1.0))
        assert many >= few - 1e-9


@pytest.mark.parametrize("method", ["ascent", "climb"])
@pytest.mark.parametrize("asked", [{"words": 6}, {"max_length": 40}])
def test_answers_do_not_depend_on_threads_or_neighbours(model, sentences, method, asked):
    settings = SearchSettings(method=method, seed=4, **asked)
    together = list(search(model, sentences, settings, threads=2))
    alone = list(search(model, sentences, settings, threads=1))
    apart = [
        next(search(model, [text], settings, first_number=number))
        for number, text in enumerate(sentences)
    ]
    assert together == alone == apart
    assert len(together) == len(sentences)


def test_the_seed_decides_where_climbing_starts(model, sentences):
    runs = [
        [
            e.text
            for e in search(
                model, sentences, SearchSettings(words=6, method="climb", starts=0.01, seed=s)
            )
        ]
        for s in (1, 1, 2)
    ]
    assert runs[0] == runs[1] != runs[2]


def test_an_extract_is_words_of_its_sentence_in_order(model, sentences):
    for text, extract in zip(sentences, search(model, sentences, SIX_WORDS), strict=True):
        words = text.replace(",", " ,").replace(".", " .").split()
        assert [words[i] for i in extract.positions] == extract.text.split()
        assert list(extract.positions) == sorted(set(extract.positions))
        assert len(extract.positions) == 6
        assert extract.score == pytest.approx(extract.lm + 12 * np.log(extract.sim))


def test_characters_are_counted_with_their_spaces(model, sentences):
    for budget in (12, 25, 50):
        lengths = [len(e.text) for e in search(model, sentences, SearchSettings(max_length=budget))]
        assert max(lengths) <= budget
        assert np.mean(lengths) > 0.6 * budget


def test_headlines_are_found_in_their_sources(model, pairs):
    """The extract says what the headline does, in most of its words."""
    shares = []
    extracts = search(model, (source for source, _ in pairs[:100]), SIX_WORDS)
    for (_, headline), extract in zip(pairs, extracts, strict=False):
        said = set(headline.split()) - {"in"}
        shares.append(len(said & set(extract.text.split())) / len(said))
    assert np.mean(shares) > 0.7


def test_a_possessive_stays_with_its_word(model):
    text = "The mayor's harbour and the farmers' bridge aren't what York's bakers had asked for"
    for asked in ({"words": k} for k in range(2, 12)):
        for method in ("ascent", "climb"):
            extract = next(search(model, [text], SearchSettings(method=method, **asked)))
            words = extract.text.split()
            for at, word in enumerate(words):
                if word == "'s":
                    assert words[at - 1] in ("mayor", "York")


def test_marks_and_unknown_words_are_never_kept(model):
    text = "the UNK mayor -lrb- of `` york '' -rrb- , opens <unk> the bridge : $ ## . in leeds"
    extract = next(search(model, [text], SearchSettings(words=20)))
    assert extract.text == "the mayor of york opens the bridge ## in leeds"
    assert extract.short


@pytest.mark.parametrize(("text", "expected"), [("", ""), (" ... ", ""), ("Rain", "Rain")])
def test_a_sentence_with_too_few_words_is_kept_as_it_is(model, text, expected):
    for asked in ({"words": 8}, {"max_length": 50}):
        extract = next(search(model, [text], SearchSettings(**asked)))
        assert (extract.text, extract.short) == (expected, True)


def test_a_budget_below_every_word_keeps_nothing(model):
    extract = next(search(model, ["farmers refuse bridge"], SearchSettings(max_length=3)))
    assert (extract.text, extract.positions, extract.short) == ("", (), False)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({}, "either words or max_length"),
        ({"words": 8, "max_length": 50}, "either words or max_length"),
        ({"words": 0}, "at least 1"),
        ({"max_length": -3}, "at least 1"),
        ({"words": 8, "method": "magic"}, "unknown method 'magic'"),
    ],
)
def test_what_cannot_be_searched_for_is_refused(asked, message):
    with pytest.raises(InvalidInput, match=message):
        SearchSettings(**asked)
