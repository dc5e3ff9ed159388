"""The promises every measure makes, on random Unicode: weights bound lengths, answers fit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc import Budget
from nacc.errors import InvalidInput
from nacc.length.measures import (
    NEVER,
    Bytes,
    Characters,
    Columns,
    Graphemes,
    Measure,
    Pixels,
    Sms,
    Words,
)

TRICKY = (
    *("a", "Z", "é", "ß", "İ", "ﬁ", "—", "…", "€", "^", "[", "\\", "ж", "Ω", "A", "V", "T", "o"),
    *("\u0301", "\u0308\u0323", "e\u0301", "\u20dd", "\u0345"),
    *("日本", "한국", "\u1112", "\u1161", "\u11ab", "ｶﾞ", "Ａ", "か\u309a", "\u302a"),
    *("שלום", "العربية", "لا", "\u200f", "\u202e", "\u0600"),
    *("क्षि", "\u094d", "ก็", "ကြ", "\u0bbf"),
    *(
        "👍",
        "👍🏽",
        "🏽",
        "👩‍👩‍👧",
        "👩",
        "\u200d",
        "🚀",
        "❤",
        "❤️",
        "\ufe0f",
        "\ufe0e",
        "1️⃣",
        "\u20e3",
    ),
    *("🇺🇸", "🇺", "🇸", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "©", "™"),
    *("\u00a0", "\u2003", "\u200b", "\u00ad", "\ufeff", "\t", "\n", "\r", "\u2028", "\x00", "\x1b"),
    *("𝔘", "𒐫", "﷽", "\U0010ffff", "\ue000", "\u0378"),
)

words = st.one_of(
    st.lists(st.sampled_from(TRICKY), min_size=1, max_size=4).map("".join),
    st.text(min_size=1, max_size=6),
    st.text(alphabet=st.characters(max_codepoint=0x17F), min_size=1, max_size=9),
)
"""Words of every kind; hypothesis never draws surrogates for text."""

attached = words.filter(lambda word: word != " ")
spaced = words.map(lambda word: " " + word)

pieces = st.builds(
    lambda first, rest: [first, *rest],
    spaced,
    st.lists(st.one_of(spaced, attached), max_size=8),
)
"""The pieces of a string: the first takes a space, any other may."""


def finished(chosen: list[str]) -> str:
    """The string that pieces make: the first one's space is dropped."""
    return "".join(chosen)[1:]


MEASURES: list[Measure] = [
    Characters(),
    Graphemes(),
    Bytes(),
    Bytes("latin-1"),
    Bytes("utf-16-le"),
    Bytes("gb18030"),
    Bytes("shift_jisx0213"),
    Bytes("big5hkscs"),
    Bytes("iso2022_jp_2"),
    Bytes("hz"),
    Words(),
    Columns(),
    Pixels("Arial", 20),
    Pixels("Roboto", 13.5),
    Pixels("Inter", 9),
    Sms(),
]
every_measure = pytest.mark.parametrize("measure", MEASURES, ids=lambda m: f"{m.name}-{m}")


@every_measure
@settings(max_examples=300, deadline=None)
@given(chosen=pieces, amount=st.integers(0, 60))
def test_greedy_filling_of_any_plan_never_goes_over_the_budget(measure, chosen, amount):
    budget = Budget(amount, measure)
    for plan in budget.plans():
        left = plan.room
        kept: list[str] = []
        for piece, weight in zip(chosen, plan.weigh(chosen), strict=True):
            if weight <= left and (kept or piece.startswith(" ")):
                kept.append(piece)
                left -= int(weight)
        assert budget.fits(finished(kept)), (kept, budget.length(finished(kept)))
        assert budget.overshoot(finished(kept)) == 0


@every_measure
@settings(max_examples=300, deadline=None)
@given(chosen=pieces)
def test_the_smallest_budget_that_holds_the_weights_holds_the_string(measure, chosen):
    weights = measure.weights(chosen)
    assert weights.dtype == np.int64
    assert (weights >= 0).all()
    if (weights == NEVER).any():
        return
    space = int(measure.weights([" "])[0])
    amount = next(a for a in range(10_000) if measure.capacity(a) + space >= weights.sum())
    assert Budget(amount, measure).fits(finished(chosen))


@every_measure
def test_lone_surrogates_are_refused(measure):
    with pytest.raises(InvalidInput, match="surrogate"):
        measure.of("half \ud83d")
    with pytest.raises(InvalidInput, match="surrogate"):
        measure.weights([" fine", " \udc00"])


@every_measure
def test_the_empty_string_fits_a_budget_of_nothing(measure):
    assert Budget(0, measure).fits("")
    assert not Budget(0, measure).fits("word")


@every_measure
def test_the_room_is_the_capacity_and_the_leading_space(measure):
    (*_, plan) = Budget(40, measure).plans()  # of an SMS, the plan in UCS-2
    assert plan.room == measure.capacity(40) + measure.weights([" "])[0]


@every_measure
def test_plain_words_use_the_budget_but_for_rounding(measure):
    """Counts are exact; pixels lose at most a quarter a piece, and kerning across pieces."""
    chosen = [" plain", " words", ",", " one", " after", " another"]
    plan = measure.plans(1)[0]
    used = plan.weigh(chosen).sum() - plan.weigh([" "])[0]
    if measure.name == "sms":
        assert used == len(finished(chosen))
    elif measure.name == "pixels":
        assert 0 <= used - 4 * measure.of(finished(chosen)) <= len(chosen) + 1
    else:
        assert used == measure.of(finished(chosen))
