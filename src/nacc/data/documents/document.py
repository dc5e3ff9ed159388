"""A document that is read as a whole, or not at all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence

from nacc.data.rows import Entry, Row
from nacc.errors import InvalidInput


class Malformed(InvalidInput):
    """What is wrong with a document, and in which line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class Document(ABC):
    """One row with all texts of a document, or with what is wrong with it and in which line."""

    @abstractmethod
    def entries(self, raw: str) -> Sequence[Entry]:
        """The texts, in the order they are written in. Raises Malformed."""

    def rows(self, lines: Iterable[str]) -> Iterator[Row]:
        raw = "".join(lines)
        if not raw:
            return
        try:
            found = tuple(self.entries(raw)) if raw.strip() else ()
        except Malformed as error:
            yield Row(raw, error.line, problem=str(error))
        else:
            yield Row(raw, 1, found, read=self.entries)


class Places:
    """The lines that places in a text lie in, asked for from its beginning to its end."""

    def __init__(self, raw: str) -> None:
        self._raw = raw
        self._at = 0
        self._line = 1

    def line(self, at: int) -> int:
        self._line += self._raw.count("\n", self._at, at)
        self._at = at
        return self._line
