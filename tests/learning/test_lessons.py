"""What is made of pairs, and how often they come."""

from __future__ import annotations

import numpy as np
import pytest

from nacc.learning.corpus import Corpus, Ragged
from nacc.learning.lessons import Lessons, foreign, headline_lengths, lessons

PAIRS = [
    ("wire", "a bus driver died after he was attacked", "bus driver dies after attack at station"),
    ("wire", "the chinese steel maker said it would cut jobs", "China steel maker to cut jobs"),
    ("wire", "the steel maker said it would cut jobs", "Germany steel maker to cut jobs"),
    ("wire", "it could reach the coast as a hurricane", "storm could reach coast as a hurricane"),
    ("wire", "they told what they found after the fires", "what residents found after the fires"),
    ("label", "opens the door after it was shut by the wind", "open the door after it was shut"),
    ("wire", "the american government shut its offices", "US shuts government offices"),
]  # fmt: skip
FORMS = ["<blank>", "Germany", "China", "US", "steel"]


def corpus() -> Corpus:
    lexicon: dict[str, int] = {}

    def ids(text: str) -> list[int]:
        return [lexicon.setdefault(word, len(lexicon)) for word in text.lower().split()]

    source = Ragged.of([ids(source) for _, source, _ in PAIRS])
    target = Ragged.of([ids(headline) for _, _, headline in PAIRS])
    group = np.array([int(name == "label") for name, _, _ in PAIRS], np.uint16)
    return Corpus(list(lexicon), source, target, group, ["wire", "label"])


def said(of: Corpus, row: int) -> str:
    return " ".join(of.lexicon[i] for i in of.target.row(row).tolist())


def test_every_pair_comes_once_unless_told() -> None:
    given = corpus()
    taught, times = lessons(given, Lessons(), FORMS)
    assert taught is given
    assert times.tolist() == [1.0] * len(PAIRS)


def test_a_headline_is_also_shown_without_its_last_clause() -> None:
    taught, times = lessons(corpus(), Lessons(news=("wire",), cut=40), FORMS)
    assert len(taught) == len(times) == len(PAIRS) + 1
    assert said(taught, len(PAIRS)) == "bus driver dies"
    assert np.array_equal(taught.source.row(len(PAIRS)), taught.source.row(0))
    taught.check()


def test_no_headline_is_made_that_is_longer_than_asked_for() -> None:
    taught, _ = lessons(corpus(), Lessons(news=("wire",), cut=14), FORMS)
    assert len(taught) == len(PAIRS)


def test_a_name_is_foreign_unless_the_source_has_it_in_some_form() -> None:
    assert foreign(corpus(), FORMS).tolist() == [False, False, True, False, False, False, False]
    _, times = lessons(corpus(), Lessons(foreign=0.25), FORMS)
    assert times.tolist() == [1, 1, 0.25, 1, 1, 1, 1]


def test_what_is_hardly_taught_is_not_cut() -> None:
    given = corpus()
    names = [*FORMS, "Dies"]  # no name, but it shows the rule
    taught, _ = lessons(given, Lessons(news=("wire",), cut=40, foreign=0.25), names)
    assert len(taught) == len(PAIRS)


def test_short_headlines_of_the_news_come_oftener() -> None:
    given = corpus()
    steps = Lessons(news=("wire",), lengths=((30, 4.0), (36, 0.5)), often={"label": 2.0})
    _, times = lessons(given, steps, FORMS)
    lengths = headline_lengths(given)
    assert lengths[0] == len(PAIRS[0][2])
    expected = [
        2.0 if name == "label" else 4.0 if n < 30 else 0.5 if n < 36 else 1.0
        for (name, _, _), n in zip(PAIRS, lengths.tolist(), strict=True)
    ]
    assert times.tolist() == pytest.approx(expected)
