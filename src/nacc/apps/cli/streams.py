"""The standard streams as the commands see them. Standard output is UTF-8, as files are. What it
does not take is told in one line, and a reader that leaves early ends the command quietly; what
standard error does not take is lost, and no result with it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any, TextIO

from nacc.data.rows import UTF_8
from nacc.errors import InvalidInput


class Stream:
    """A stream like the one it is made of, for whose errors somebody is called."""

    def __init__(self, stream: TextIO, failed: Callable[[OSError], None]) -> None:
        self._stream = stream
        self._failed = failed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError as error:
            self._failed(error)
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError as error:
            self._failed(error)


@contextmanager
def standard_streams() -> Iterator[None]:
    """In here the streams are there and do as the module says; afterwards nothing is left to
    write."""
    sys.stdout, sys.stderr = sys.stdout or _unwritable(1), sys.stderr or _unwritable(2)
    before = sys.stdout, sys.stderr
    if isinstance(sys.stdout, TextIOWrapper):  # whatever the locale; names of files as they are
        sys.stdout.reconfigure(encoding=UTF_8, errors="surrogateescape")
    sys.stdout, sys.stderr = Stream(sys.stdout, _tell), Stream(sys.stderr, lambda error: None)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for stream in before:
            try:
                stream.flush()
            except OSError:  # not for the first time; the interpreter would complain when it ends
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _tell(error: OSError) -> None:
    if isinstance(error, BrokenPipeError):
        raise SystemExit(0)
    raise InvalidInput(f"cannot write standard output: {error.strerror}") from error


def _unwritable(number: int) -> TextIO:
    """In the place of a stream that is closed: one that takes nothing, so that no file that is
    opened later has its number."""
    nowhere = os.open(os.devnull, os.O_RDONLY)
    if nowhere != number:
        os.dup2(nowhere, number)
    return open(number, "w", encoding=UTF_8, closefd=False)
