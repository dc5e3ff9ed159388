"""From words to a finished string: what is put back where it fits."""

from __future__ import annotations

from typing import Any

import pytest

from nacc.fitting.finish import spelled
from nacc.fitting.reading import Prompt
from nacc.length.budget import Budget
from nacc.options import Settled
from nacc.text.words import key, split


def said(source: str, words: str, budget: int, **asked: Any) -> str:
    """The words as a summary of the source would have them, within so many characters."""
    prompt, options = Prompt(source, split(source), False), Settled(**asked)
    forms = words.split()
    keys = [key(word) for word in forms]
    places: list[int | None] = [
        prompt.sentence.keys.index(word) if word in prompt.sentence.keys else None for word in keys
    ]
    return spelled(prompt, Budget(budget), options, forms, keys, places, 0.0).text


@pytest.mark.parametrize(
    ("budget", "expected"),
    [(22, "Why do people dream?"), (20, "Why do people dream?"), (19, "Why do people dream")],
)
def test_the_mark_of_a_question_that_wants_more_than_yes_or_no_comes_back_if_it_fits(
    budget, expected
):
    assert said("Why do people dream at night? Eighty slept.", "Why do people dream", budget) == (
        expected
    )


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, "Hopes for trade deal"),
        ({"case": "source"}, "Hopes for Trade deal"),
        ({"extract": True, "method": "linked"}, "Hopes for Trade deal"),
    ],
)
def test_what_is_left_of_a_name_keeps_its_capital_where_the_texts_own_words_are_wanted(
    asked, expected
):
    source = "He hopes for the old North American Free Trade Agreement as a deal."
    text = said(source, "Hopes for Trade deal", 50, **asked)
    assert text[0].lower() + text[1:] == expected[0].lower() + expected[1:]
