"""The benchmark of mixed rows sees what no answer may be."""

from __future__ import annotations

import importlib.util
from itertools import islice
from pathlib import Path

import pytest

from nacc.errors import BudgetTooSmall, InvalidInput
from nacc.length.budget import Budget
from nacc.summary import Summary, SummaryWord

_FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "rows.py"
_SPEC = importlib.util.spec_from_file_location("rows", _FILE)
assert _SPEC is not None and _SPEC.loader is not None
rows = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(rows)

TEXT = "Britain bans two kinds of plastic bag from shops in 2027, a minister said."


def answered(text: str, method: str = "linked", note: str = "") -> Summary:
    words = tuple(SummaryWord(word, None) for word in text.split())
    return Summary(text, len(text), "characters", 30, 0.0, method, words, False, note=note)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("UK bans plastic bag", None),
        ("Plastic bag banned in Britain's shops", "over"),
        ("", "empty"),
        ("Iran bans plastic bag", "foreign"),
        ("UK bans 3 kinds of bag", "foreign"),
        ("UK bans bags and plastic bag", "twice"),
        ("UK bans bag in ban", "twice"),
    ],
)
def test_faults_are_seen(text, fault):
    assert rows.wrong_with(TEXT, Budget(30), answered(text)) == fault


def test_what_is_the_texts_own_may_repeat_and_silence_may_have_a_reason():
    assert rows.wrong_with("go go go go", Budget(30), answered("go go go", "lead")) is None
    assert rows.wrong_with(TEXT, Budget(30), answered("", "lead", "no words")) is None


def test_errors_are_told_apart():
    assert rows.wrong_with(TEXT, Budget(1), BudgetTooSmall("nothing fits", 5)) == "told"
    assert rows.wrong_with(TEXT, Budget(30), InvalidInput("?")) == "failed"


def test_hostile_rows_are_of_all_kinds_and_the_same_each_time():
    made = list(islice(rows.hostile([TEXT, "One more text."]), 30))
    assert made == list(islice(rows.hostile([TEXT, "One more text."]), 30))
    assert {kind for kind, _ in made} == {
        "one megabyte", "markup", "languages", "emoji", "odd", "one word",
    }  # fmt: skip
