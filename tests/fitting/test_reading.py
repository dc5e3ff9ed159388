"""How long a summary a budget asks for, whatever it is measured in."""

from __future__ import annotations

import pytest

from nacc.fitting.reading import AIM, characters
from nacc.length.budget import Budget
from nacc.text.words import split

TEXT = split("The harbour pilots of Odense will stop work for two days, their union said.")
WIDE = split("市長は火曜日に新しい図書館の計画を発表した と 市は述べた")


@pytest.mark.parametrize("amount", [10, 50, 75, 120])
@pytest.mark.parametrize("unit", ["characters", "bytes", "graphemes", "columns"])
def test_of_plain_text_a_character_is_one_of_most_units(amount, unit):
    assert characters(TEXT, Budget.of(amount, unit)) == int(AIM * amount)


def test_a_wide_text_has_fewer_characters():
    plain = characters(WIDE, Budget.of(60))
    assert characters(WIDE, Budget.of("60 columns")) < 0.6 * plain
    assert characters(WIDE, Budget.of("60 bytes")) < 0.45 * plain


def test_words_and_pixels_are_as_long_as_those_of_the_text():
    per_word = len(str(TEXT)) / len([word for word in TEXT.words if word.isalpha()])
    assert characters(TEXT, Budget.of("8 words")) == pytest.approx(8 * per_word, rel=0.15)
    budget = Budget.of("300 px")
    fitting = str(TEXT)[: characters(TEXT, budget)]
    assert 0.8 * 300 < budget.length(fitting) <= 300


def test_a_message_has_the_alphabet_that_the_text_has():
    assert characters(TEXT, Budget.of("sms")) == int(AIM * 160)
    assert characters(split("Żółw wins again"), Budget.of("sms")) == int(AIM * 70)


def test_what_cannot_be_measured_asks_for_something():
    assert characters(split("🎉🎉🎉"), Budget.of("20 bytes ascii")) >= 1
    assert characters(split("!!!"), Budget.of("2 words")) >= 1
