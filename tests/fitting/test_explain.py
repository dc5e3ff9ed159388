"""Why words were left out, on small lattices where it is known."""

from __future__ import annotations

import pytest

from nacc.fitting.explain import explain
from nacc.fitting.reading import Reading
from nacc.length import Budget
from nacc.options import Settled

from .readings import read


def reasons(reading: Reading, amount: int = 50, **options) -> dict[str, tuple[str, str]]:
    asked = Settled(method="exact", at_least=0, **options)
    told = explain(reading, Budget(amount), asked, top=2)
    return {each.word: (each.cause, each.why) for each in told.dropped}


def test_the_reasons():
    reading = read(
        "European ministers spend money on railways Thursday",
        {"eu": 0.6, "european": 0.3}, {"ministers": 0.9}, {"spend": 0.9}, {}, {"on": 0.6},
        {"railways": 0.8}, {"thursday": 0.05},
    )  # fmt: skip
    assert reasons(reading) == {
        "European": ("word", "lost to “eu”: 30% against 60% at slot 1"),
        "money": ("unseen", "not among the 2 likeliest words of any slot"),
        "Thursday": ("epsilon", "lost to ε: 5% against 95% at slot 7"),
    }
    assert reasons(reading, 20)["railways"] == (
        "budget",
        "no room: said when there are 30 characters",
    )
    assert reasons(reading, forbidden=("railways",))["railways"] == ("rule", "rule: forbidden")


@pytest.mark.parametrize(
    ("unlikely", "dropped", "why"),
    [
        ("150", "billion", "never said without its number"),
        ("billion", "150", "never said without its “billion”"),
    ],
)
def test_half_a_number_says_what_it_was_left_out_for(unlikely, dropped, why):
    text = "ministers spend 150 billion euros"
    reading = read(text, *({word: 0.01 if word == unlikely else 0.9} for word in text.split()))
    assert reasons(reading)[dropped] == ("rule", f"rule: {why}")
