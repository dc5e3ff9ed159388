"""What tests of every room may share."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def model():
    """The packaged model, loaded once for all tests of a process."""
    from nacc.summarizer import Summarizer

    return Summarizer.load()
