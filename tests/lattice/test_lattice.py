"""Selecting the candidates of a lattice from a table of log-probabilities."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nacc.lattice import NO_WORD, Lattice

TABLES = arrays(
    np.float64,
    st.tuples(st.integers(0, 4), st.integers(1, 9)),
    elements=st.sampled_from([0.0, -1.0, -2.0, -3.0, -np.inf]),
)


@settings(max_examples=300, deadline=None)
@given(TABLES, st.integers(0, 8), st.integers(1, 12), st.data())
def test_the_best_words_are_selected_and_the_rest_is_bounded(table, blank, top_k, data):
    vocabulary = table.shape[1]
    blank %= vocabulary
    others = [word for word in range(vocabulary) if word != blank]
    always = data.draw(st.sets(st.sampled_from(others))) if others else set()
    never = data.draw(st.sets(st.sampled_from(others))) - always if others else set()
    lattice = Lattice.from_log_probs(
        table, blank=blank, top_k=top_k, always=sorted(always), never=sorted(never)
    )
    for slot, row in enumerate(table):
        possible = [w for w in others if w not in never and row[w] > -np.inf]
        best = sorted(possible, key=lambda word: (-row[word], word))
        chosen = set(best[:top_k]) | (always & set(possible))
        words = lattice.words[slot]
        assert set(words[words != NO_WORD].tolist()) == chosen
        for word, value in zip(words, lattice.values[slot], strict=True):
            assert value == (row[word] if word != NO_WORD else -np.inf)
        assert lattice.blank[slot] == row[blank]
        left_out = [row[word] for word in possible if word not in chosen]
        assert max(left_out, default=-np.inf) <= lattice.rest[slot]
        assert lattice.rest[slot] == (row[best[top_k]] if len(best) > top_k else -np.inf)


def test_arrays_are_brought_to_the_documented_types():
    lattice = Lattice([[0, 1]], np.array([[-1, -2]], np.float32), [-1], [-np.inf])
    assert lattice.slots == 1
    assert lattice.words.dtype == np.int32
    assert {lattice.values.dtype, lattice.blank.dtype, lattice.rest.dtype} == {np.dtype("f8")}
