from __future__ import annotations

import random
from itertools import product

import pytest

from nacc.ngrams.trigrams import Trigrams
from nacc.search import SearchModel
from nacc.search.vectors import Vectors
from nacc.search.words import said
from nacc.text.words import split

WHO = ["mayor", "farmers", "striking nurses", "two sailors", "bakers in york", "new coach"]
DOES = ["open", "refuse", "rebuild", "praise", "leave", "inspect"]
WHAT = ["old harbour", "river bridge", "city budget", "school kitchen", "empty stadium"]
PLACE = ["leeds", "york", "dover", "hull"]


def _pair(who: str, does: str, what: str, place: str) -> tuple[str, str]:
    headline = f"{who} {does} {what} in {place}"
    source = (
        f"The {who} will {does} the {what} near {place} on Tuesday, said a spokesman for the "
        f"council, because the people of {place} had asked for it since 1998."
    )
    return source, headline


@pytest.fixture(scope="session")
def pairs() -> list[tuple[str, str]]:
    """Sources and headlines, 720 of them, in no order."""
    made = [_pair(*choice) for choice in product(WHO, DOES, WHAT, PLACE)]
    random.Random(1).shuffle(made)
    return made


@pytest.fixture(scope="session")
def model(pairs: list[tuple[str, str]]) -> SearchModel:
    return SearchModel(
        Trigrams.train([said(split(headline).words) for _, headline in pairs[:300]]),
        Vectors.train(
            [said(split(source).words) for source, _ in pairs], dimension=12, min_count=1
        ),
    )


@pytest.fixture(scope="session")
def sentences(pairs: list[tuple[str, str]]) -> list[str]:
    return [source for source, _ in pairs[:150]]
