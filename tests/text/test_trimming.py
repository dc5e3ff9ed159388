"""Harmless shortenings: what goes, what never does."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc.text.trimming import trimmings


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("The mayor quit.", ["The mayor quit"]),
        ("The  mayor   quit", ["The mayor quit"]),
        (" The mayor quit \n", ["The mayor quit"]),
        ("Sales rose 12 percent in May", ["Sales rose 12% in May"]),
        ("Sales rose 4.5 per cent", ["Sales rose 4.5%"]),
        ("Vermilion paid C$1.40 billion ($1.11 billion)", ["Vermilion paid C$1.40 billion"]),
        ("The World Health Organization (WHO) met", ["The World Health Organization met"]),
        ("Apple (AAPL.O) and Tesla (TSLA.O) fell", ["Apple (AAPL.O) and Tesla fell",
                                                    "Apple and Tesla fell"]),
        ("Three miners were killed, officials said on Monday.",
         ["Three miners were killed, officials said on Monday", "Three miners were killed"]),
        ("The bridge was closed, he said", ["The bridge was closed"]),
        ("The bridge was closed, a city spokesman said in a statement", ["The bridge was closed"]),
        ("The bridge was closed, said police", []),
        ("Prices rose in May, according to the ministry", ["Prices rose in May"]),
        ("Prices rose in May, according to official data on Friday", ["Prices rose in May"]),
        ("The minister resigned on Monday", ["The minister resigned"]),
        ("The minister resigned late on Monday night", ["The minister resigned"]),
        ("WASHINGTON (AP) - The mayor quit", ["The mayor quit"]),
        ("KUALA LUMPUR (Thomson Reuters Foundation) - Workers met", ["Workers met"]),
        ("LONDON, March 3 (Reuters) -- The mayor quit", ["The mayor quit"]),
        ("PARIS, France (AFP) — The mayor quit", ["The mayor quit"]),
        ("three miners were killed , officials said monday .",
         ["three miners were killed , officials said monday", "three miners were killed"]),
        ("PARIS (AFP) - Sales rose  5 percent in May, police said on Friday.",
         ["PARIS (AFP) - Sales rose 5 percent in May, police said on Friday.",
          "PARIS (AFP) - Sales rose 5 percent in May, police said on Friday",
          "PARIS (AFP) - Sales rose 5% in May, police said on Friday",
          "Sales rose 5% in May, police said on Friday",
          "Sales rose 5% in May"]),
    ],
)  # fmt: skip
def test_what_goes(text, steps):
    assert list(trimmings(text)) == steps


@pytest.mark.parametrize(
    "text",
    [
        "Who did it?",
        "Wait...",
        "He lives in the U.S.",
        "The meeting ended at 7 p.m.",
        "It was bought by Acme Inc.",
        "twelve percent of them",
        "a 5 percent-owned unit",
        "a rise of 5 percentage points",
        "He took the money, he denied",
        "Police took the money, he claimed",
        "He is guilty, officials said",
        "He is guilty, prosecutors said",
        "The rebels won, activists said",
        "The town was taken, the rebels said",
        "Nobody was hurt, police said",
        "The bridge was not closed, he said",
        "We were robbed, he said",
        "If it rains, he said",
        "If prices rise, the bank said",
        "The man, he said",
        "“The bridge was closed, he said",
        '"The bridge was closed", he said',
        "The shop is closed on Monday",
        "The shop will open on Monday",
        "The shop did not open on Monday",
        "The shop opened only on Monday",
        "He is due to arrive on Monday",
        "Profit (before tax) rose",
        "Figures (unaudited) were sent",
        "The theory (not proven) spread",
        "call f(x) twice",
        "He won (almost)",
        "file(s) found",
        "Take (1) one and (2) two",
        "WARNING - do not open",
        "NOTE (see below) - stop",
        "Was the bridge closed, he asked",
        "The mayor quit",
        "",
    ],
)
def test_what_never_goes(text):
    assert list(trimmings(text)) == []


PARTS = """The mayor quit not was closed rose 12 percent per cent if unless ? . , “ ” " ( )
(AP) (not) he said police officials denied according to the on Monday
PARIS - -- never n't he'd say…""".split()
TEXTS = st.lists(st.sampled_from([*PARTS, "  ", "\n", ", officials said on Monday."]), max_size=18)
KEPT = ("?", "not", "never", "n't", "if", "unless", "denied", "“", "”", '"')


@settings(max_examples=500, deadline=None)
@given(st.one_of(TEXTS.map(" ".join), st.text(max_size=40)))
def test_each_is_shorter_and_turns_nothing(text):
    previous = text
    for shorter in trimmings(text):
        assert len(shorter) < len(previous)
        before, after = Counter(text.split()), Counter(shorter.split())
        assert all(text.count(sign) == shorter.count(sign) for sign in KEPT)
        new = {word for word in after - before if "%" not in word}
        assert all(any(old.startswith(word) for old in before) for word in new)
        previous = shorter
    assert list(trimmings(previous)) == []


def test_long_texts_take_no_longer_than_they_must():
    start = time.process_time()
    for run in ("a ", "A ", ", he ", "(A ", "A.", " (AP)", "x"):
        list(trimmings((run * 2000)[:2000]))
    assert time.process_time() - start < 3
    assert list(trimmings("a  b " * 1000)) == []
