"""What a summary may say and what turns its source round. In meaning.txt, each source has answers
that are true to it (+) and answers that are not (-)."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from nacc.text import meaning
from nacc.text.meaning import governed, spans, violates, violations
from nacc.text.words import split

CONTRASTS = Path(__file__).with_name("meaning.txt").read_text("utf-8").splitlines()


def cases():
    source = ""
    for line in CONTRASTS:
        if line[:2] in ("+ ", "- "):
            yield pytest.param(source, line[2:], line[0] == "+", id=line)
        elif not line.startswith("#"):
            source = line


CASES = list(cases())


def test_there_are_enough_cases():
    assert len(CASES) >= 150


@pytest.mark.parametrize(("source", "answer", "true"), CASES)
def test_what_is_true_to_its_source(source, answer, true):
    sentence = split(source)
    found = violates(sentence, split(answer, sentence.style).words)
    assert (found is None) is true, found


def test_the_reason_names_what_is_missing():
    assert violates(split("He did not resign."), ["He", "resigned"]) == (
        "'resigned' without 'not' (negated)"
    )
    assert violates(split("It cost 150 billion euros."), ["150", "euros"]) == (
        "half of '150 billion euros'"
    )


def test_answers_to_several_sources_are_looked_at_together():
    asked = [
        (split("The mayor refused to resign on Monday"), ["mayor", "resigns"]),
        (split("The mayor resigned on Monday"), ["mayor", "resigns"]),
        (split("The mayor resigned on Monday"), ["mayor", "mayor", "resigns"]),
    ]
    found = violations(asked)
    assert found == [violates(source, answer) for source, answer in asked]
    assert [fault is None for fault in found] == [False, True, False]
    assert violations([]) == []


def test_what_is_wrong_with_an_answer_is_worked_out_once(monkeypatch):
    source = split("The mayor refused to resign on Monday")
    looked_at = []
    monkeypatch.setattr(meaning, "repeated", looked_at.append)
    wrong = [violates(source, words.split()) for words in ("Mayor resigns", "mayor resigns")]
    assert wrong[0] and wrong[0] == wrong[1] and len(looked_at) == 1
    for i in range(3 * meaning._MOST_KNOWN):  # and is not kept of all that anybody may ask
        violates(source, [f"mayor{i}"])
    assert len(meaning._known(source)) <= meaning._MOST_KNOWN


def test_a_text_may_break_off_anywhere():
    """As one cut to a length does: «It cost nearly» was no answer, but an error."""
    sources = {source for source, *_ in (case.values for case in CASES)}
    for source in sorted(sources):
        whole = split(source)
        for size in range(1, len(whole)):
            part = whole.head(size)
            assert all(rule.place < size for rule in governed(part)), str(part)
            violates(part, part.words[-2:])


def test_governed_words_know_their_governor():
    sentence = split("She refused to resign.")
    ((place, governor, mood),) = governed(sentence)
    assert (sentence.words[place], sentence.words[governor], mood.value) == (
        "resign", "refused", "negated",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The EU spent 150 billion euros.", ["150 billion euros"]),
        ("It was minus 5 degrees", ["minus 5 degrees"]),
        ("He won 6-4 7-6 today", ["6-4 7-6"]),
        ("At 7 p.m. Anna Lind left", ["7 p.m.", "Anna Lind"]),
        ("President Anna Lind of Acme Corp", ["Anna Lind"]),
        ("a two million dollar deal", ["two million dollar"]),
        ("up 4.5 per cent", ["4.5 per cent"]),
        ("it ran for 90 seconds and 300 metres", ["90 seconds", "300 metres"]),
        ("a bill of $2.3 billion, or 14.2 % more", ["$2.3 billion", "14.2 %"]),
        ("hong kong rose ## percent", ["## percent", "hong kong"]),
        ("nothing here", []),
    ],
)
def test_spans(text, expected):
    sentence = split(text, "tokenized" if text.islower() and "#" in text else "written")
    found = [" ".join(sentence.words[start:end]) for start, end in spans(sentence)]
    assert found == expected


@pytest.mark.parametrize(
    "text", ["", "?", "not", "if", "by", "no", "5", "was by", "to", "denied of"]
)
def test_odd_texts_do_no_harm(text):
    assert violates(split(text), []) is None
    assert violates(split(text), ["word"]) is None


@pytest.mark.parametrize("last", ["almost", "nearly", "the man who said he had", "it may"])
def test_a_text_may_end_where_more_is_to_come(last):
    sentence = split(f"The mayor said on Monday that the bridge was closed, {last}")
    assert violates(sentence, ["Bridge", "closed"]) is None


def test_what_governs_and_what_is_governed_are_in_the_text_wherever_that_ends():
    for source in {source for source, _, _ in (case.values for case in CASES)}:
        words = source.split()
        for end in range(1, len(words) + 1):
            sentence = split(" ".join(words[:end]))
            places = {place for rule in governed(sentence) for place in rule[:2]}
            assert places <= {*range(len(sentence.keys))}


def test_it_is_quick():
    source = " ".join(line for line in CONTRASTS if line[:1] not in "+-#")[:700]
    sentence = split(source)
    violates(sentence, ["one"])
    start = time.process_time()
    for i in range(50):
        violates(sentence, [f"word{i}", "resigns", "threat", "mayor", "not", "accepted"])
    assert (time.process_time() - start) / 50 < 0.002
