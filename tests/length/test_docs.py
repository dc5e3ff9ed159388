"""What docs/lengths.md names, exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nacc.length import Budget

PAGE = (Path(__file__).parents[2] / "docs" / "lengths.md").read_text("utf-8")


@pytest.mark.parametrize("amount", ["50", "2 sms", "600px"])
def test_what_the_page_says_of_budgets_and_measures_exists(amount):
    budget = Budget.of(amount)
    named = set(re.findall(r"\b(budget|measure)\.(\w+)", PAGE))
    assert len(named) > 4
    for thing, name in named:
        assert hasattr(budget if thing == "budget" else budget.measure, name), f"{thing}.{name}"
    for plan in budget.plans():
        assert plan.weigh([" a"])[0] <= plan.room
    assert "`room`" in PAGE and "`weigh(" in PAGE
