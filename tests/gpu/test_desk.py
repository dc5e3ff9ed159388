"""What a worker remembers of words has bounds."""

from __future__ import annotations

from nacc.gpu import desk
from nacc.gpu.desk import Remembered
from nacc.text.memory import LONGEST


def test_a_word_is_worked_out_once():
    asked: list[str] = []
    known = Remembered(lambda word: asked.append(word) or len(word))
    assert [known[word] for word in ("rain", "rome", "rain")] == [4, 4, 4]
    assert asked == ["rain", "rome"]


def test_what_is_remembered_does_not_grow_without_end(monkeypatch):
    monkeypatch.setattr(desk, "MOST_KNOWN", 3)
    known = Remembered(len)
    for i in range(20):
        assert known[f"word{i}"] == len(f"word{i}")
        assert len(known) <= 3
    assert known["x" * (LONGEST + 1)] == LONGEST + 1
    assert len(known) <= 3 and "x" * (LONGEST + 1) not in known
