"""What the Summarizer promises, kept by the packaged model on real and on hostile text."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from copy import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc import Budget, BudgetTooSmall, InvalidInput, Summarizer, Summary
from nacc.errors import BadModel
from nacc.length import PRESETS
from nacc.runtime.folder import PACKAGED, model_folder
from nacc.text.words import split

from .texts import METHODS, NEWS, TIDY, TOKENIZED

BUDGETS = [
    "50", "7 characters", "40 graphemes", "75 bytes", "24 bytes utf-16-le", "8 words", "1 word",
    "24 columns", "200 px", "90.5 px Roboto 16", "sms", "2 sms", *(p.name for p in PRESETS),
]  # fmt: skip
HOSTILE = st.builds(
    lambda parts, gap: gap.join(parts),
    st.lists(
        st.sampled_from(
            """The the unk UNK . , 's “ ” ' " ( ) … -- 12% $2.3 3,000 billion percent iPhone U.S.
            東京で地震 مرحبا שלום 👨‍👩‍👧‍👦 🇫🇷 🎉 ß ŉ ǰ ﬁ İ ı é e\u0301 \u0301 ǅ 𝔘 \x00 \x1f \x7f
            \u200b \u202e \u200d zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz a.b@c.example www.a.example/b # @
            """.split()
        )
        | st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
        min_size=1,
        max_size=25,
    ),
    st.sampled_from([" ", "", "\n", "\t"]),
)
TEXTS = st.sampled_from(NEWS + TOKENIZED) | HOSTILE


def texts_of(summaries: list[Summary]) -> list[str]:
    return [summary.text for summary in summaries]


def checked(summary: Summary, budget: Budget) -> None:
    """What is true of every summary."""
    assert summary.length <= summary.budget
    assert budget.fits(summary.text)
    assert summary.length == budget.length(summary.text)
    assert (summary.budget, summary.unit) == (budget.amount, str(budget.measure))
    assert summary.text == summary.text.strip(" ")


@settings(max_examples=150, deadline=None)
@given(
    TEXTS,
    st.sampled_from(BUDGETS),
    st.sampled_from(METHODS),
    st.sampled_from(["sentence", "title", "lower", "source"]),
)
def test_never_over_budget(model, text, amount, method, case):
    budget = Budget.of(amount)
    try:
        summary = model.summarize(text, budget, method=method, case=case)
    except BudgetTooSmall as error:
        if error.smallest:
            assert error.smallest > budget.amount
            enough = Budget(error.smallest, budget.measure)
            checked(model.summarize(text, enough, method=method, case=case), enough)
    except InvalidInput as error:
        assert "empty" in str(error)
        assert not text.strip()
    else:
        checked(summary, budget)
        assert summary.text or method not in TIDY


@pytest.mark.parametrize("amount", BUDGETS)
def test_every_measure_is_kept_on_news(model, amount):
    budget = Budget.of(amount)
    for text in NEWS[:3]:
        for method in TIDY:
            try:
                checked(model.summarize(text, amount, method=method), budget)
            except BudgetTooSmall as error:
                assert error.smallest > budget.amount


@pytest.mark.parametrize("case", ["sentence", "title"])
def test_a_capital_that_is_longer_than_its_letter_fits(model, case):
    text = "ﬁre crews ﬁnd ﬂour in ﬁve ﬂats as ﬂoods end in the ﬁrst week of the ﬂu season"
    ends = set()
    for amount in range(8, 60):
        said = model.summarize(text, amount, case=case)
        checked(said, Budget(amount))
        ends.add(amount - said.length)
    assert 0 in ends


def test_a_bare_number_is_in_the_unit_given(model):
    assert model.summarize(NEWS[0], 6, "words").unit == "words"
    assert len(model.summarize(NEWS[0], 6, "words").text.split()) <= 6
    assert model.summarize(NEWS[0], "30 bytes", "words").unit == "bytes"


def test_a_list_in_gives_a_list_out_in_order(model):
    alone = [model.summarize(text) for text in NEWS + TOKENIZED]
    assert model.summarize(NEWS + TOKENIZED) == alone
    assert model.summarize((NEWS + TOKENIZED)[::-1]) == alone[::-1]
    assert model.summarize((NEWS + TOKENIZED) * 3) == alone * 3
    assert model.summarize([]) == []


def test_several_budgets_give_a_summary_each(model):
    budgets = [20, "8 words", "sms", Budget(60)]
    alone = [model.summarize(NEWS[0], budget) for budget in budgets]
    assert model.summarize(NEWS[0], budgets) == alone
    assert model.summarize(NEWS[:2], budgets)[0] == alone


def test_a_reading_can_be_summarized_again_and_again(model):
    (reading,) = model.read([NEWS[1]])
    assert model.summarize(reading, 40) == model.summarize(NEWS[1], 40)
    assert model.summarize([reading, NEWS[0]], 40)[1] == model.summarize(NEWS[0], 40)


def test_threads_get_the_same_answers(model):
    alone = [model.summarize(text) for text in NEWS]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(model.summarize, NEWS * 8))
    assert found == alone * 8


def test_a_second_model_gives_the_same_answers(model):
    again = Summarizer.load(threads=2)
    assert texts_of(again.summarize(NEWS)) == texts_of(model.summarize(NEWS))


@pytest.mark.parametrize("method", TIDY)
def test_alternatives_are_different_and_best_first(model, method):
    found = model.alternatives(NEWS[1], 6, 50, method=method)
    assert len(set(texts_of(found))) == len(found) == 6
    scores = [summary.score for summary in found]
    assert scores == sorted(scores, reverse=True)
    assert found[0].text == model.summarize(NEWS[1], 50, method=method).text
    for summary in found:
        checked(summary, Budget(50))


def test_too_small_a_budget_names_one_that_would_do(model):
    with pytest.raises(BudgetTooSmall) as found:
        model.summarize(NEWS[1], 12, required=["Austral", "Houten"])
    assert found.value.smallest == 14
    said = model.summarize(NEWS[1], 14, required=["Austral", "Houten"])
    assert sorted(said.text.lower().split()) == ["austral", "houten"]
    for amount in (0, 1):
        with pytest.raises(BudgetTooSmall, match="would do for this text"):
            model.summarize("Extraordinary developments overshadowed everything.", amount)


def test_at_least_is_met_where_it_can_be(model):
    for text in NEWS:
        assert model.summarize(text, 80, at_least=60, method=TIDY[0]).length >= 60
        assert model.summarize(text, 80, at_least=0).length <= 80


def test_the_first_sentence_is_summarized_or_all_if_told(model):
    text = NEWS[5] + " " + NEWS[0]
    assert model.summarize(text, sentences="first") == model.summarize(NEWS[5])
    every = model.summarize(text, 120, sentences="all")
    assert max(w.source for w in every.words if w.source is not None) >= len(split(NEWS[5]))


def test_a_long_text_is_read_in_part_and_says_so(model):
    long = model.summarize(" ".join(["government"] * 9_999) + " resigned", sentences="all")
    assert long.truncated_input
    assert long.text
    assert not model.summarize(NEWS[0]).truncated_input


@pytest.mark.parametrize(
    "text",
    [
        *("Rain", "x", "42", "1 2 3 4 5", "2,400 3.5% $7", "🎉", "👨‍👩‍👧‍👦 🎉 🇫🇷"),
        *("مرحبا بالعالم العربي", "שלום עולם", "東京で大きな地震がありました。"),
        *("line one\nline two\r\n\tline three", "a\x00b \x00", "\u202eevil\u202c text"),
        *("IT IS ALL CAPITALS", "it is all small", "e\u0301te\u0301"),
    ],
)
def test_odd_texts_have_summaries_too(model, text):
    for summary in model.summarize(text, [50, "75 bytes", "160 graphemes"]):
        assert summary.text
        assert summary.length <= summary.budget
        assert "\n" not in summary.text or summary.text == text.strip()


@pytest.mark.parametrize("text", ["", " ", "\n\t\u3000", ["Rain", ""]])
def test_empty_texts_are_refused(model, text):
    with pytest.raises(InvalidInput, match="empty"):
        model.summarize(text)


def test_a_model_may_say_how_full_its_summaries_are(model):
    engine = copy(model.engine)
    engine.config = {
        **engine.config,
        "generation": {**engine.config.get("generation", {}), "fill": 0.3},
    }
    brief = Summarizer(engine)
    assert brief.summarize(NEWS) == model.summarize(NEWS, fill=0.3)
    assert brief.summarize(NEWS, fill=1.0) == model.summarize(NEWS, fill=1.0)
    assert brief.summarize(NEWS) != brief.summarize(NEWS, fill=1.0)
    assert brief.alternatives(NEWS[0], 3) == model.alternatives(NEWS[0], 3, fill=0.3)


def test_truncate_cuts_even_inside_a_word(ctc):
    whole = ctc.summarize(NEWS[0], 200, method="truncate", rewrite="always").text
    for amount in range(5, 20):
        said = ctc.summarize(NEWS[0], amount, method="truncate").text
        assert said == whole[:amount].rstrip(" ")


@pytest.mark.parametrize(
    ("wish", "named"),
    [
        ({"method": "magic"}, "magic"),
        ({"case": "UPPER"}, "UPPER"),
        ({"flavour": 1}, "flavour"),
        ({"sentences": "last"}, "last"),
        ({"unit": "miles"}, "miles"),
        ({"max_length": []}, "max_length"),
        ({"max_length": -1}, "-1"),
        ({"max_length": None}, "None"),
        ({"max_length": float("nan")}, "nan"),
        ({"at_least": "much"}, "much"),
        ({"at_least": float("inf")}, "inf"),
        ({"fill": float("nan")}, "nan"),
        ({"coherence": -1}, "-1"),
        ({"adjacency": float("inf")}, "inf"),
        ({"bucket": 0, "method": "bucketed"}, "bucket = 0"),
        ({"required": ["pizza"]}, "pizza"),
        ({"required": [5]}, "5"),
        ({"required": "ferry", "forbidden": "Ferry"}, "ferry"),
        ({"required": "ferry", "method": "greedy"}, "greedy"),
        ({"required": ["ferry", "Santa", "Lucia", "coast"]}, "4 required words"),
        ({"text": None}, "NoneType"),
        ({"text": [NEWS[0], 7]}, "int"),
        ({"text": "half \ud83d"}, "surrogate"),
        ({"options": 5}, "options = 5 must be Options"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(model, wish, named):
    with pytest.raises(InvalidInput, match=named):
        model.summarize(**{"text": NEWS[0], **wish})


def test_no_alternatives_are_no_wish(model):
    for n in (0, "3", None):
        with pytest.raises(InvalidInput, match=f"n = {n!r}"):
            model.alternatives(NEWS[0], n)


def test_alternatives_are_of_one_text_within_one_budget(model):
    for asked in ((NEWS[0], 2, [30, 50]), (NEWS[:2], 2, 50), (None, 2)):
        with pytest.raises(InvalidInput, match=r"one text within one budget; .*alternatives=2"):
            model.alternatives(*asked)


@pytest.mark.parametrize("texts", ["a string", "", b"bytes", None])
def test_one_text_is_no_list_of_texts(model, texts):
    kind = type(texts).__name__
    for way in (model.read, model.each):
        with pytest.raises(InvalidInput, match=f"texts must be a list of strings; got {kind}"):
            way(texts, 50)


def test_no_budget_at_all_is_refused(model):
    for ask in (model.each, model.summarize):
        with pytest.raises(InvalidInput, match="max_length, or budgets, is an empty list"):
            ask([NEWS[0]], [])


def test_packaged_models_go_by_their_names(model):
    assert model_folder(None) == model_folder("default") == PACKAGED / "default"
    with pytest.raises(BadModel, match="no model folder at nowhere; models by name: default"):
        Summarizer.load("nowhere")
    with pytest.raises(InvalidInput, match="not 5"):
        Summarizer.load(5)


def test_load_is_told_a_folder():
    assert isinstance(Summarizer.load(threads=1).summarize("Rain fell."), Summary)
