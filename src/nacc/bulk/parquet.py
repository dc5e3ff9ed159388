"""Parquet files in parts: stretches of rows. Other columns come out as they went in, with their
types."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from nacc.bulk.inputs import File
from nacc.bulk.parts import Counts, Told
from nacc.bulk.unchanged import Unchanged
from nacc.data.csv_rows import refuse_taken
from nacc.data.rows import USUAL_COLUMN, UTF_8, Entry, Row, counted
from nacc.errors import InvalidInput, NaccError, requires

requires("reading and writing Parquet", "bulk", "pyarrow")
import pyarrow as pa  # noqa: E402 - where it is missing, the line above says what brings it
import pyarrow.parquet as pq  # noqa: E402

if TYPE_CHECKING:
    from nacc.bulk.job import Job

BYTES_OF_A_ROW, PACKED = 128, 8
"""Parts are measured in bytes, and a Parquet file's are packed: what a row is taken for, and how
many times as much it may have unpacked; wide rows are taken for more."""
GROUP = 1 << 16
"""Rows of a row group that is written."""
BATCH = 1 << 10
"""Rows that are unpacked at a time."""
BUFFER = 1 << 20
"""Bytes of a column that are read at a time."""
MOST = 1 << 25
"""Bytes of a row group that is written, about, if its rows are wide."""
KINDS: dict[type, Any] = {str: pa.string(), float: pa.float64(), bool: pa.bool_()}


class ParquetFile:
    """One Parquet file."""

    def __init__(self, job: Job, file: File) -> None:
        self._job = job
        self._file = file

    def cuts(self, size: int) -> Iterator[tuple[int, int]]:
        reader = self._reader
        self._column()
        step = max(size // max(reader.row_bytes // PACKED, BYTES_OF_A_ROW), 1)
        return pairwise([*range(0, reader.rows, step), reader.rows])

    def work(
        self, begin: int, end: int, out: IO[bytes], told: Told, unchanged: Unchanged
    ) -> Counts:
        columns = self._job.columns
        table = self._reader.stretch(begin, end)
        new: dict[str, list[Any]] = {each: [] for each in columns.names}
        errors = 0
        for done, (_, results) in enumerate(
            self._job.summaries.of(_rows(table[self._column()])), 1
        ):
            for column, value in columns.values(results).items():
                new[column].append(value)
            errors += any(isinstance(each, NaccError) for each in results)
            told(done / len(table))
        for column, kind in columns.kinds.items():
            table = table.append_column(column, pa.array(new[column], KINDS[kind]))
        with pa.ipc.new_file(out, table.schema) as writer:
            writer.write_table(table)
        return Counts(len(table), errors)

    def join(self, parts: Sequence[Path], out: IO[bytes]) -> None:
        """Row groups of one size, whatever the parts' is."""
        group = min(GROUP, self._reader.at_once)
        schema = self._reader.schema
        for name, kind in self._job.columns.kinds.items():
            schema = schema.append(pa.field(name, KINDS[kind]))
        waiting = schema.empty_table()
        with pq.ParquetWriter(out, schema) as writer:
            for part in parts:
                with pa.ipc.open_file(part) as reader:
                    waiting = pa.concat_tables([waiting, reader.read_all()])
                while len(waiting) >= group:
                    writer.write_table(waiting.slice(0, group), row_group_size=group)
                    waiting = waiting.slice(group)
            if len(waiting):
                writer.write_table(waiting, row_group_size=group)

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self._file.path)

    def _column(self) -> str:
        """The column of the texts."""
        schema = self._reader.schema
        try:
            refuse_taken(self._job.columns.names, schema.names, "column")
        except InvalidInput as error:
            raise InvalidInput(f"{self._file.path}: {error}") from error
        texts = [field.name for field in schema if _is_text(field.type)]
        wanted = self._job.column or (texts[0] if len(texts) == 1 else USUAL_COLUMN)
        if texts.count(wanted) != 1:
            raise InvalidInput(f"{self._file.path}: {self._missing(schema)}; {_known(schema)}")
        return wanted

    def _missing(self, schema: Any) -> str:
        """What is wrong with the column that was asked for."""
        column = self._job.column
        kinds = [str(field.type) for field in schema if field.name == column]
        if column is None:
            return "which column?"
        if len(kinds) == 1:
            return f"column {column!r} holds {kinds[0]}, no strings"
        return f"{len(kinds)} columns are called {column!r}" if kinds else f"no column {column!r}"


def _is_text(kind: Any) -> bool:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    of_strings = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(each(kind) for each in of_strings)


def _known(schema: Any) -> str:
    """The columns to choose from; where there are none, what they hold."""
    texts = [field.name for field in schema if _is_text(field.type)]
    if texts:
        return f"choose with --column one of: {', '.join(texts)}"
    held = ", ".join(f"{field.name} ({field.type})" for field in schema)
    return f"no column holds strings: {held}" if held else "there are no columns"


def _rows(texts: Any) -> Iterator[Row]:
    """A row for each text; where there is none, one with an empty text."""
    try:
        found = texts.to_pylist()
    except UnicodeDecodeError:  # nobody checks what is called a string when it is written
        found = texts.cast(pa.large_binary()).to_pylist()
    for number, text in enumerate(found, 1):
        try:
            raw = (text.decode(UTF_8) if isinstance(text, bytes) else text) or ""
        except UnicodeDecodeError as error:
            byte = error.object[error.start]
            why = f"not UTF-8: byte 0x{byte:02x} after {counted(error.start, 'byte')}"
            yield Row("", number, problem=why)
            continue
        yield Row(raw, number, (Entry(raw, 0, len(raw), number),))


class Reader:
    """Rows of a file, in stretches. Those that come one after the other are unpacked once: a row
    group can only be read from its beginning."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._naming():
            # Little by little: buffered before, it would be all of the rest of the file.
            self._file = pq.ParquetFile(path, buffer_size=BUFFER, pre_buffer=False)
        self.schema = self._file.schema_arrow
        self.rows: int = self._file.metadata.num_rows
        self._groups = [
            self._file.metadata.row_group(i) for i in range(self._file.metadata.num_row_groups)
        ]
        self._at = self.rows
        self._batches: Iterator[Any] = iter(())
        self._begun: Any = None

    @property
    def row_bytes(self) -> int:
        """What a row has unpacked, about."""
        size: int = sum(group.total_byte_size for group in self._groups)
        return max(size // max(self.rows, 1), 1)

    @property
    def at_once(self) -> int:
        """How many rows have MOST bytes."""
        return max(MOST // self.row_bytes, 1)

    def stretch(self, begin: int, end: int) -> Any:
        """The rows from `begin` to `end`."""
        found = []
        if not self._at <= begin:
            self._open(begin)
        while self._at < end:
            with self._naming():
                batch = self._begun if self._begun is not None else next(self._batches, None)
            if batch is None:
                raise InvalidInput(f"cannot read {self._path}: it has fewer rows than it says")
            first, last = max(begin - self._at, 0), min(end - self._at, len(batch))
            if first < last:
                found.append(batch.slice(first, last - first))
            rest = batch.slice(last)
            self._begun = rest if len(rest) else None
            self._at += last
        return pa.Table.from_batches(found, self.schema)

    def _open(self, begin: int) -> None:
        """Begin with the row group that holds the row."""
        starts = list(accumulate((group.num_rows for group in self._groups), initial=0))
        group = max(bisect_right(starts, begin) - 1, 0)
        self._at, self._begun = starts[group], None
        self._batches = self._file.iter_batches(
            min(BATCH, self.at_once), row_groups=range(group, len(self._groups))
        )

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """What is wrong with the file names it."""
        try:
            yield
        except (pa.ArrowException, OSError) as error:
            raise InvalidInput(f"cannot read {self._path}: {error}") from error
