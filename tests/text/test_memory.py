"""What is remembered of words has bounds, whatever is sent."""

from __future__ import annotations

import gc

import numpy as np

from nacc.text.language import _Table
from nacc.text.memory import LONGEST, Memory, remembered
from nacc.text.pieces import MOST_KNOWN


def test_a_word_is_worked_out_once_while_it_is_remembered():
    seen: list[str] = []

    @remembered(2)
    def length(word: str) -> int:
        seen.append(word)
        return len(word)

    assert [length(word) for word in ("a", "bb", "a", "ccc", "bb")] == [1, 2, 1, 3, 2]
    assert seen == ["a", "bb", "ccc", "bb"]


def test_a_word_as_long_as_a_text_is_not_remembered():
    seen: list[str] = []
    keep = remembered(10)(seen.append)
    for word in ("x" * LONGEST, "x" * (LONGEST + 1)) * 3:
        keep(word)
    assert seen.count("x" * LONGEST) == 1
    assert seen.count("x" * (LONGEST + 1)) == 3


def test_what_is_remembered_does_not_grow_without_end():
    known = Memory(len, 3)
    for i in range(20):
        assert known[f"word{i}"] == len(f"word{i}")
        assert len(known) <= 3
    assert known["x" * (LONGEST + 1)] == LONGEST + 1
    assert "x" * (LONGEST + 1) not in known


def test_letters_never_seen_before_are_forgotten_again(monkeypatch):
    asked: list[str] = []

    def letter(self, gram):
        asked.append(gram)
        return np.zeros(2)

    monkeypatch.setattr("nacc.text.language._REMEMBERED", 100)
    monkeypatch.setattr(_Table, "_uncached_letter", letter)
    table = _Table({"English": "the cat sat on the mat", "French": "le chat est sur le tapis"})
    for i in range(0x1E00, 0x1E00 + 250):
        table.odds(chr(i) * 3)
    first = asked[0]
    table._letter(first)
    assert asked.count(first) == 2


def test_no_more_words_are_remembered_than_a_vocabulary_has(model):
    """Strangers' words took 200 MB before they were forgotten."""
    gc.unfreeze()  # a server loaded before may have kept them out of collections
    memories = [one for one in gc.get_objects() if isinstance(one, Memory)]
    bounds = [one._most for one in memories if one._function.__module__.startswith("nacc.text")]
    assert len(bounds) > 8
    assert max(MOST_KNOWN, *bounds) <= 2**16


def test_new_words_are_learned_together_and_within_bounds():
    asked: list[list[str]] = []

    def lengths(words: list[str]) -> list[int]:
        asked.append(sorted(words))
        return list(map(len, words))

    known = Memory(len, 4)
    known.learn({"a", "bb"}, lengths)
    known.learn({"a", "bb", "ccc", "x" * (LONGEST + 1)}, lengths)
    assert asked == [["a", "bb"], ["ccc"]]
    assert known == {"a": 1, "bb": 2, "ccc": 3}
    known.learn({f"word{i}" for i in range(20)}, lengths)
    assert len(known) == 4
    known.learn(set(known), lengths)
    assert len(asked) == 3
