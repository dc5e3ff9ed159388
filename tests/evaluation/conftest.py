"""CTC models, data small enough to reason about, and how often the model has read."""

from __future__ import annotations

from pathlib import Path

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
def extractive(tmp_path_factory) -> Summarizer:
    """A CTC model that says the source's own words, in their places."""
    pytest.importorskip("onnx", reason='needs pip install ".[train]"')
    from tests.ctc_model import write

    return Summarizer.load(write(tmp_path_factory.mktemp("models") / "extractive", top_k=1))


@pytest.fixture
def packaged_ctc(ctc_folder, tmp_path, monkeypatch) -> Path:
    """CTC models by the names of packaged ones, as the paper's rows and figures want them."""
    packaged = tmp_path / "packaged"
    packaged.mkdir()
    for name in ("default", "extractive"):
        (packaged / name).symlink_to(ctc_folder)
    monkeypatch.setattr("nacc.runtime.folder.PACKAGED", packaged)
    return packaged


@pytest.fixture
def sentences_read(ctc, monkeypatch) -> list[float]:
    """The seconds of every forward pass of the model from now on: one for each sentence."""
    assert ctc.engine.batch == 1
    passes: list[float] = []
    monkeypatch.setattr(
        ctc.engine,
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
