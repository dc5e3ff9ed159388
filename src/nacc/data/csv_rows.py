"""CSV and TSV, cut into rows without losing how they were written.

Python's csv module gives the cells but not their places; replacing one and leaving the rest as it
was needs those.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from itertools import count

from nacc.data.rows import USUAL_COLUMN, Entry, Row, TextLines, Value, counted, split_ending
from nacc.errors import InvalidInput

QUOTE = '"'
LONGEST_CELL = 1 << 22
"""Characters within which a quoted cell that runs over a line's end must close: a mark that never
does takes no more than these with it."""


@dataclass(frozen=True)
class Cell:
    """A cell, and where it is written."""

    text: str
    start: int
    end: int
    quoted: bool


class Cells:
    """A table whose cells a character separates.

    delimiter: "," or "\\t"; None: "," or ";", whichever the first line has more of.
    several_lines: whether a quoted cell may hold line breaks (CSV: yes, TSV: no).
    columns: those of the texts, by name or pattern; none: the only one, or the one called "text".
    named: whether the first row names the columns; if not, they are called 1, 2, 3…
    adding: the columns that `extended` will add.
    """

    def __init__(
        self,
        delimiter: str | None,
        *,
        several_lines: bool,
        columns: Collection[str] = (),
        named: bool = True,
        adding: Collection[str] = (),
    ) -> None:
        self.delimiter = delimiter
        self.several_lines = several_lines
        self.columns = columns
        self.named = named
        self.adding = adding
        self.names: tuple[str, ...] = ()
        self._places: list[int] = []
        self._ending = "\n"

    def rows(self, lines: Iterable[str]) -> Iterator[Row]:
        """The rows; empty lines are rows without entries. A second document continues the first,
        and must have the same columns."""
        begun = False
        for raw, line, closed in self.stretches(lines):
            body, ending = split_ending(raw)
            if not body:
                yield Row(raw, line)
                continue
            cells = self._cells(body)
            if not begun:
                begun = True
                self._ending = ending or self._ending
                self._begin([cell.text for cell in cells])
                if self.named:
                    yield Row(raw, line, header=True)
                    continue
            yield self._row(raw, line, cells, closed)

    def extended(self, row: Row, columns: Mapping[str, Value]) -> str:
        """The row with further cells; a row that has no place for them stays as it is, and one
        that has cells too few is filled up if there is anything to say."""
        body, ending = split_ending(row.raw)
        if not body:
            return row.raw
        new = list(columns if row.header else columns.values())
        if row.problem:
            missing = len(self.names) - len(self._cells(body))
            if missing < 0 or not any(new) or self._open_quote(body) >= 0:
                return row.raw
            new = [None] * missing + new
        added = [self._written(written(value), quoted=False) for value in new]
        return (self.delimiter or ",").join([body, *added]) + (ending or self._ending)

    def _begin(self, first: list[str]) -> None:
        """Take the first row's cells as the columns' names and find those that are wanted."""
        names = tuple(first if self.named else map(str, range(1, len(first) + 1)))
        if self.names and names != self.names:
            raise InvalidInput(
                f"files with different columns: {', '.join(self.names)} and {', '.join(names)}"
            )
        self.names = names
        usual = self.names[0] if len(self.names) == 1 else USUAL_COLUMN
        found = {place for wanted in self.columns or [usual] for place in self._named(wanted)}
        self._places = sorted(found)
        if self.adding and len(found) > 1:
            called = ", ".join(self.names[place] for place in self._places)
            raise InvalidInput(
                f"one column of texts is needed, and these are {len(found)}: {called}"
            )
        refuse_taken(self.adding, self.names, "column")

    def _named(self, wanted: str) -> list[int]:
        """The places of the columns that are called so, or as the pattern says."""
        called = [i for i, name in enumerate(self.names) if name == wanted]
        called = called or [i for i, name in enumerate(self.names) if fnmatchcase(name, wanted)]
        if not called:
            what = f"no column {wanted!r}" if self.columns else "which column?"
            raise InvalidInput(f"{what}; choose with --column one of: {', '.join(self.names)}")
        return called

    def _row(self, raw: str, line: int, cells: list[Cell], closed: bool) -> Row:
        if not closed:
            return Row(raw, line, problem="a quoted cell begins here and never ends")
        if len(cells) != len(self.names):
            return Row(raw, line, problem=self._misfit(len(cells)))

        def read(raw: str) -> list[Entry]:
            body, _ = split_ending(raw)
            whole = self.several_lines or "\n" not in body
            return self._entries(self._cells(body), line) if whole else []

        return Row(raw, line, tuple(self._entries(cells, line)), read=read)

    def _misfit(self, cells: int) -> str:
        needed = len(self.names)
        verb = "is" if needed == 1 else "are"
        return f"{counted(cells, 'cell')} where {needed} {verb} needed"

    def _entries(self, cells: list[Cell], line: int) -> list[Entry]:
        """The texts of a row's cells; none if it has not as many as there are columns."""
        if len(cells) != len(self.names):
            return []
        return [
            Entry(
                cells[place].text,
                cells[place].start,
                cells[place].end,
                line,
                self.names[place],
                partial(self._written, quoted=cells[place].quoted),
                self.names[place],
            )
            for place in self._places
        ]

    def stretches(self, lines: Iterable[str]) -> Iterator[tuple[str, int, bool]]:
        """Lines, joined where a quoted cell runs over their end; the number of the first; and
        whether all quotes were closed."""
        stream, numbers = iter(lines), count(1)
        for raw, line in zip(stream, numbers, strict=False):
            if self.delimiter is None and split_ending(raw)[0]:
                self.delimiter = ";" if raw.count(";") > raw.count(",") else ","
            open_at = self._open_quote(raw) if self.several_lines and QUOTE in raw else -1
            parts, length = [raw], len(raw)
            while open_at >= 0 and length < LONGEST_CELL:
                more = next(stream, None)
                if more is None:
                    break
                next(numbers)
                parts.append(more)
                length += len(more)
                open_at = self._open_quote(QUOTE + more) if QUOTE in more else 0
            yield "".join(parts), line, open_at < 0

    def _open_quote(self, line: str) -> int:
        """Where the quoted cell begins that this line leaves open; −1 if it leaves none."""
        body, _ = split_ending(line)
        start = 0
        while start <= len(body):
            if body.startswith(QUOTE, start):
                end = _closing(body, start)
                if end < 0:
                    return start
                start = end
            after = body.find(self.delimiter or ",", start)
            if after < 0:
                return -1
            start = after + 1
        return -1

    def _cells(self, body: str) -> list[Cell]:
        delimiter = self.delimiter or ","
        cells, start = [], 0
        while True:
            closing = _closing(body, start) if body.startswith(QUOTE, start) else -1
            quoted = closing >= 0 and body[closing : closing + 1] in ("", delimiter)
            if quoted:
                end = closing
            else:  # marks that do not enclose the whole cell are part of its text
                whole = closing if self.several_lines and closing >= 0 else start
                end = body.find(delimiter, whole)
                end = len(body) if end < 0 else end
            text = body[start:end]
            if quoted:
                text = text[1:-1].replace(QUOTE * 2, QUOTE)
            cells.append(Cell(text, start, end, quoted))
            if end == len(body):
                return cells
            start = end + 1

    def _written(self, text: str, quoted: bool) -> str:
        special = (self.delimiter or ",", QUOTE, "\r", "\n")
        if quoted or (text and any(mark in text for mark in special)):
            return QUOTE + text.replace(QUOTE, QUOTE * 2) + QUOTE
        return text


class TextCells(Cells):
    """Plain text that becomes CSV: a line is the cell of a row, in the column `text`."""

    def __init__(self, adding: Collection[str] = ()) -> None:
        super().__init__(",", several_lines=False, adding=adding)
        self._begin([USUAL_COLUMN])

    def rows(self, lines: Iterable[str]) -> Iterator[Row]:
        yield Row(USUAL_COLUMN, 0, header=True)
        yield from TextLines().rows(lines)

    def extended(self, row: Row, columns: Mapping[str, Value]) -> str:
        body, _ = split_ending(row.raw)
        new = list(columns if row.header else columns.values())
        cells = [self._written(written(value), quoted=False) for value in [body, *new]]
        return ",".join(cells) + "\n"


def written(value: Value) -> str:
    """A value as a cell's text."""
    return value if isinstance(value, str) else "" if value is None else json.dumps(value)


def refuse_taken(adding: Collection[str], names: Collection[str], what: str) -> None:
    """Raise InvalidInput if a table has one of the columns already that are to be added."""
    if taken := next((name for name in adding if name in names), None):
        raise InvalidInput(
            f"there is a {what} {taken!r} already; name another with --into or --errors"
        )


def _closing(body: str, start: int) -> int:
    """The end of the quoted cell that begins at `start`, −1 if it has none."""
    at = start + 1
    while (at := body.find(QUOTE, at)) >= 0:
        if not body.startswith(QUOTE, at + 1):
            return at + 1
        at += 2
    return -1
