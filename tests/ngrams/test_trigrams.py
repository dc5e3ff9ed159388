"""The headline models: probabilities, the published estimate, perplexities."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc.errors import InvalidInput
from nacc.ngrams.trigrams import BOUNDARY, FIRST_WORD, Trigrams

B = "<>"
corpora = st.lists(
    st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6), min_size=1, max_size=25
)


@settings(max_examples=150, deadline=None)
@given(corpora, st.integers(1, 3), st.integers(1, 3))
def test_probabilities_sum_to_one_after_any_context(corpus, min_count, min_window_count):
    models = Trigrams.train(corpus, min_count=min_count, min_window_count=min_window_count)
    classes = np.arange(len(models.words) + FIRST_WORD)
    for x, y in product(classes, classes):
        if y != BOUNDARY:  # after the boundary that ends a headline comes nothing
            total = np.exp(models.terms(x, y, classes)[0]).sum()
            assert total == pytest.approx(1.0, abs=0.005)  # stored as 16-bit floats
        if x != BOUNDARY:
            total = np.exp(models.terms(classes, x, y)[1]).sum()
            assert total == pytest.approx(1.0, abs=0.005)


@settings(max_examples=100, deadline=None)
@given(corpora)
def test_the_first_word_has_a_distribution_too(corpus):
    models = Trigrams.train(corpus, min_count=1)
    classes = np.arange(len(models.words) + FIRST_WORD)
    for way in (0, 1):
        values = models.terms(*((0, 0, classes) if way == 0 else (classes, 0, 0)))[way]
        assert np.exp(values).sum() == pytest.approx(1.0, abs=0.005)


def modified_kneser_ney(corpus, vocabulary):
    """log p(c | a b) by the book, with dictionaries: forward only."""
    chains = [[B, *headline, B] for headline in corpus]
    windows = Counter(w for chain in chains for w in zip(chain, chain[1:], chain[2:], strict=False))
    pairs = Counter(pair for chain in chains for pair in pairwise(chain))
    company = defaultdict(set)
    for a, b, c in windows:
        company[b, c].add(a)
    pair_counts = {p: pairs[p] if p[0] == B else len(company[p]) for p in pairs}
    types = Counter(y for _, y in pairs)

    def discounts(counts):
        n = Counter(counts)
        if not all(n[i] for i in (1, 2, 3, 4)):
            return [0.0, 0.5, 0.75, 0.75]
        y = n[1] / (n[1] + 2 * n[2])
        found = [i - (i + 1) * y * n[i + 1] / n[i] for i in (1, 2, 3)]
        top = (0.95, 1.9, 2.85)
        return [0.0, *(min(max(d, 0.05), t) for d, t in zip(found, top, strict=True))]

    def level(counts, context, shorter):
        cut = discounts(counts.values())

        def p(event):
            row = {e: c for e, c in counts.items() if e[:-1] == context(event)}
            total = sum(row.values())
            if not total:
                return shorter(event)
            left = sum(cut[min(c, 3)] for c in row.values()) / total
            own = row.get(event, 0)
            return (own - cut[min(own, 3)]) / total + left * shorter(event)

        return p

    unigram = level(
        {(w,): c for w, c in types.items()}, lambda e: (), lambda e: 1 / (len(vocabulary) + 2)
    )
    pair = level(pair_counts, lambda e: e[:-1], lambda e: unigram(e[1:]))
    return level(windows, lambda e: e[:-1], lambda e: pair(e[1:]))


@settings(max_examples=60, deadline=None)
@given(corpora)
def test_values_are_modified_kneser_ney_in_both_directions(corpus):
    models = Trigrams.train(corpus, min_count=1)
    p = modified_kneser_ney(corpus, models.words)
    reverse = modified_kneser_ney([headline[::-1] for headline in corpus], models.words)
    name = dict(enumerate([B, "?", *models.words]))
    words = [i for i in name if i >= FIRST_WORD][:4]
    for a, b, c in product([BOUNDARY, *words], words, [BOUNDARY, *words]):
        forward, backward = models.terms(a, b, c)
        assert forward == pytest.approx(math.log(p((name[a], name[b], name[c]))), abs=0.01)
        assert backward == pytest.approx(math.log(reverse((name[c], name[b], name[a]))), abs=0.01)


def test_discounts_are_those_of_chen_and_goodman():
    corpus = [list("ab")] * 4 + [list("cd")] * 3 + [list("ef")] * 2 + [list("gh"), list("ij")]
    corpus += [list("ac"), list("ca"), list("ei"), list("ic"), list("kab")]
    models = Trigrams.train(corpus, min_count=1)
    p = modified_kneser_ney(corpus, models.words)
    for window in ((B, "a", "b"), (B, "c", "d"), ("k", "a", "b"), ("a", "b", B), ("c", "e", "f")):
        found = models.terms(*[0 if w == B else models.index[w] for w in window])[0]
        assert found == pytest.approx(math.log(p(window)), abs=0.01)


def test_a_perplexity_is_that_of_the_terms_of_all_windows():
    models = Trigrams.train([list("abc"), list("abd"), list("ca")], min_count=1)
    headlines = [list("abz"), [], list("d")]
    chains = [[0, 0, *models.ids(h), 0, 0] for h in headlines if h]
    windows = [w for chain in chains for w in zip(chain, chain[1:], chain[2:], strict=False)]
    totals = sum(np.array(models.terms(*window)) for window in [*windows, (0, 0, 0)])
    found = models.perplexity(headlines)
    assert found[:2] == pytest.approx(np.exp(-totals / 7))  # four words and three ends
    assert found.unknown == 1 / 4
    assert all(map(math.isnan, models.perplexity([])))


@settings(max_examples=50, deadline=None)
@given(corpora)
def test_precise_models_with_one_discount_are_distributions_too(corpus):
    models = Trigrams.train(corpus, min_count=1, discount=0.75, precise=True)
    classes = np.arange(len(models.words) + FIRST_WORD)
    for x, y in product(classes, classes[1:]):
        assert np.exp(models.terms(x, y, classes)[0]).sum() == pytest.approx(1.0)


def test_no_headline_is_refused():
    with pytest.raises(InvalidInput, match="no headline"):
        Trigrams.train([[], []])
    with pytest.raises(InvalidInput, match="vocabulary_size = 0"):
        Trigrams.train([["a"]], vocabulary_size=0)
