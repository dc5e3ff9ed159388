"""Whatever is said of a text with numbers, no half of one is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc import BudgetTooSmall
from nacc.text.amounts import amounts, halved
from nacc.text.words import split

NUMBERS = (
    "from 3 to 14 August", "between 5 and 7 percent", "minus 6 degrees", "at 8 p.m.",
    "$2.3 billion", "one in four", "9-2, 4-6", "two and a half years", "up to 40 tons",
    "half of the 600 pupils", "12 to 15 whales", "on May 21",
)  # fmt: skip
FRAMES = (
    "The port said {} and that {} will be a part of the plan, with {} more in the north.",
    "Pilots in Odense stop work {} after the mayor offered {}, the union said on {}.",
)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(FRAMES),
    st.lists(st.sampled_from(NUMBERS), min_size=3, max_size=3, unique=True),
    st.integers(15, 90),
    st.booleans(),
)
def test_no_half_of_a_number_is_said(linked, frame, numbers, budget, extract):
    text = frame.format(*numbers)
    source = split(text)
    try:
        said = linked.summarize(text, budget, extract=extract, rewrite="always")
    except BudgetTooSmall:
        return
    words = [word.text.lower() for word in said.words]
    if said.method != "lead":
        assert halved(source, words) is None, said
    else:
        assert not any(start < len(words) < end for start, end in amounts(source)), said


@pytest.mark.parametrize("budget", [30, 50, 75])
def test_nor_by_the_packaged_model(model, budget):
    for frame in FRAMES:
        for i in range(0, len(NUMBERS), 3):
            text = frame.format(*NUMBERS[i : i + 3])
            said = model.summarize(text, budget, rewrite="always")
            if said.method != "lead":
                assert halved(split(text), [word.text.lower() for word in said.words]) is None
