"""The benchmark of mixed rows sees what no answer may be."""

from __future__ import annotations

import importlib.util
import sys
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
sys.modules["rows"] = rows  # where dataclasses look for it
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


class Echo:
    """Says the beginning of each text; ends the run at one that says so."""

    @classmethod
    def load(cls) -> Echo:
        return cls()

    def each(self, texts, budgets, workers):
        for text in texts:
            if text == "stop":
                raise KeyboardInterrupt
            yield [answered(text[:30]) for _ in budgets]


def test_a_run_that_was_ended_goes_on_where_it_was(monkeypatch, tmp_path):
    texts = [("news", f"Text number {n} of the run") for n in range(7)]
    monkeypatch.setattr(rows, "Summarizer", Echo)
    monkeypatch.setattr(rows, "WRITTEN", 2)
    monkeypatch.setattr(rows, "mixed", lambda: iter(texts))
    rows.run(rows.Found(), 7, tmp_path / "whole")
    monkeypatch.setattr(rows, "mixed", lambda: iter([*texts[:5], ("news", "stop")]))
    with pytest.raises(KeyboardInterrupt):
        rows.run(rows.Found(), 7, tmp_path / "parts")
    left = rows.Found.read(tmp_path / "parts.json")
    assert left.rows == 4
    monkeypatch.setattr(rows, "mixed", lambda: iter(texts))
    rows.run(left, 7, tmp_path / "parts")
    whole, parts = (rows.Found.read(tmp_path / f"{name}.json") for name in ("whole", "parts"))
    assert whole == parts and whole.rows == 7
    assert whole.kinds["news"]["answers"] == 7 * len(rows.BUDGETS)


def test_what_another_commit_has_found_is_not_gone_on_with(monkeypatch, tmp_path):
    monkeypatch.setattr(rows, "Summarizer", Echo)
    monkeypatch.setattr(rows, "mixed", lambda: iter([("news", "A text")]))
    rows.run(rows.Found(), 1, tmp_path / "rows")
    path = tmp_path / "rows.json"
    path.write_text(path.read_text("utf-8").replace('"commit": "', '"commit": "other '), "utf-8")
    assert rows.Found.read(path) == rows.Found()
