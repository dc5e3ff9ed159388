"""What tests of every room may share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def model():
    """The packaged model, loaded once for all tests of a process."""
    from nacc.summarizer import Summarizer

    return Summarizer.load()


@pytest.fixture(scope="session")
def linked_folder(tmp_path_factory) -> Path:
    """A small model with linked slots and a scorer, made here."""
    pytest.importorskip("onnx", reason='needs pip install ".[train]"')
    from tests.linked_model import write

    return write(tmp_path_factory.mktemp("models") / "small")


@pytest.fixture(scope="session")
def linked(linked_folder):
    """The same, loaded."""
    from nacc.summarizer import Summarizer

    return Summarizer.load(linked_folder)


@pytest.fixture(scope="session")
def ctc_folder(tmp_path_factory) -> Path:
    """A small CTC model with bigrams, made here."""
    pytest.importorskip("onnx", reason='needs pip install ".[train]"')
    from tests.ctc_model import write

    return write(tmp_path_factory.mktemp("models") / "ctc")


@pytest.fixture(scope="session")
def ctc(ctc_folder):
    """The same, loaded."""
    from nacc.summarizer import Summarizer

    return Summarizer.load(ctc_folder)
