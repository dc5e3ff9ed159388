"""Numbers and the scale they need."""

from __future__ import annotations

import pytest

from nacc.text.numbers import is_number, needed_scale
from nacc.text.words import split


@pytest.mark.parametrize("word", ["5", "2.3bn", "#.#", "3-2", "€5", "9-year-old"])
def test_words_with_digits_are_numbers(word):
    assert is_number(word)


@pytest.mark.parametrize("word", ["five", "", "euros", "%"])
def test_words_without_are_not(word):
    assert not is_number(word)


@pytest.mark.parametrize(
    ("text", "place", "scale"),
    [
        ("150 billion euros", 0, "mln"),
        ("$4 million", 0, "bn"),
        ("up 12 percent", 1, "%"),
        ("#.# percent .", 0, "pct"),
    ],
)
def test_a_number_needs_a_scale_of_the_kind_its_source_gives_it(text, place, scale):
    needed = needed_scale(split(text).keys, place)
    assert needed is not None
    assert scale in needed
    assert "euros" not in needed


@pytest.mark.parametrize(
    ("text", "place"), [("150 euros", 0), ("many million", 0), ("the year 2027", 2), ("12% up", 0)]
)
def test_other_words_need_none(text, place):
    assert needed_scale(split(text).keys, place) is None
