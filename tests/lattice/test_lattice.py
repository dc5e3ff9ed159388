"""Selecting the candidates of a lattice from a table of log-probabilities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nacc.errors import InvalidInput
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


def small(**more) -> Lattice:
    """Three slots over the words 0 to 3; the last knows but one word."""
    none = -np.inf
    return Lattice(
        [[0, 1], [2, 1], [3, NO_WORD]], [[-1, -2], [-1, -3], [-2, none]], [-1, -2, -3],
        [-4, -5, none], **more,
    )  # fmt: skip


def test_unless_told_otherwise_slots_belong_to_the_words_in_their_order():
    lattice = small()
    assert lattice.places.tolist() == [0, 1, 2] and lattice.places.dtype == np.int32
    assert lattice.links is None
    given = small(places=[4, -1, 0], links=np.zeros((4, 4), np.float32))
    assert given.places.tolist() == [4, -1, 0]
    assert given.links is not None and given.links.dtype == np.float64


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"places": [0, 1]}, "Lattice.places must have one value for each of 3 slots"),
        ({"places": [0.5, 1.0, 2.0]}, "Lattice.places must hold int32, got float64"),
        ({"places": [0, 1, 2**40]}, "which is no 32-bit place"),
        ({"links": np.zeros((3, 3))}, r"links must be a \(4, 4\) array for 3 slots, .*\(3, 3\)"),
        ({"links": [["a"]]}, "Lattice.links must hold float64"),
    ],
)
def test_places_and_links_of_another_shape_are_refused(more, message):
    with pytest.raises(InvalidInput, match=message):
        small(**more)


def test_a_lattice_without_some_words_is_otherwise_the_same():
    lattice = small(places=[2, 1, 0], links=np.zeros((4, 4)))
    less = lattice.without({1, 3, 9})
    assert less.words.tolist() == [[0, NO_WORD], [2, NO_WORD], [NO_WORD, NO_WORD]]
    assert less.values.tolist() == [[-1, -np.inf], [-1, -np.inf], [-np.inf, -np.inf]]
    for name in ("blank", "rest", "places", "links"):
        assert getattr(less, name).tolist() == getattr(lattice, name).tolist()
    assert lattice.without(()) is lattice


def test_a_new_word_may_stand_in_the_slots_of_its_places_in_the_source():
    lattice = small(places=[5, 7, 5], links=np.zeros((4, 4)))
    more = lattice.with_word(8, [5, 6])
    assert more.words.tolist() == [[0, 1, 8], [2, 1, NO_WORD], [3, NO_WORD, 8]]
    assert more.values[:, 2].tolist() == [-4, -np.inf, -np.inf]  # the likeliest left out, if any
    assert more.values[:, :2].tolist() == lattice.values.tolist()
    for name in ("blank", "rest", "places", "links"):
        assert getattr(more, name).tolist() == getattr(lattice, name).tolist()
    with pytest.raises(InvalidInput, match="word 2 is a candidate already"):
        lattice.with_word(2, [5])
