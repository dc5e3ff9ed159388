"""The rules about words, on small lattices."""

from __future__ import annotations

from dataclasses import replace

from nacc.fitting.reading import Reading
from nacc.fitting.rules import forbidden, governed_words, in_source_order, invented
from nacc.options import Settled

from .readings import read


def named(reading: Reading, ids: set[int]) -> set[str]:
    return {reading.word_lattice.keys[i] for i in ids}


def test_names_and_numbers_are_the_sources_or_stand_for_something_in_it():
    slots = ({"britain": 0.5, "uk": 0.2}, {"bans": 0.3, "iran": 0.2}, {"seven": 0.4, "two": 0.2})
    reading = read("Britain bans two kinds of plastic", *slots)
    reading = replace(reading, spellings={"uk": "UK", "iran": "Iran"})
    assert named(reading, invented(reading, Settled())) == {"iran", "seven"}
    asked = Settled(required=("Iran",))
    assert named(reading, invented(reading, asked)) == {"seven"}


def test_governed_words_are_those_that_are_not_so():
    reading = read(
        "The minister did not resign on Tuesday",
        {"minister": 0.5},
        {"resigns": 0.5, "tuesday": 0.2},
    )
    assert named(reading, governed_words(reading, Settled())) == {"resigns"}
    assert not governed_words(reading, Settled(required=("resigns",)))


def test_of_a_question_nothing_is_struck_out():
    reading = read("Will the minister resign?", {"minister": 0.5}, {"resigns": 0.5})
    assert not governed_words(reading, Settled())


def test_an_extract_says_the_sources_words_in_its_order():
    reading = read("dog sees dog run", {"dog": 0.5, "cat": 0.2}, {"run": 0.3}, {"sees": 0.4})
    asked = Settled(method="linked", extract=True)
    assert named(reading, forbidden(reading, asked)) == {"cat"}
    keys = [reading.word_lattice.keys[i] for i in in_source_order(reading)]
    assert keys == ["dog", "sees", "dog", "run"]
