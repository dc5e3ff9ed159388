"""What a headline may end on: most small words not, some after all."""

from __future__ import annotations

import pytest

from nacc.text.endings import may_end, misplaced_end
from nacc.text.meaning import violates
from nacc.text.words import split

TAKEN_OVER = split("The bakery chain Brotzeit is to be taken over by a Danish investor, it said.")


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("The chain is to be taken over by an investor.", {"over"}),
        ("The plant will be shut down after a leak.", {"down"}),
        ("The plant shut down two reactors after a leak.", set()),  # what it shut down is missing
        ("Miners walked out on Monday.", {"out"}),
        ("Miners came out of the pit on Monday.", set()),
        ("Canada will retaliate against the US on Monday.", {"us"}),
        ("He told us that Canada would retaliate against the US.", set()),  # which of the two?
        ("CANADA WILL RETALIATE AGAINST US", set()),  # shouted: nothing can be told
        ("The plant will reopen in May after repairs.", {"may"}),
        ("The plant may reopen in May.", set()),
        ("The plant may reopen on Monday.", set()),
        ("The WHO said the plant may reopen.", {"who"}),
    ],
)
def test_small_words_that_may_end_a_headline(text, ends):
    assert may_end(split(text)) == ends


def test_a_particle_ends_with_its_own_verb():
    assert misplaced_end(TAKEN_OVER, ["brotzeit", "to", "be", "taken", "over"]) is None
    assert violates(TAKEN_OVER, ["Brotzeit", "to", "be", "taken", "over"]) is None
    assert violates(TAKEN_OVER, ["Brotzeit", "chain", "over"]) == "'chain over'"


def test_a_headline_ends_on_what_its_verb_needs(model):
    said = model.summarize(
        "The bakery chain Brotzeit, which has been owned by the same family since 1921, is to be "
        "taken over by a Danish investor, and none of its 64 shops will be closed.",
        30,
    )
    assert said.text == "Brotzeit to be taken over"
