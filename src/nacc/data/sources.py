"""Where texts come from: files and standard input, in the format that their name tells.

A format is asked for by what is to be done: `table` gives those that can take further columns,
`any_format` those whose texts can be replaced.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from nacc.data.csv_rows import Cells
from nacc.data.json_rows import JsonObjects, JsonStrings
from nacc.data.rows import Format, Lines, Table, TextLines
from nacc.errors import InvalidInput

STANDARD_INPUT = Path("-")
STANDARD_INPUT_NAME = "standard input"
ENDINGS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
}
FORMATS = ("text", "csv", "tsv", "jsonl", "json")


def format_name(path: Path, asked: str | None) -> str:
    """The name of the format: as asked, else by the file's ending, else text."""
    if asked is None:
        return ENDINGS.get(path.suffix.lower(), "text")
    if asked not in FORMATS:
        raise InvalidInput(f"unknown format {asked!r}; known: {', '.join(FORMATS)}")
    return asked


def table(name: str, column: str | None, named: bool, adding: Collection[str] = ()) -> Table | None:
    """A format whose rows can take further columns; None for plain text."""
    if name == "json":
        raise InvalidInput(
            "a JSON document cannot be read row by row; make it JSON Lines: jq -c '.[]'"
        )
    if name == "jsonl":
        return JsonObjects(column, adding)
    if name == "text":
        _refuse_column(column)
        return None
    return _cells(name, column, named, adding)


def any_format(name: str, column: str | None, named: bool) -> Format:
    """A format whose texts can be replaced."""
    if name in ("json", "jsonl"):
        return JsonStrings(column, by_line=name == "jsonl")
    if name == "text":
        _refuse_column(column)
        return TextLines()
    return _cells(name, column, named)


@contextmanager
def opened(path: Path) -> Iterator[Lines]:
    """The lines of a file, or of standard input for «-»."""
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise InvalidInput("there is no standard input")
        yield Lines(sys.stdin.buffer, STANDARD_INPUT_NAME)
        return
    try:
        stream = path.open("rb", buffering=0)
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {error.strerror}") from error
    with stream:
        yield Lines(stream, str(path))


def _cells(name: str, column: str | None, named: bool, adding: Collection[str] = ()) -> Cells:
    return Cells(
        "\t" if name == "tsv" else None,
        several_lines=name == "csv",
        column=column,
        named=named,
        adding=adding,
    )


def _refuse_column(column: str | None) -> None:
    if column is not None:
        raise InvalidInput(
            f"--column {column!r} goes with CSV, TSV and JSON, but this is read as plain text; "
            "say --format"
        )
