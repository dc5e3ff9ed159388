"""Where results go: standard output, or a file that is there whole or not at all.

What is written is encoded as `rows` decoded it, so bytes that are no UTF-8 come out as they were.
What no file can take the place of is written to as it comes: pipes, devices, and what is open
already, as /dev/stdout is. A file is a draft beside the old one until it is whole. SIGTERM and
SIGHUP take the draft with them; one that SIGKILL left is removed by whoever writes the same file
next. A backup never takes the place of another.
"""

from __future__ import annotations

import errno
import glob
import os
import re
import secrets
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO, Any

from nacc.data.rows import UTF_8, encoded
from nacc.errors import InvalidInput

Write = Callable[[str], None]
STANDARD_OUTPUT = Path("-")
OPEN_ALREADY = re.compile(r"(?:/dev|/proc/(\d+)(?:/task/\d+)?)/fd/(\d+)")
"""The name of what a process has open, and its number there; /dev/stdout is a link to one."""
MOST_LINKS = 40


@contextmanager
def writing(path: Path | None, encoding: str = UTF_8) -> Iterator[Write]:
    """Writes to a file, which appears under its name when all is written; None or «-»: to standard
    output, at once."""
    if path is None or path == STANDARD_OUTPUT:
        yield lambda text: _now(sys.stdout.buffer, "standard output", text, encoding)
    elif stream := _written_through(path):
        with stream:
            yield lambda text: _now(stream, path, text, encoding)
    else:
        with replacing(path) as replacement:
            replacement.encoding = encoding
            yield replacement.write
            replacement.keep()


def _written_through(path: Path) -> IO[bytes] | None:
    """A stream to what no other file can take the place of; None for a file."""
    with _named(path):
        name = _open_already(path)
        if name and name[1] in (None, Path("/proc/self").resolve().name):
            # Not opened again, which would begin where the file does. Unbuffered, so that nothing
            # is left to write at the end.
            return os.fdopen(os.dup(int(name[2])), "wb", buffering=0)
        if name and path.is_file():
            raise InvalidInput(f"cannot write {path}: another process has that file open")
        if path.exists() and not path.is_file():
            return path.open("wb", buffering=0)
    return None


def _open_already(path: Path) -> re.Match[str] | None:
    """What the path names of that which a process has open, by however many links."""
    for _ in range(MOST_LINKS):
        path = Path(os.path.realpath(path.parent), path.name)
        if found := OPEN_ALREADY.fullmatch(str(path)):
            return found
        if not path.is_symlink():
            return None
        path = path.parent / path.readlink()
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


class Replacement:
    """A file beside another, to take its place."""

    def __init__(self, path: Path) -> None:
        self.path = Path(os.path.realpath(path))
        self.encoding = UTF_8
        self._draft = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}.tmp")
        with _named(path):
            _remove_drafts(self.path)
            self._stream = self._draft.open("xb")
            lock(self._stream)
            if self.path.exists():
                shutil.copymode(self.path, self._draft)

    def write(self, text: str) -> None:
        with _named(self.path):
            self._stream.write(encoded(text, self.encoding))

    def keep(self) -> None:
        """Take the place of the file."""
        with _named(self.path):
            self._stream.flush()
            os.fsync(self._stream.fileno())
            self._stream.close()
            self._draft.replace(self.path)

    def drop(self) -> None:
        with suppress(OSError):
            self._stream.close()
        self._draft.unlink(missing_ok=True)


@contextmanager
def replacing(path: Path) -> Iterator[Replacement]:
    """A replacement that is dropped unless it was kept, whatever happens meanwhile."""
    with ending_on_signals():
        replacement = Replacement(path)
        try:
            yield replacement
        finally:
            replacement.drop()


def lock(stream: IO[Any]) -> bool:
    """Keep a file for this process, as long as it is open; whether nobody else is known to."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # Windows, which does not let a file be removed that is open
        return True
    try:
        flock(stream, LOCK_EX | LOCK_NB)
    except OSError:
        return False
    return True


def _remove_drafts(path: Path) -> None:
    """Remove the drafts of a file that nobody writes any more."""
    for draft in path.parent.glob(f".{glob.escape(path.name)}.{'[0-9a-f]' * 8}.tmp"):
        with suppress(OSError), draft.open("rb") as stream:
            if lock(stream):
                draft.unlink()


@contextmanager
def ending_on_signals() -> Iterator[None]:
    """SIGTERM and SIGHUP end what happens in here as an error would, unless they are ignored."""

    def end(number: int, frame: Any) -> None:
        raise SystemExit(128 + number)

    deadly = [each for each in (getattr(signal, "SIGHUP", None), signal.SIGTERM) if each]
    heeded = [each for each in deadly if signal.getsignal(each) == signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        heeded = []
    for each in heeded:
        signal.signal(each, end)
    try:
        yield
    finally:
        for each in heeded:
            signal.signal(each, signal.SIG_DFL)


def back_up(path: Path) -> Path:
    """Copy a file, with its times and permissions, to the first of FILE.bak, FILE.bak.1,
    FILE.bak.2… that is not there."""
    names = (f"{path.name}.bak" + (f".{number}" if number else "") for number in count())
    backup = next(each for each in map(path.with_name, names) if not os.path.lexists(each))
    with _named(backup):
        stream = backup.open("xb")  # and not one that came this very moment
        try:
            with stream, path.open("rb") as old:
                shutil.copyfileobj(old, stream)
                stream.flush()
                os.fsync(stream.fileno())
            shutil.copystat(path, backup)
        except BaseException:
            backup.unlink(missing_ok=True)
            raise
    return backup


@contextmanager
def _named(path: Path | str) -> Iterator[None]:
    """An error in here names the file that could not be written, and why."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, LookupError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise InvalidInput(f"cannot write {path}: {why}") from error


def _now(stream: IO[bytes], name: Path | str, text: str, encoding: str) -> None:
    with _named(name):
        left = memoryview(encoded(text, encoding))
        while left:  # a disk that is all but full takes a part, and says so of the next
            left = left[stream.write(left) :]
        stream.flush()
