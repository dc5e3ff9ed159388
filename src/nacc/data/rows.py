"""Rows of a document, each with the texts in it and where they stand.

What is not a text to work on is never taken apart: a row keeps its raw characters, and a text is
replaced in its place. So quoting, line endings, other columns and bytes that are no UTF-8 come
out as they went in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Protocol

from nacc.errors import InvalidInput

BOM = "\ufeff"
USUAL_COLUMN = "text"
"""Where the texts of a table are, unless a column is named."""
_FOREIGN_BOMS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_READ_AT_ONCE = 1 << 16


@dataclass(frozen=True)
class Entry:
    """A text of a row: `row.raw[start:end]` is how it is written, `write` writes another."""

    text: str
    start: int
    end: int
    line: int
    column: str = ""
    write: Callable[[str], str] = str


@dataclass(frozen=True)
class Row:
    """A stretch of a document; `problem` says why no text could be found where one should be."""

    raw: str
    line: int
    entries: tuple[Entry, ...] = ()
    problem: str = ""
    header: bool = False

    def replaced(self, texts: Sequence[str | None]) -> str:
        """The row with new texts in its entries' places; None leaves one as it is."""
        parts, end = [], 0
        for entry, text in zip(self.entries, texts, strict=True):
            if text is not None:
                parts += [self.raw[end : entry.start], entry.write(text)]
                end = entry.end
        return "".join([*parts, self.raw[end:]])


class Format(Protocol):
    """How a kind of document is cut into rows."""

    def rows(self, lines: Iterable[str]) -> Iterator[Row]:
        """The rows of a document's lines."""


class Table(Format, Protocol):
    """A kind of document whose rows can take further columns."""

    def extended(self, row: Row, columns: dict[str, str | None]) -> str:
        """The row with columns added to its right; in the header, their names."""


class TextLines:
    """Plain text: every line is one."""

    def rows(self, lines: Iterable[str]) -> Iterator[Row]:
        for number, line in enumerate(lines, 1):
            body, _ = split_ending(line)
            yield Row(line, number, (Entry(body, 0, len(body), number),))


class Lines:
    """The lines of a stream of bytes, with their endings; never more than one in memory.

    UTF-8; bytes that are none become lone surrogates (`undecodable` finds them, `encoded` gives
    them back). A byte-order mark is taken off and kept in `mark`.
    """

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self.name = name
        self.mark = ""
        self.bytes_read = 0
        # Unbuffered, so that a line is there as soon as it is written.
        self._stream = getattr(stream, "raw", stream)
        self._buffer = bytearray()
        self._ended = False

    def __iter__(self) -> Iterator[str]:
        first = True
        while line := self._line():
            text = line.decode("utf-8", "surrogateescape")
            if first:
                self._refuse_foreign(line)
                first = False
                if text.startswith(BOM):
                    self.mark, text = BOM, text[1:]
                    if not text:
                        return
            yield text

    def _line(self) -> bytes:
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0 and not self._ended:
            searched = len(self._buffer)
            self._read()
        end = len(self._buffer) if end < 0 else end + 1
        line = bytes(self._buffer[:end])
        del self._buffer[:end]
        return line

    def _read(self) -> None:
        try:
            block = self._stream.read(_READ_AT_ONCE)
        except OSError as error:
            raise InvalidInput(f"cannot read {self.name}: {error.strerror}") from error
        self._buffer += block
        self.bytes_read += len(block)
        self._ended = not block

    def _refuse_foreign(self, line: bytes) -> None:
        encoding = _FOREIGN_BOMS.get(line[:2])
        if encoding:
            raise InvalidInput(
                f"{self.name} is {encoding}; convert it first: iconv -f {encoding} -t UTF-8"
            )


def split_ending(line: str) -> tuple[str, str]:
    """A line without its ending, and the ending."""
    for ending in ("\r\n", "\n"):
        if line.endswith(ending):
            return line[: -len(ending)], ending
    return line, ""


def undecodable(text: str) -> str:
    """What is wrong with a text whose bytes were no UTF-8; empty if nothing is."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        if 0xDC80 <= code <= 0xDCFF:
            return f"not UTF-8: byte 0x{code - 0xDC00:02x} after {error.start} characters"
        return f"half a character (lone surrogate) after {error.start} characters"
    return ""


def encoded(text: str) -> bytes:
    """The bytes that `Lines` made the text from."""
    return text.encode("utf-8", "surrogateescape")
