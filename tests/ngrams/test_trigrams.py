"""The headline models: probabilities, the published estimate, and the table of their terms."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc.errors import InvalidInput
from nacc.ngrams.trigrams import BOUNDARY, FIRST_WORD, UNKNOWN, Trigrams
from nacc.search.lookup import perplexities, terms
from nacc.search.problem import fill

B = "<>"
corpora = st.lists(
    st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6), min_size=1, max_size=25
)


@settings(max_examples=150, deadline=None)
@given(corpora, st.integers(1, 3), st.integers(1, 3))
def test_probabilities_sum_to_one_after_any_context(corpus, min_count, min_window_count):
    models = Trigrams.train(corpus, min_count=min_count, min_window_count=min_window_count)
    classes = range(len(models.words) + FIRST_WORD)
    for x, y in product(classes, classes):
        if y != BOUNDARY:  # after the boundary that ends a headline comes nothing
            total = sum(math.exp(terms(models.arrays, x, y, c)[0]) for c in classes)
            assert total == pytest.approx(1.0, abs=0.005)  # stored as 16-bit floats
        if x != BOUNDARY:
            total = sum(math.exp(terms(models.arrays, a, x, y)[1]) for a in classes)
            assert total == pytest.approx(1.0, abs=0.005)


@settings(max_examples=100, deadline=None)
@given(corpora)
def test_the_first_word_has_a_distribution_too(corpus):
    models = Trigrams.train(corpus, min_count=1)
    classes = range(len(models.words) + FIRST_WORD)
    for way in (0, 1):
        windows = [(0, 0, w) if way == 0 else (w, 0, 0) for w in classes]
        values = [terms(models.arrays, *window)[way] for window in windows]
        assert sum(map(math.exp, values)) == pytest.approx(1.0, abs=0.005)


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
        forward, backward = terms(models.arrays, a, b, c)
        assert forward == pytest.approx(math.log(p((name[a], name[b], name[c]))), abs=0.01)
        assert backward == pytest.approx(math.log(reverse((name[c], name[b], name[a]))), abs=0.01)


def test_discounts_are_those_of_chen_and_goodman():
    corpus = [list("ab")] * 4 + [list("cd")] * 3 + [list("ef")] * 2 + [list("gh"), list("ij")]
    corpus += [list("ac"), list("ca"), list("ei"), list("ic"), list("kab")]
    models = Trigrams.train(corpus, min_count=1)
    p = modified_kneser_ney(corpus, models.words)
    for window in ((B, "a", "b"), (B, "c", "d"), ("k", "a", "b"), ("a", "b", B), ("c", "e", "f")):
        found = terms(models.arrays, *[0 if w == B else models.index[w] for w in window])[0]
        assert found == pytest.approx(math.log(p(window)), abs=0.01)


@settings(max_examples=100, deadline=None)
@given(corpora, st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8))
def test_the_table_holds_the_terms_of_every_window(corpus, sentence):
    models = Trigrams.train(corpus, min_count=1)
    cost = 2.5
    ids = models.ids(sentence)
    table = fill(models.arrays, ids, np.zeros(len(ids), np.bool_), cost)
    n = len(ids)
    padded = [BOUNDARY, *ids.tolist(), BOUNDARY]
    for b in range(1, n + 1):
        for a, c in product(range(b), range(b + 1, n + 2)):
            window = padded[a], padded[b], padded[c]
            unknown = (window[0] == UNKNOWN) + (window[2] == UNKNOWN)
            expected = sum(terms(models.arrays, *window)) - cost * unknown
            assert table[a, b, c] == pytest.approx(expected, abs=1e-4)
        unknown = cost * (padded[b] == UNKNOWN)
        first, last = (0, 0, padded[b]), (padded[b], 0, 0)
        assert table[0, 0, b] == pytest.approx(terms(models.arrays, *first)[0] - unknown, abs=1e-4)
        assert table[b, n + 1, n + 1] == pytest.approx(
            terms(models.arrays, *last)[1] - unknown, abs=1e-4
        )


def test_headlines_are_less_surprising_than_their_words_in_disorder(teacher, pairs):
    headlines = [headline.split() for _, headline in pairs[300:400]]
    forward, backward, unknown = perplexities(teacher.models, headlines)
    disorder = perplexities(teacher.models, [sorted(headline) for headline in headlines])
    assert forward < disorder[0] / 3 and backward < disorder[1] / 3
    assert 0 <= unknown < 1


def test_no_headline_is_refused():
    with pytest.raises(InvalidInput, match="no headline"):
        Trigrams.train([[], []])
    with pytest.raises(InvalidInput, match="vocabulary_size = 0"):
        Trigrams.train([["a"]], vocabulary_size=0)
