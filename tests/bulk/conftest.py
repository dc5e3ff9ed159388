"""The command, as the tests of the command line have it."""

from tests.apps.cli.conftest import nacc

__all__ = ["nacc"]
