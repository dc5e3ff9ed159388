"""What fits stays; where the model is not to be trusted, the text's own beginning is said."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc.errors import BudgetTooSmall, Untrusted
from nacc.fitting.chain import beginning, whole_instead, without_model
from nacc.fitting.reading import dangles
from nacc.length.budget import Budget
from nacc.options import Settled
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.words import split

MEASURES = st.sampled_from(["characters", "bytes", "graphemes", "words", "columns", "px", "sms"])
WORDS = st.sampled_from("the The of ring , 5 million to in - left € 世 p.m. not".split())
TEXTS = (
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60)
    | st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
).filter(str.strip)


@pytest.mark.parametrize(
    "text",
    [
        "Biden, not Trump, leads in poll",
        "It's not over",
        "Payment failed: try another card",
        "He did not resign.",
        "  Man bites dog \n",
        "!!!",
        "two\nlines",
    ],
)
def test_a_text_that_fits_comes_back_as_it_is(text):
    said = without_model(text, Budget(80), Settled())
    assert said is not None
    assert (said.text, said.method, said.note) == (text.strip(), "as-is", "")
    assert said.confidence == 1.0
    assert [word.source for word in said.words] == list(range(len(said.words)))


def test_unless_it_is_to_be_rewritten_or_says_what_it_must_not():
    text, budget = "Man bites dog", Budget(80)
    assert without_model(text, budget, Settled(rewrite="always")) is None
    assert without_model(text, budget, Settled(forbidden=("Dog",))) is None
    assert without_model(text, budget, Settled(required=("cat",))) is None
    assert without_model(text, budget, Settled(required=("Dog",), forbidden=("cat",)))
    assert without_model(text, Budget(12), Settled()) is None


def test_what_the_measure_cannot_measure_does_not_fit():
    assert without_model("żółw", Budget.of("80 bytes ascii"), Settled()) is None


@settings(max_examples=200)
@given(TEXTS, MEASURES, st.integers(1, 60))
def test_the_beginning_fits_is_the_texts_and_says_why(text, unit, amount):
    budget = Budget.of(amount, unit)
    try:
        said = beginning(text, budget, Settled(), "why")
    except BudgetTooSmall as error:
        assert error.smallest is None or error.smallest > amount
        return
    assert budget.fits(said.text) and said.text
    if unit == "characters":  # which measure anything
        assert " ".join(text.split()).startswith(said.text)
    last = said.text.split()[-1].lower()
    assert last not in FUNCTION_WORDS or all(map(dangles, split(said.text).keys))
    assert (said.method, said.note) == ("lead", "why")
    assert without_model(said.text, budget, Settled()).text == said.text


@pytest.mark.parametrize(
    ("text", "amount", "expected"),
    [
        ("The court refused on Monday to hear an appeal", 33, "The court refused on Monday"),
        (
            "The court refused on Monday to hear an appeal",
            39,
            "The court refused on Monday to hear",
        ),
        ("The mayor, who had not been there, left", 24, "The mayor"),
        ("It cost 150 billion euros", 11, "It cost"),
        ("The pool is closed from 3 to 14 August for repairs", 30, "The pool is closed"),
        ("To be or not to be, that is the question", 16, "To be or not to"),
        ("They came in the night - and left", 26, "They came in the night"),
        ("5 percent of it is not theirs", 3, "5"),
    ],
)
def test_the_beginning_ends_on_a_word_that_says_something(text, amount, expected):
    said = beginning(text, Budget(amount), Settled(), "why")
    assert said.text == expected


def test_an_english_beginning_says_nothing_else_than_the_text():
    text = "Your parcel of books will be returned unless you collect it"
    said = beginning(text, Budget(32), Settled(), "why", english=True)
    assert said.text == "Your parcel of books"
    text = "Your parcel will be returned unless you collect it"
    assert beginning(text, Budget(32), Settled(), "why", english=True).text == "Your parcel"
    text = "Returned unless you collect it"
    assert beginning(text, Budget(15), Settled(), "why", english=True).text == "Returned"


def test_a_small_word_that_must_be_said_stays_at_the_end():
    asked = Settled(required=("an",))
    said = beginning("He refused to hear an appeal", Budget(22), asked, "why")
    assert said.text == "He refused to hear an"


def test_what_cannot_be_measured_is_left_out():
    said = beginning("żółw wins again", Budget.of("9 bytes ascii"), Settled(), "why")
    assert said.text == "wins"
    with pytest.raises(BudgetTooSmall, match="no word of this text"):
        beginning("żółw", Budget.of("9 bytes ascii"), Settled(), "why")


STUDY = (
    "The pill did not help. In a trial of 900 nurses, those on it slept no longer than the rest."
)


def test_a_whole_first_sentence_is_said_where_the_model_is_in_doubt():
    whole = "The pill did not help."
    assert whole_instead(STUDY, 0.3, Budget(30), Settled()) == whole
    assert whole_instead(STUDY, 0.3, Budget(30), Settled(required=("pill",))) == whole
    assert whole_instead(STUDY, 0.5, Budget(30), Settled()) is None
    assert whole_instead(STUDY, 0.3, Budget(len(whole) - 1), Settled()) is None
    assert whole_instead(whole, 0.3, Budget(30), Settled()) is None
    hello = "Good morning to you all. The alarm in the tower will be tested on Friday."
    assert whole_instead(hello, 0.3, Budget(30), Settled()) is None


@pytest.mark.parametrize(
    "asked",
    [
        {"rewrite": "always"},
        {"sentences": "all"},
        {"fallback": "error"},
        {"required": ("nurses",)},
        {"forbidden": ("pill",)},
        {"at_least": 25},
    ],
)
def test_but_not_where_something_else_is_asked_for(asked):
    assert whole_instead(STUDY, 0.3, Budget(30), Settled(**asked)) is None


def test_what_is_said_in_doubt_has_a_note_and_what_the_model_would_have_said(model):
    road = (
        "The road was not safe. In a count of 300 drivers, those who slowed crashed as often as "
        "those who did not."
    )
    said = model.summarize(road, 30)
    assert (said.text, said.method, said.confidence) == ("The road was not safe.", "lead", None)
    assert "sure" in said.note
    best, *others = model.alternatives(road, 3, 30)
    assert best.text == said.text
    assert len(others) == 2
    assert all(other.confidence is not None and not other.alternatives for other in others)
    assert others[0].confidence < 0.5


def test_a_caller_may_want_an_error_instead():
    with pytest.raises(Untrusted, match="not English"):
        beginning("Ein Text", Budget(80), Settled(fallback="error"), "not English")


def test_a_text_without_spaces_is_cut_where_it_may_be():
    said = beginning("市長は火曜日に新しい図書館の計画を発表した", Budget(8), Settled(), "why")
    assert said.text == "市長は火曜日に新"
