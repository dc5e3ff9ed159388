"""What fits stays as it is, so that fitting twice changes nothing; what is not for the model gets
the text's own beginning."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc import Budget, BudgetTooSmall, InvalidInput, Untrusted
from nacc.length import PRESETS

from .test_summarizer import TEXTS
from .texts import METHODS, NEWS

BUDGETS = ["50", "12", "40 graphemes", "75 bytes", "8 words", "24 columns", "200 px", "sms", "2"]
LABELS = [
    "Biden, not Trump, leads in poll",
    "It's not over",
    "Payment failed: try another card",
    "Man bites dog",
    "He did not resign.",
    "!!!",
    "🎉🎉🎉",
    "—",
]
FOREIGN = {
    "German": "Die Feuerwehr rettete am Montag drei Kinder aus einem brennenden Haus in Köln.",
    "French": "Les pompiers ont sauvé lundi trois enfants d'une maison en flammes à Lyon.",
    "Chinese": "消防队员星期一从着火的房子里救出了三个孩子，市长对他们表示感谢。",
    "Arabic": "أنقذ رجال الإطفاء ثلاثة أطفال من منزل محترق يوم الاثنين في المدينة.",
}


@pytest.mark.parametrize("text", LABELS)
@pytest.mark.parametrize("preset", [preset.name for preset in PRESETS[:6]])
def test_a_label_that_fits_is_left_alone(model, linked, text, preset):
    if Budget.of(preset).fits(text):
        for summarizer in (model, linked):
            said = summarizer.summarize(f" {text}\n", preset)
            assert (said.text, said.method) == (text, "as-is")


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.sampled_from(BUDGETS))
def test_fitting_twice_changes_nothing(model, linked, text, amount):
    for summarizer in (model, linked):
        try:
            once = summarizer.summarize(text, amount)
        except (BudgetTooSmall, InvalidInput):
            continue
        again = summarizer.summarize(once.text, amount)
        assert (again.text, again.method) == (once.text, "as-is")


def test_what_is_only_just_too_long_is_trimmed(model):
    text = "Shares in Norvex fell 12 percent (AP)."
    said = [model.summarize(text, amount) for amount in (38, 37, 33, 27)]
    assert [each.method for each in said] == ["as-is", "trimmed", "trimmed", "trimmed"]
    assert [each.text for each in said][1::2] == [text[:-1], "Shares in Norvex fell 12%"]
    always = model.summarize(text, 37, rewrite="always")
    assert always.method in METHODS


@pytest.mark.parametrize("language", FOREIGN)
def test_another_language_gets_its_own_beginning_and_the_reason(model, linked, language):
    text = FOREIGN[language]
    for summarizer in (model, linked):
        said = summarizer.summarize(text, 30)
        assert said.method == "lead" and text.startswith(said.text) and said.length <= 30
        assert language in said.note
        assert said.confidence is None
        with pytest.raises(Untrusted, match="not English"):
            summarizer.summarize(text, 30, fallback="error")


def test_no_words_are_no_reason_to_invent_one(model):
    said = model.summarize("?!" * 40 + " " + "!!!" * 40, 100)
    assert said.text == "?!" * 40
    assert "no words" in said.note


def test_english_news_is_the_models(model):
    for text in NEWS:
        said = model.summarize(text, 50)
        assert said.method in METHODS and said.note == ""
