"""The `nacc` command, run within the test, with one model for all."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from nacc.apps.cli import main

from .process import Done
from .stub import Stub


@pytest.fixture(scope="session")
def model():
    from nacc.summarizer import Summarizer

    return Summarizer.load()


@pytest.fixture
def nacc(model, monkeypatch, capfdbinary) -> Callable[..., Done]:
    """Run a command line in this process: `nacc(["fit", …], stdin=b"…")`."""
    load = type(model).load
    monkeypatch.setattr(
        "nacc.summarizer.Summarizer.load", lambda path=None: model if path is None else load(path)
    )

    def run(arguments: Sequence[str | Path], stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as left:
            main([str(each) for each in arguments])
        out, err = capfdbinary.readouterr()
        return Done(int(left.value.code or 0), out, err.decode("utf-8"))

    return run


@pytest.fixture
def stub(nacc, monkeypatch) -> Stub:
    """A summarizer without a model, for `nacc` to use."""
    made = Stub()
    monkeypatch.setattr("nacc.summarizer.Summarizer.load", lambda path=None: made)
    return made
