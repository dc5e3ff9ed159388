"""The command, as the tests of the command line have it; parts of few rows."""

import pytest
from tests.apps.cli.conftest import nacc

from nacc.bulk import parts

__all__ = ["nacc"]


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(parts, "SMALLEST", 1024)
