"""Words, phrases and beginnings of words, as callers write them."""

from __future__ import annotations

import pytest

from nacc.text.phrases import Phrase, stands_in
from nacc.text.words import split

KEYS = split("Tim Cooke's U.S. telecoms firm paid $2.3 billion on Harbour Street.").keys


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("Tim Cooke", 0),
        ("cooke", 1),
        ("Cooke’s", 1),
        ("U.S.", 3),
        ("telecom", None),
        ("telecom*", 4),
        ("Harbour St*", KEYS.index("harbour")),
        ("Tim Street", None),
        ("U.S", 3),
        ("$2.3 Billion", 7),
        ("“Harbour Street.”", KEYS.index("harbour")),
    ],
)
def test_it_is_found_where_its_words_stand_in_a_row(written, place):
    assert Phrase.of(written).found(KEYS) == place


def test_a_known_word_is_not_taken_apart():
    assert Phrase.of("#.#").words != ("#.#",)
    assert Phrase.of("#.#", {"#.#"}).words == ("#.#",)


def test_a_stop_of_its_own_is_no_part_of_a_word():
    keys = split("Ask Mr. Fox, not Dr. Mr. Owl").keys
    assert [Phrase.of(each).found(keys) for each in ("Mr", "ask mr", "Mr Fox", "M")] == [
        1,
        0,
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("written", "text", "stands"),
    [
        ("{file}", "Delete {file}?", True),
        ("{file}", "Delete file?", False),
        ("C++", "in C + + code", False),
        ("Fox\n News*", "fox newspapers", True),
        ("“Harbour Street.”", "harbour street bridge", True),
        ("Cooke’s", "Cooke's firm", True),
    ],
)
def test_it_stands_in_a_text_as_it_is_written(written, text, stands):
    assert stands_in(written, text) == stands
    assert stands_in("C++", "in c + + code", spaced=False)


@pytest.mark.parametrize(("written", "looks"), [("absent", 0), ("no matter", 3), ("no*", 0)])
def test_it_is_looked_at_only_where_its_first_word_stands(monkeypatch, written, looks):
    """A hundred of them are sought in a megabyte."""
    seen, matches = [], Phrase.matches
    monkeypatch.setattr(
        Phrase, "matches", lambda one, keys: seen.append(keys) or matches(one, keys)
    )
    Phrase.of(written).found(("yes", "no", "so") * 3)
    assert len(seen) == looks
