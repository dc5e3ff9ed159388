"""The packaged models, data small enough to reason about, and how often the model has read."""

from __future__ import annotations

import pytest

from nacc.data.datasets import Dataset
from nacc.summarizer import Summarizer

PAIRS = (
    ("the mayor of the town opened a new bridge on monday .", "mayor opens new bridge"),
    ("two farmers sold 300 sheep at the market in spring .", "farmers sell 300 sheep at market"),
    ("rain delayed the final of the village chess cup .", "rain delays village chess final"),
    ("a small bakery won the prize for the best bread .", "small bakery wins bread prize"),
)


@pytest.fixture(scope="session")
def extractive() -> Summarizer:
    return Summarizer.load("extractive")


@pytest.fixture
def sentences_read(model, monkeypatch) -> list[float]:
    """The seconds of every forward pass of the model from now on: one for each sentence."""
    assert model.engine.batch == 1
    passes: list[float] = []
    monkeypatch.setattr(
        model.engine,
        "observe",
        lambda stage, seconds: passes.append(seconds) if stage == "inference" else None,
    )
    return passes


@pytest.fixture
def data() -> Dataset:
    sources, references = zip(*PAIRS, strict=True)
    return Dataset("small", sources, tuple((reference,) for reference in references))


@pytest.fixture
def tsv(tmp_path):
    path = tmp_path / "small.tsv"
    path.write_text("".join(f"{source}\t{headline}\n" for source, headline in PAIRS), "utf-8")
    return path
