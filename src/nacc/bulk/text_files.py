"""CSV, TSV, JSON Lines and plain text in parts: stretches of bytes that begin and end with a row.

What comes out is in the format that went in, every byte of other columns as it was; only plain
text, which has no columns, becomes CSV.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

from nacc.bulk.inputs import File
from nacc.bulk.parts import Counts, Told, naming
from nacc.bulk.unchanged import Unchanged
from nacc.data.csv_rows import Cells, TextCells
from nacc.data.rows import BOM, UTF_8, WIDE_MARKS, Row, Table, split_ending, split_lines
from nacc.data.sources import table
from nacc.errors import InvalidInput, NaccError

if TYPE_CHECKING:
    from nacc.bulk.job import Job
    from nacc.summarizer import Result

MARK = BOM.encode(UTF_8)
BYTES = "latin-1"
"""Reads each byte as a character: marks and line ends are where they are in any encoding that has
ASCII in it."""


class TextFile:
    """One file of rows that lines, or several, hold."""

    def __init__(self, job: Job, file: File) -> None:
        self._job = job
        self._file = file

    def cuts(self, size: int) -> Iterator[tuple[int, int]]:
        self._check()
        begin = at = 0
        head = len("".join(self._head()).encode(self._job.encoding, "surrogateescape"))
        for length in self._pieces(size):
            at += length
            if at - begin >= size and at >= len(MARK) + head:  # the first part has all of it
                yield begin, at
                begin = at
        if at > begin or not at:
            yield begin, at

    def work(
        self, begin: int, end: int, out: IO[bytes], told: Told, unchanged: Unchanged
    ) -> Counts:
        with naming(self._file.path), self._file.path.open("rb") as stream:
            stream.seek(begin)
            data = stream.read(end - begin)
        text = self._decoded(data)
        if begin == 0 and text.startswith(BOM):
            out.write(self._encoded(BOM))
            text = text.removeprefix(BOM)
        form = self._table()
        lines: Iterator[str] = iter(split_lines(text))
        # What comes before tells what the columns are.
        head = self._head() if begin else []
        known = sum(1 for _ in self._table().rows(head)) if begin else 0
        rows = islice(form.rows(chain(head, lines)), known, None)
        counts, done = Counts(0, 0), 0
        for row, found in self._job.summaries.of(rows):
            line, results = self._extended(form, row, found)
            out.write(line)
            errors = [each for each in results if isinstance(each, NaccError)]
            counts += Counts(bool(results), bool(errors))
            if errors and line == self._encoded(row.raw):
                unchanged.add(self._file.path, row.line - len(head), str(errors[0]))
            done += len(row.raw)
            told(min(done / max(len(text), 1), 1.0))
        return counts

    def join(self, parts: Sequence[Path], out: IO[bytes]) -> None:
        for part in parts:
            with part.open("rb") as stream:
                shutil.copyfileobj(stream, out, 1 << 20)

    def _extended(
        self, form: Table, row: Row, results: Sequence[Result]
    ) -> tuple[bytes, Sequence[Result]]:
        """A row with what there is for it, and what that is: all that the encoding has."""
        try:
            return self._encoded(form.extended(row, self._job.columns.values(results))), results
        except UnicodeEncodeError as error:
            code, encoding = ord(error.object[error.start]), self._job.encoding
            lacking = InvalidInput(f"U+{code:04X} cannot be written in {encoding}")
            results = [lacking] * len(results)
            return self._encoded(form.extended(row, self._job.columns.values(results))), results

    def _table(self) -> Table:
        job, names = self._job, self._job.columns.names
        found = None
        if self._file.form != "text":
            found = table(self._file.form, job.column, job.named, names)
        return found or TextCells(names)

    def _check(self) -> None:
        """Raise what all rows would: a column that is not there, an encoding that is unknown."""
        with naming(self._file.path), self._file.path.open("rb") as stream:
            start = stream.read(2)
        if start in WIDE_MARKS or "\n".encode(self._codec()) != b"\n":
            raise InvalidInput(
                f"{self._file.path} is UTF-16 or the like; convert it first: iconv -t UTF-8"
            )
        try:
            for _ in self._table().rows(self._head()):
                pass
        except InvalidInput as error:
            raise InvalidInput(f"{self._file.path}: {error}") from error

    def _codec(self) -> str:
        try:
            self._encoded("")
        except (LookupError, UnicodeError) as error:
            name = self._job.encoding
            raise InvalidInput(f"unknown encoding {name!r}; try utf-8, latin-1, cp1252") from error
        return self._job.encoding

    def _decoded(self, data: bytes) -> str:
        return data.decode(self._job.encoding, "surrogateescape")

    def _encoded(self, text: str) -> bytes:
        return text.encode(self._job.encoding, "surrogateescape")

    def _head(self) -> list[str]:
        """The lines up to a table's first row: they tell its columns."""
        form = self._table()
        if not isinstance(form, Cells) or isinstance(form, TextCells):
            return []
        head: list[str] = []
        with naming(self._file.path), self._file.path.open("rb") as stream:
            lines = map(self._decoded, stream)
            start = next(lines, "").removeprefix(BOM)
            for raw, _, _ in form.stretches(chain([start] if start else [], lines)):
                head += split_lines(raw)
                if split_ending(raw)[0]:
                    break
        return head

    def _pieces(self, size: int) -> Iterator[int]:
        """Lengths of stretches that begin and end with a row, and are together the whole file."""
        form = self._table()
        with naming(self._file.path), self._file.path.open("rb") as stream:
            if isinstance(form, Cells) and form.several_lines:
                skipped = len(MARK) if stream.read(len(MARK)) == MARK else 0
                stream.seek(skipped)
                yield skipped
                lines = (line.decode(BYTES) for line in stream)
                for raw, _, _ in form.stretches(lines):
                    yield len(raw)
                return
            at = 0
            while True:
                stream.seek(at + size)
                stream.readline()
                whole = min(stream.tell(), self._file.path.stat().st_size)
                if whole <= at:
                    return
                yield whole - at
                at = whole
