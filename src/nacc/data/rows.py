"""Rows of a document, each with the texts in it and where they stand.

What is not a text to work on is never taken apart: a row keeps its raw characters, and a text is
replaced in its place. So quoting, line endings, other columns and bytes that are no UTF-8 come
out as they went in.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from io import StringIO
from typing import IO, Protocol

from nacc.errors import InvalidInput

BOM = "\ufeff"
Value = str | float | bool | None
"""What a new column may hold."""
USUAL_COLUMN = "text"
"""Where the texts of a table are, unless a column is named."""
UTF_8 = "utf-8"
WIDE_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_READ_AT_ONCE = 1 << 16


@dataclass(frozen=True)
class Entry:
    """A text of a row: `row.raw[start:end]` is how it is written, `write` writes another.

    column, path: the column or key that it stands under, and all keys that lead there.
    locked: why it cannot be replaced.
    """

    text: str
    start: int
    end: int
    line: int
    column: str = ""
    write: Callable[[str], str] = str
    path: str = ""
    locked: str = ""

    def stands_under(self, pattern: str) -> bool:
        """Whether the column, the key or the path is this one, or one that the pattern means."""
        names = (self.column, self.path)
        return pattern in names or any(fnmatchcase(name, pattern) for name in names)


@dataclass(frozen=True)
class Row:
    """A stretch of a document; `problem` says why no text could be found where one should be.

    read: finds the entries in other raw characters, as these were found; None where the row's
    texts are only read.
    """

    raw: str
    line: int
    entries: tuple[Entry, ...] = ()
    problem: str = ""
    header: bool = False
    read: Callable[[str], Sequence[Entry]] | None = None

    def replaced(self, texts: Sequence[str | None]) -> str:
        """The row with new texts in its entries' places; None leaves one as it is."""
        parts, end = [], 0
        for entry, text in zip(self.entries, texts, strict=True):
            if text is not None:
                parts += [self.raw[end : entry.start], entry.write(text)]
                end = entry.end
        return "".join([*parts, self.raw[end:]])

    def holds(self, texts: Sequence[str | None]) -> bool:
        """Whether the row, with new texts in their places, reads as before but for these."""
        if self.read is None:
            return False
        try:
            after = self.read(self.replaced(texts))
        except InvalidInput:
            return False
        if len(after) != len(self.entries):
            return False
        moved = 0
        for old, text, new in zip(self.entries, texts, after, strict=True):
            length = old.end - old.start if text is None else len(old.write(text))
            start = old.start + moved
            moved += length - (old.end - old.start)
            expected = (start, start + length, old.path, old.text if text is None else text)
            if (new.start, new.end, new.path, new.text) != expected:
                return False
        return True

    def mended(self, texts: Sequence[str | None]) -> list[str | None]:
        """Those of the new texts that the row can hold."""
        if any(text is not None for text in texts) and not self.holds(texts):
            nothing: list[str | None] = [None] * len(texts)
            alone = [[*nothing[:i], text, *nothing[i + 1 :]] for i, text in enumerate(texts)]
            texts = [each[i] if self.holds(each) else None for i, each in enumerate(alone)]
            texts = texts if self.holds(texts) else nothing
        return list(texts)


class Format(Protocol):
    """How a kind of document is cut into rows."""

    def rows(self, lines: Iterable[str]) -> Iterator[Row]:
        """The rows of a document's lines."""


class Table(Format, Protocol):
    """A kind of document whose rows can take further columns."""

    def extended(self, row: Row, columns: Mapping[str, Value]) -> str:
        """The row with columns added to its right; in the header, their names."""


class TextLines:
    """Plain text: every line is one."""

    def rows(self, lines: Iterable[str]) -> Iterator[Row]:
        for number, line in enumerate(lines, 1):
            yield Row(line, number, self._entries(line, number), read=self._entries)

    def _entries(self, raw: str, number: int = 1) -> tuple[Entry, ...]:
        bodies = [split_ending(line)[0] for line in split_lines(raw)]
        return tuple(Entry(body, 0, len(body), number) for body in bodies)


class Lines:
    """The lines of a stream of bytes, with their endings; never more than one in memory.

    UTF-8; bytes that are none become lone surrogates (`undecodable` finds them, `encoded` gives
    them back). A byte-order mark is taken off and kept in `mark`.

    encoding: another one, in which a document is read as a whole; None: as its mark says.
    """

    def __init__(self, stream: IO[bytes], name: str, encoding: str | None = UTF_8) -> None:
        self.name = name
        self.mark = ""
        self.encoding = encoding or UTF_8
        self.bytes_read = 0
        # Unbuffered, so that a line is there as soon as it is written.
        self._stream = getattr(stream, "raw", stream)
        self._buffer = bytearray()
        self._ended = False
        self._heeds_mark = encoding is None

    def __iter__(self) -> Iterator[str]:
        while len(self._buffer) < 2 and not self._ended:
            self._read()
        wide = WIDE_MARKS.get(bytes(self._buffer[:2]))
        if wide and self._heeds_mark:
            self.encoding = wide
        elif wide and self.encoding == UTF_8:
            raise InvalidInput(f"{self.name} is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8")
        lines = self._decoded() if self.encoding != UTF_8 else self._as_they_come()
        for number, line in enumerate(lines):
            if number == 0 and line.startswith(BOM):
                self.mark = BOM
            text = line.removeprefix(BOM) if number == 0 else line
            if text:
                yield text

    def _as_they_come(self) -> Iterator[str]:
        while line := self._line():
            yield line.decode(UTF_8, "surrogateescape")

    def _decoded(self) -> Iterator[str]:
        """All lines, if their bytes can be had back from them."""
        while not self._ended:
            self._read()
        data = bytes(self._buffer)
        try:
            text = data.decode(self.encoding)
            if text.encode(self.encoding) != data:
                raise InvalidInput(f"{self.name}: {self.encoding} would not give the bytes back")
        except (LookupError, UnicodeError) as error:
            raise InvalidInput(f"cannot read {self.name} as {self.encoding}: {error}") from error
        return iter(split_lines(text))

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


def counted(number: int, what: str) -> str:
    """So many of something: "1 row", "1,234 rows"."""
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def split_lines(text: str) -> list[str]:
    """The lines of a text, with their endings."""
    return list(StringIO(text, newline="\n"))


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
            what = f"not UTF-8: byte 0x{code - 0xDC00:02x} after {error.start} characters"
            return f"{what}; another encoding? say e.g. --encoding cp1252"
        return f"half a character (lone surrogate) after {error.start} characters"
    return ""


def unusable(text: str) -> str:
    """Why a text cannot be summarized, whatever the model; empty if it can."""
    return undecodable(text) or ("" if text.strip() else "empty text")


def encoding_named(name: str | None) -> str:
    """The encoding that is meant. A mark at the beginning is kept as it was, whatever UTF-8 is
    called; an encoding that begins every text with one would put it before every row."""
    try:
        found = codecs.lookup(name or UTF_8).name
        marked = bool("".encode(found))
    except (LookupError, ValueError):
        return name or UTF_8  # as whoever reads will tell
    if found in (UTF_8, "utf-8-sig"):
        return UTF_8
    if marked:
        raise InvalidInput(f"{name} has a mark; say {found}-le or {found}-be")
    return str(name)


def encoded(text: str, encoding: str = UTF_8) -> bytes:
    """The bytes that `Lines` made the text from."""
    return text.encode(encoding, "surrogateescape" if encoding == UTF_8 else "strict")
