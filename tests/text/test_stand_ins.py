"""A text with placeholders reads as one without, and each comes back whole and in one place."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nacc.text.placeholders import placeholders
from nacc.text.stand_ins import readable


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("{name} sent %d files to %1$s.", "Robert sent 37 files to Maria."),
        ("{count, plural, one {# file} other {# files}} sent", "19 files sent"),
        ("{n, plural, one {a file} other {# files}} of {m, plural, other {#}}", "19 files of 37"),
        ('Click <a href="%s">here</a> to go on', "Click here to go on"),
        ("<b>Note:</b> it is **very** late", "Note: it is very late"),
        ("See [the terms](https://example.org/a_b) first", "See the terms first"),
        ("Terms &amp; Conditions, we&#39;ve read", "Terms & Conditions, we've read"),
        ("{user}'s file (“{file}”) was kept", "Robert's file (“Maria”) was kept"),
        ("<kbd>Ctrl</kbd>+<kbd>K</kbd> opens it", "Robert opens it"),
        ("%d of %d files, %d%% of all", "37 files, 58 of all"),
        ("Welcome to {app}, {name}!", "Welcome to Robert!"),
        ("<b>here</b> and here", "Robert and here"),
        ("Robert met {name}", "Robert met Maria"),
        ("call f({x}) now", "call Robert now"),
        ("{a} &amp; {b} met", "Robert met"),
        ("one<br/>two and <br/> three", "one<br/>two and <br/> three"),
        ("nothing in it", "nothing in it"),
    ],
)
def test_what_people_read(text, read):
    found = readable(text)
    assert found.text == read
    assert found.put_back(found.text) == text


@pytest.mark.parametrize(
    ("said", "put_back"),
    [
        ("Robert sent 37", "{name} sent %d"),
        ("37 from ROBERT's", "%d from {name}'s"),
        ("Robert sent", None),
        ("Robert sent 37 to Robert", None),
        ("Roberta sent 37", None),
        ("Robert sent 1.375", None),
    ],
)
def test_each_has_its_one_place_or_nothing_is_put_back(said, put_back):
    assert readable("{name} sent %d files").put_back(said) == put_back


def test_what_is_told_of_a_text_is_told_in_its_own_words():
    assert readable("{name} left").restored("'said robert', without Robert") == (
        "'said {name}', without {name}"
    )


def test_whether_more_is_said_than_a_program_fills_in():
    found = readable("On {day} you can [read them](x) all")
    assert found.says_more("Robert, read them all") and found.says_more("Read Robert")
    assert not readable("On {day} you can read it").says_more("On Robert, you")
    found = readable("You have {n, plural, other {# letters}} left")
    assert found.says_more("You have 19 letters")
    assert not found.says_more("19 letters")


PARTS = st.sampled_from(
    "{a} {b} %s %d <b> </b> <br/> ** & &amp; [x](y) ( ) “ ” , . 's it and of see".split()
)


@example([(",", " "), ("&amp;", " "), ("'s", "")])
@given(st.lists(st.tuples(PARTS, st.sampled_from(["", " "])), max_size=12))
def test_what_is_read_goes_back_to_the_text(parts):
    text = "".join(part + gap for part, gap in parts)
    found = readable(text)
    back = found.put_back(found.text)
    assert back is None or (back == text and placeholders(back) == placeholders(text))


@pytest.mark.parametrize("piece", ["{a} ", "<b>x</b> ", "{a}", "x" * 50, "&amp; ", "**a** "])
def test_no_text_takes_long(piece):
    started = time.perf_counter()
    readable(piece * 20_000 + " {a}")
    assert time.perf_counter() - started < 3
