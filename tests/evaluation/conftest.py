"""A model small enough to reason about, with the Summarizer's interface, and data to match."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import ModuleType

import pytest

from nacc.data.datasets import Dataset
from nacc.errors import BudgetTooSmall
from nacc.length.budget import Budget
from nacc.text.function_words import FUNCTION_WORDS

PAIRS = (
    ("the mayor of the town opened a new bridge on monday .", "mayor opens new bridge"),
    ("two farmers sold 300 sheep at the market in spring .", "farmers sell 300 sheep at market"),
    ("rain delayed the final of the village chess cup .", "rain delays village chess final"),
    ("a small bakery won the prize for the best bread .", "small bakery wins bread prize"),
)


@dataclass(frozen=True)
class Read:
    """What the model has read: the words it would say, best first to last."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class Said:
    text: str
    score: float


class SmallModel:
    """Says the source's content words in order: all of them (greedy), or as many as fit.

    `bucketed` forgets one word for every 10 of its bucket size, so a sweep has something to show.
    """

    def __init__(self) -> None:
        self.sentences_read = 0

    @classmethod
    def load(cls, path: str | None = None) -> SmallModel:
        return cls()

    def read(self, texts: list[str | Read]) -> list[Read]:
        return [text if isinstance(text, Read) else self._read(text) for text in texts]

    def _read(self, text: str) -> Read:
        self.sentences_read += 1
        return Read(tuple(w for w in text.split() if w.isalnum() and w not in FUNCTION_WORDS))

    def summarize(self, text, max_length=50, unit="characters", method="exact", **options):
        budget = Budget.of(f"{max_length} {unit}")
        return [self._say(reading, budget, method, options) for reading in self.read(text)]

    def _say(self, reading: Read, budget: Budget, method: str, options: dict) -> Said:
        words = list(reading.words)
        if method == "bucketed":
            words = words[options.get("bucket", 4) // 10 :]
        while words and not budget.fits(" ".join(words)):
            words.pop()
        if not words:
            raise BudgetTooSmall(f"nothing fits {budget}", smallest=len(reading.words[0]))
        return Said(" ".join(words), float(len(words) - len(reading.words)))


@pytest.fixture
def model() -> SmallModel:
    return SmallModel()


@pytest.fixture
def data() -> Dataset:
    sources, references = zip(*PAIRS, strict=True)
    return Dataset("small", sources, tuple((reference,) for reference in references))


@pytest.fixture
def tsv(tmp_path):
    path = tmp_path / "small.tsv"
    path.write_text("".join(f"{source}\t{headline}\n" for source, headline in PAIRS), "utf-8")
    return path


@pytest.fixture
def packaged(monkeypatch) -> type[SmallModel]:
    """Let the commands find the small model where they look for the packaged one."""
    module = ModuleType("nacc.summarizer")
    module.Summarizer = SmallModel
    monkeypatch.setitem(sys.modules, "nacc.summarizer", module)
    return SmallModel
