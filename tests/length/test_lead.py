"""The beginning of a text that fits, at a word's end or inside a word."""

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
