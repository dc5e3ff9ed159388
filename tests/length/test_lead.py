"""The beginning of a text that fits, at a word's end or inside a word."""

import time

from hypothesis import given
from hypothesis import strategies as st

from nacc.length import lead
from nacc.length.budget import Budget
from nacc.length.measures import Bytes, Characters, Words


@given(st.text(max_size=60), st.integers(0, 30), st.sampled_from([Characters, Bytes, Words]))
def test_leads_fit_and_begin_the_text(text, amount, measure):
    budget = Budget(amount, measure())
    for rule in (lead.lead, lead.cut):
        found = rule(text, budget)
        assert budget.fits(found) and text.strip().startswith(found)


def test_lead_stops_at_a_word_and_cut_inside_one():
    assert lead.lead("the mayor opened a bridge", Budget(12)) == "the mayor"
    assert lead.cut("the mayor opened a bridge", Budget(12)) == "the mayor op"
    assert lead.cut("the mayor opened a bridge", Budget(10)) == "the mayor"
    assert lead.lead("unbreakable", Budget(5)) == ""


def test_scripts_without_spaces_end_words_anywhere_but_not_between_scripts():
    assert lead.lead("\u6771\u4eac\u90fd", Budget(2)) == "\u6771\u4eac"
    assert lead.lead("JR\u6771\u65e5\u672c", Budget(2)) == ""
    assert lead.lead("JR\u6771\u65e5\u672c", Budget(4)) == "JR\u6771\u65e5"
    assert lead.word_ends("\u0e01\u0e31\u0e19 x") == [2, 3, 5]


def test_a_word_without_end_is_soon_seen_to_be_one():
    started = time.process_time()
    assert lead.lead("a" * 1_000_000, Budget(50)) == ""
    assert lead.word_ends("." * 1_000_000) == [1_000_000]
    assert time.process_time() - started < 0.3


def test_of_a_text_without_spaces_only_as_much_is_looked_at_as_may_fit(monkeypatch):
    seen, word = [], lead._WORD

    class Watched:
        def finditer(self, text):
            return (seen.append(match) or match for match in word.finditer(text))

    monkeypatch.setattr(lead, "_WORD", Watched())
    text = "\u6c49" * 100_000
    assert lead.lead(text, Budget(50)) == text[:50] and len(seen) <= 64
    assert lead.lead(text, Budget(100_000)) == text and len(seen) <= 64
