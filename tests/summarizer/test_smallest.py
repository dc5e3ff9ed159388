"""Budgets in which nothing can be said: the one that is named instead does."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc import Budget, BudgetTooSmall, InvalidOption, Untrusted
from nacc.text.stem import base
from nacc.text.words import split

from .texts import NEWS, TOKENIZED

QUAKE = "A strong quake struck off the coast of Peru late on Friday, but no damage was reported."
COUNCIL = (
    "The parish council voted on Thursday night to close the Mill Lane footbridge for six weeks."
)
CODE = 'The firm from the U.S. said "late" that {name} of its C++ tools cost 9% more on Monday'
WORDS = "the of not 12 percent Mr. mayor , resigned denied if WHO U.S. Zürich € said 5 and may"
TEXTS = st.sampled_from([*NEWS, *TOKENIZED, QUAKE, COUNCIL, CODE, NEWS[0].upper()]) | st.lists(
    st.sampled_from(WORDS.split()), min_size=1, max_size=14
).map(" ".join)
UNITS = ["characters", "bytes", "bytes ascii", "graphemes", "words", "columns", "px", "px Inter 13"]


@settings(max_examples=200, deadline=None)
@given(st.data(), TEXTS, st.sampled_from([*UNITS, "sms"]), st.integers(0, 24))
def test_the_budget_that_is_named_does(model, data, text, unit, amount):
    words = st.lists(st.sampled_from(split(text).words), max_size=2, unique=True)
    asked = {
        "required": data.draw(st.just([]) | words),
        "forbidden": data.draw(st.just([]) | words),
        "rewrite": data.draw(st.sampled_from(["needed", "always"])),
    }
    budget = Budget.of(amount * (5 if "px" in unit else 1), unit)
    try:
        model.summarize(text, budget, **asked)
    except BudgetTooSmall as error:
        if error.smallest is None:
            assert "would do for" not in str(error)
            return
        assert error.smallest > budget.amount
        assert f"is {error.smallest} " in str(error)
        enough = Budget(error.smallest, budget.measure)
        assert enough.fits(model.summarize(text, enough, **asked).text)
    except (InvalidOption, Untrusted):
        pass


@pytest.mark.parametrize("text", NEWS)
def test_no_budget_above_the_smallest_is_too_small(model, text):
    with pytest.raises(BudgetTooSmall) as found:
        model.summarize(text, 0)
    for amount in range(found.value.smallest, 20):
        said = model.summarize(text, amount).text
        own = {*split(text).bases}
        assert not own.isdisjoint(map(base, split(said).keys))
    with pytest.raises(BudgetTooSmall) as found:
        model.summarize(text, "0 px")
    assert found.value.smallest == round(found.value.smallest, 1)
    assert model.summarize(text, f"{found.value.smallest} px").text


def test_it_is_not_called_the_smallest_since_the_model_may_say_less(model):
    text = "European Union leaders agreed to spend 150 billion euros on railways."
    with pytest.raises(BudgetTooSmall) as found:
        model.summarize(text, 1)
    assert model.summarize(text, 2).text == "EU"
    assert found.value.smallest > 2
    assert "smallest" not in str(found.value)


@pytest.mark.parametrize("method", ["exact", "coherent"])
@pytest.mark.parametrize("unit", ["characters", "px"])
@pytest.mark.parametrize("required", [(), ("of",), ("late", "struck off")])
def test_of_other_methods_too(ctc, method, unit, required):
    asked = {"method": method, "required": required}
    with pytest.raises(BudgetTooSmall) as found:
        ctc.summarize(QUAKE, f"1 {unit}", **asked)
    enough = f"{found.value.smallest} {unit}"
    assert Budget.of(enough).fits(ctc.summarize(QUAKE, enough, **asked).text)


def test_where_no_budget_would_do_none_is_named(model):
    with pytest.raises(BudgetTooSmall, match="no budget in characters is known") as found:
        model.summarize("yes", 50, forbidden="yes")
    assert found.value.smallest is None
    with pytest.raises(BudgetTooSmall, match=r"none of this text's words .* is 19 char") as found:
        model.summarize("The The The The The", 12, faithful=True)
    assert found.value.smallest == 19


@pytest.mark.parametrize("amount", range(22, 45))
def test_phrases_that_fit_are_said_one_way_or_another(model, amount):
    required = ["six weeks", "Thursday night"]
    try:
        said = model.summarize(COUNCIL, amount, required=required)
    except BudgetTooSmall as error:
        assert amount < error.smallest == len("Thursday night six weeks")
    else:
        assert all(each in said.text for each in required)


@pytest.mark.parametrize(
    ("required", "amount", "said"),
    [
        ("C++", 20, "C++"),
        ("{name}", 20, "{name}"),
        ("C++", 70, 'The firm from the U.S. said "late" that {name} of its C++ tools cost'),
    ],
)
def test_what_the_decoder_cannot_say_is_said_as_the_text_has_it(model, required, amount, said):
    try:
        found = model.summarize(CODE, amount, required=required)
    except BudgetTooSmall as error:
        found = model.summarize(CODE, error.smallest, required=required)
    assert (found.text, found.method in ("extract", "lead")) == (said, True)
    assert found.note
    source = split(CODE).words
    assert all(source[word.source].lower() == word.text.lower() for word in found.words)


def test_naming_it_takes_no_time_to_speak_of(model):
    text = " ".join(f"not {word}" for word in " ".join(NEWS).split())
    model.summarize(text, 40)
    started = time.process_time()
    for amount in (0, 1):
        with pytest.raises(BudgetTooSmall):
            model.summarize(text, amount)
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize("amount", [1, 2, 3])
def test_of_several_answers_none_says_nothing(model, amount):
    found = model.alternatives(COUNCIL, 20, amount, tidy=False, style="title")
    assert len(found) > 1 or amount == 1
    assert all(summary.text for summary in found)
