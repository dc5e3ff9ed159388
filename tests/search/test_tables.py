"""The table of a sentence's terms holds what the trigrams say of every window."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc.ngrams.trigrams import BOUNDARY, OTHER, Trigrams
from nacc.search.kernels.tables import window_table

corpora = st.lists(
    st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6), min_size=1, max_size=25
)


@settings(max_examples=100, deadline=None)
@given(corpora, st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8))
def test_the_table_holds_the_terms_of_every_window(corpus, sentence):
    models = Trigrams.train(corpus, min_count=1)
    cost = 2.5
    ids = models.ids(sentence)
    table = window_table(
        models.arrays, ids, np.where(ids == OTHER, cost, 0.0), np.zeros(len(ids), np.bool_)
    )
    n = len(ids)
    padded = [BOUNDARY, *ids.tolist(), BOUNDARY]
    for b in range(1, n + 1):
        for a, c in product(range(b), range(b + 1, n + 2)):
            window = padded[a], padded[b], padded[c]
            unknown = (window[0] == OTHER) + (window[2] == OTHER)
            expected = sum(models.terms(*window)) - cost * unknown
            assert table[a, b, c] == pytest.approx(expected, abs=1e-4)
        unknown = cost * (padded[b] == OTHER)
        first, last = (0, 0, padded[b]), (padded[b], 0, 0)
        assert table[0, 0, b] == pytest.approx(models.terms(*first)[0] - unknown, abs=1e-4)
        assert table[b, n + 1, n + 1] == pytest.approx(models.terms(*last)[1] - unknown, abs=1e-4)
