"""Words become numbers, texts one stream."""

from __future__ import annotations

import numpy as np
import pytest

from nacc.errors import InvalidInput
from nacc.ngrams.counting import numbered, row_starts, rows_cover

TEXTS = ["b a c".split(), [], "a d".split(), "d b a".split()]


def test_the_most_frequent_words_are_known_and_of_equals_the_first_by_alphabet():
    assert numbered(TEXTS, most=9).words == ("a", "b", "d", "c")
    few = numbered(TEXTS, most=2)
    assert (few.words, few.unknown) == (("a", "b"), 2)
    often = numbered(TEXTS, most=9, least=3)
    assert (often.words, often.unknown) == (("a",), 3)


def test_texts_lie_one_after_the_other():
    found = numbered(TEXTS, most=2)
    assert found.stream.tolist() == [1, 0, -1, 0, -1, -1, 1, 0]
    assert found.ends.tolist() == [3, 3, 5, 8]


def test_boundaries_stand_around_every_text_with_words():
    found = numbered(TEXTS, most=2)
    one = found.chained(1, first=1, unknown=-1)
    assert one.tolist() == [0, 2, 1, -1, 0, 1, -1, 0, -1, 2, 1, 0]
    two = found.chained(2, first=2, unknown=1)
    assert two.tolist() == [0, 0, 3, 2, 1, 0, 0, 2, 1, 0, 0, 1, 3, 2, 0, 0]


def test_nothing_is_a_boundary():
    assert numbered([], most=5).chained(1, first=1, unknown=-1).tolist() == [0]


def test_a_line_break_would_part_a_word():
    with pytest.raises(InvalidInput, match="line break"):
        numbered([["a\nb"]], most=5)


def test_rows_cover_their_entries_or_not():
    starts = row_starts(np.array([0, 0, 2]), 4)
    assert starts.tolist() == [0, 2, 2, 3, 3]
    assert rows_cover(starts, 3) and not rows_cover(starts, 4) and not rows_cover(starts[::-1], 3)
