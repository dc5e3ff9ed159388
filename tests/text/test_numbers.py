"""Numbers and the scale they need."""

from __future__ import annotations

import pytest

from nacc.text.numbers import is_number, needed_scale, needs_number, scalable
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
        ("nine million people", 0, "mln"),
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


@pytest.mark.parametrize(
    ("text", "place"),
    [("150 billion euros", 1), ("up 12 percent", 2), ("two million people", 1), ("12 per cent", 1)],
)
def test_a_scale_that_follows_a_number_in_its_source_needs_one(text, place):
    words = split(text).keys
    assert needs_number(words[place], words, place)


@pytest.mark.parametrize(
    ("text", "place"),
    [("many million", 1), ("million march", 0), ("a percent", 1), ("150 euros", 1)],
)
def test_other_scales_and_words_need_no_number(text, place):
    words = split(text).keys
    assert not needs_number(words[place], words, place)


def test_a_new_scale_needs_a_number_a_new_preposition_none():
    assert needs_number("mln", split("850 million euros").keys, None)
    assert needs_number("pct", split("up 12 percent").keys, None)
    assert not needs_number("per", split("fares rise").keys, None)


def test_scales_follow_numbers_and_scales():
    assert all(map(scalable, ["150", "$2.3", "#.#", "two", "hundred"]))
    assert not any(map(scalable, ["", "percent", "spend", "a"]))
