"""Reading budgets as people write them, and refusing what is none."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacc import Budget
from nacc.errors import InvalidInput
from nacc.length import LARGEST, PRESETS, UNITS
from nacc.length.measures import Bytes, Characters, Columns, Graphemes, Pixels, Sms, Words


@pytest.mark.parametrize(
    ("written", "amount", "measure"),
    [
        (50, 50, Characters()),
        (np.int64(50), 50, Characters()),
        (50.0, 50, Characters()),
        ("50", 50, Characters()),
        (" 50 chars ", 50, Characters()),
        ("0", 0, Characters()),
        ("1 character", 1, Characters()),
        ("20 graphemes", 20, Graphemes()),
        ("75 bytes", 75, Bytes()),
        ("75B", 75, Bytes()),
        ("75 bytes latin-1", 75, Bytes("latin-1")),
        ("12 words", 12, Words()),
        ("12 Words", 12, Words()),
        ("40 columns", 40, Columns()),
        ("40cols", 40, Columns()),
        ("600px", 600, Pixels("Arial", 20)),
        ("600 pixels", 600, Pixels("Arial", 20)),
        ("600.5px", 600.5, Pixels("Arial", 20)),
        ("600px 16", 600, Pixels("Arial", 16)),
        ("600px Roboto", 600, Pixels("Roboto", 20)),
        ("600px inter 13.5", 600, Pixels("Inter", 13.5)),
        ("600px liberation sans 16px", 600, Pixels("Arial", 16)),
        ("2 sms", 2, Sms()),
        ("sms", 1, Sms()),
        ("Push title", 30, Characters()),
        ("search-title", 600, Pixels("Arial", 20)),
        ("duc", 75, Bytes()),
        ("lcd_16", 16, Columns()),
    ],
)
def test_budgets_are_read_as_people_write_them(written, amount, measure):
    budget = Budget.of(written)
    assert (budget.amount, budget.measure) == (amount, measure)
    assert type(budget.amount) is type(amount)


@pytest.mark.parametrize(
    "written",
    [
        *("", " ", "ten", "-3", "50 parsecs", "nan", "inf", "1e3", "50%", "50 %", "5 000", "px"),
        *("50 words please", "12.5 words", "1.5", "75 bytes klingon", "600px Comic Sans 20"),
        *("600px Arial 0", "600px Arial 5000", "9" * 400, "1000001", "٥٠", "50\n60", "half \ud83d"),
        *(-1, 1.5, float("nan"), float("inf"), -0.5, 10**400, True, None, [50], b"50", 1j),
        Fraction(1, 2),
    ],
)
def test_nonsense_is_refused_by_a_typed_error(written):
    with pytest.raises(InvalidInput):
        Budget.of(written)


def test_errors_name_the_value_and_what_would_work():
    with pytest.raises(InvalidInput, match=r"'parsecs'.*'50 parsecs'.*characters.*pixels"):
        Budget.of("50 parsecs")
    with pytest.raises(InvalidInput, match=r"'ten'.*75 bytes"):
        Budget.of("ten")
    with pytest.raises(InvalidInput, match=r"words must be a whole number, not 12.5"):
        Budget.of("12.5 words")


MEASURES = [
    *(Characters(), Graphemes(), Bytes(), Bytes("shift_jis"), Words(), Columns(), Sms()),
    *(Pixels(), Pixels("Roboto", 13.5), Pixels("Inter", 0.0001)),
]


@given(amount=st.integers(0, LARGEST), measure=st.sampled_from(MEASURES))
def test_a_budget_written_out_reads_back_the_same(amount, measure):
    budget = Budget(amount, measure)
    assert Budget.of(str(budget)) == budget
    assert Budget.of(budget) is budget


@given(amount=st.floats(0, LARGEST))
def test_a_fraction_of_pixels_reads_back_the_same(amount):
    budget = Budget(amount, Pixels())
    assert Budget.of(str(budget)) == budget


@pytest.mark.parametrize(
    ("budget", "written"),
    [
        (Budget(50), "50 characters"),
        (Budget(1), "1 character"),
        (Budget(1, Bytes("latin-1")), "1 byte iso8859-1"),
        (Budget(1, Sms()), "1 sms"),
        (Budget(600, Pixels("arial", 20.0)), "600 px Arial 20"),
    ],
)
def test_budgets_are_written_in_plain_words(budget, written):
    assert str(budget) == written


def test_fits_is_about_the_finished_string():
    budget = Budget.of("5")
    assert budget.fits("exact")
    assert not budget.fits("longer")
    assert (budget.length("longer"), budget.overshoot("longer"), budget.overshoot("exact")) == (
        6,
        1,
        0,
    )


@pytest.mark.parametrize("unit", ["characters", "bytes", "px", "sms"])
@pytest.mark.parametrize("text", [None, b"bytes", 5])
def test_only_strings_have_a_length(unit, text):
    budget = Budget.of(5, unit)
    for ask in (budget.fits, budget.length, budget.enough):
        with pytest.raises(InvalidInput, match="a string, not of"):
            ask(text)


def test_the_amount_that_is_enough_is_in_tenths_at_most():
    for text in ("Zürich", "a fire in the mill", "Wi-Fi"):
        for unit in ("bytes", "words", "px", "px Inter 13.7"):
            amount = Budget.of(1, unit).enough(text)
            assert Budget.of(f"{amount} {unit}").fits(text)
            assert amount == round(amount, 1)
            assert not Budget.of(
                f"{round(amount - 0.1, 1) if 'px' in unit else amount - 1} {unit}"
            ).fits(text)


def test_every_preset_parses_by_name_and_says_its_source():
    names = [preset.name for preset in PRESETS]
    assert len(set(names)) == len(names)
    for preset in PRESETS:
        assert Budget.of(preset.name) == Budget.of(preset.budget)
        assert str(Budget.of(preset.name)) == preset.budget
        assert preset.what
        assert preset.source


def test_the_page_on_lengths_lists_every_preset_and_unit():
    page = (Path(__file__).parents[2] / "docs" / "lengths.md").read_text(encoding="utf-8")
    for preset in PRESETS:
        row = (f"`{preset.name}`", preset.budget, preset.what, preset.source)
        assert f"| {' | '.join(row)} |" in page
    for unit in UNITS:
        spellings = ", ".join(f"`{spelling}`" for spelling in unit.spellings if spelling)
        assert f"| {unit.name} | {spellings} | {unit.options or 'none'} | {unit.what} |" in page


def test_every_unit_parses_by_every_spelling():
    for unit in UNITS:
        for spelling in unit.spellings:
            assert Budget.of(f"7 {spelling}").measure.name == unit.name
