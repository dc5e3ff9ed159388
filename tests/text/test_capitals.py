"""Which of a name's capitals an answer keeps."""

from __future__ import annotations

import pytest

from nacc.text.capitals import in_context, left_of_names
from nacc.text.words import key, split


@pytest.mark.parametrize(
    ("source", "words", "expected"),
    [
        (
            "The U.S. paper firm International Paper said it was disappointed.",
            "International paper disappointed",
            "International Paper disappointed",
        ),
        (
            "The biggest IT firm plans to renew its focus as it looks to grow.",
            "Biggest IT firm plans to renew focus as IT looks to grow",
            "Biggest IT firm plans to renew focus as it looks to grow",
        ),
        (
            "The biggest IT firm plans to renew its focus as it looks to grow.",
            "Focus on IT",
            "Focus on IT",
        ),
        (
            "Deer Real Estate sees better times for real estate heading into 2027.",
            "Times better for real Estate",
            "Times better for real estate",
        ),
        (
            "The office of Real Estate said that real estate is dear.",
            "Office of Real Estate closes",
            "Office of Real Estate closes",
        ),
        (
            "Lima: In the heart of it, a rite lives on in the memory of many.",
            "Rite lives In memory",
            "Rite lives in memory",
        ),
        (
            "Oran, ALGERIA, April 17 Eni plans billions of investments in Algeria this year.",
            "Eni plans ALGERIA investments",
            "Eni plans Algeria investments",
        ),
    ],
)
def test_a_word_is_written_as_beside_its_neighbours(source, words, expected):
    given = words.split()
    assert in_context(given, [key(word) for word in given], split(source)) == expected.split()


@pytest.mark.parametrize(
    ("source", "words", "expected"),
    [
        (
            "McKay hopes that the North American Free Trade Agreement is kept.",
            "McKay hopeful on Trade deal",
            "McKay hopeful on trade deal",
        ),
        (
            "The U.S. Department of Defense is hiring a cook.",
            "U.S. Defense Department hires cook",
            "U.S. Defense Department hires cook",
        ),
        (
            "Hadi has won the Anna Doyle Award for poems, a jury said.",
            "Hadi wins Doyle Award",
            "Hadi wins Doyle Award",
        ),
        (
            "Plans of the Trade Agreement please Library Books Limited And Most.",
            "Most Trade",
            "Most Trade",
        ),
        ("The Plant of Lima is a plant.", "Plant closes", "Plant closes"),
    ],
)
def test_what_is_left_of_a_name_has_no_capital(source, words, expected):
    given = words.split()
    assert left_of_names(given, [key(word) for word in given], split(source)) == expected.split()
