"""The ruler under a text shows the budget and where the text ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nacc.apps.cli.ruler import ruled, ruler
from nacc.summary import Summary


def said(text: str, length: float, budget: float, unit: str = "characters") -> Summary:
    return Summary(text, length, unit, budget, 0.0, "exact", (), False)


def test_the_ruler_ends_where_the_text_does_and_dots_reach_the_budget():
    text = "Council votes to close bridge for months"
    line = ruler(said(text, 40, 50), 80)
    assert line == "────────10────────20────────30─────────┤·········· 40 of 50 characters"
    assert line.index("┤") + 1 == len(text)
    assert line.index("20") + 2 == 20


@pytest.mark.parametrize("length", [1, 2, 9, 10, 11, 99, 100])
def test_a_ruler_in_characters_is_as_long_as_the_budget(length):
    line = ruler(said("x" * length, length, 120), 200).split(" ")[0]
    assert line.index("┤") + 1 == length
    assert len(line) == 120


def test_a_ruler_in_other_units_is_scaled_to_the_text():
    line = ruler(said("x" * 50, 400.0, 600.0, "px Arial 20"), 200)
    assert "100" in line and "300" in line
    assert line.split(" ")[0].count("·") == 25
    assert line.endswith(" 400 of 600 px Arial 20")


def test_a_text_wider_than_the_terminal_has_words_for_a_ruler():
    assert ruler(said("x" * 90, 90, 100), 80) == "90 of 100 characters"


def test_a_text_that_was_not_read_to_its_end_says_so(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    whole = said("Man bites dog", 13, 50)
    told = "only the beginning of the text was read\n"
    assert ruled(replace(whole, truncated_input=True)) == ruled(whole) + told
