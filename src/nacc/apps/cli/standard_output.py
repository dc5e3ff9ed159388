"""Standard output as the commands see it: what cannot be written is told in one line, and a reader
that leaves early ends the command quietly."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from nacc.errors import InvalidInput


class StandardOutput:
    """A stream like the one it is made of, whose errors are for people."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        with _told():
            return self._stream.write(text)

    def flush(self) -> None:
        with _told():
            self._stream.flush()


@contextmanager
def standard_output() -> Iterator[None]:
    """In here standard output tells what is wrong with it; afterwards nothing is left to write."""
    if sys.stdout is None:
        sys.stdout = _none()
    before, sys.stdout = sys.stdout, StandardOutput(sys.stdout)
    try:
        yield
    finally:
        sys.stdout = before
        try:
            before.flush()
        except OSError:  # which was told: it has failed before
            _give_up(before)


def _give_up(stream: TextIO) -> None:
    """Let what is still to be written go nowhere: the interpreter would complain when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise SystemExit(0) from None
    except OSError as error:
        raise InvalidInput(f"cannot write standard output: {error.strerror}") from error


def _none() -> TextIO:
    """In the place of a standard output that is closed: one that nothing can be written to, so that
    no file that is opened later gets its number."""
    nowhere = os.open(os.devnull, os.O_RDONLY)
    if nowhere != 1:
        os.dup2(nowhere, 1)
    return open(1, "w", encoding="utf-8", closefd=False)
