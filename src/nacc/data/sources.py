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
from nacc.data.documents.apple_strings import AppleStrings
from nacc.data.documents.document import Document
from nacc.data.documents.po_strings import PoStrings
from nacc.data.documents.toml_strings import TomlStrings
from nacc.data.documents.xml_strings import AndroidStrings, XliffTargets
from nacc.data.documents.yaml_strings import YamlStrings
from nacc.data.json_rows import JsonObjects, JsonStrings
from nacc.data.rows import UTF_8, Format, Lines, Table, TextLines
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
PARQUET = "parquet"
PARQUET_ENDINGS = {".parquet": PARQUET, ".pq": PARQUET}
PACKED = (".gz", ".bz2", ".xz", ".zst", ".lz4", ".zip", ".7z", ".tar", ".tgz")
FORMATS = ("text", "csv", "tsv", "jsonl", "json")
REPLACEABLE_ENDINGS = {
    **ENDINGS,
    "": "text",
    ".txt": "text",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".toml": "toml",
    ".po": "po",
    ".pot": "po",
    ".xlf": "xliff",
    ".xliff": "xliff",
    ".xml": "android",
    ".strings": "strings",
}
"""The endings of files whose texts can be replaced. No other is taken for text: its lines might be
anything."""
DOCUMENTS: dict[str, type[Document]] = {
    "yaml": YamlStrings,
    "toml": TomlStrings,
    "po": PoStrings,
    "xliff": XliffTargets,
    "android": AndroidStrings,
    "strings": AppleStrings,
}
REPLACEABLE = (*FORMATS, *DOCUMENTS)


def format_name(path: Path, asked: str | None) -> str:
    """The name of the format: as asked, else by the file's ending, else text."""
    if asked == PARQUET or (asked is None and path.suffix.lower() in PARQUET_ENDINGS):
        raise InvalidInput(f"{path}: Parquet is not read row by row, but by nacc bulk")
    if asked is None:
        refuse_packed(path)
        return ENDINGS.get(path.suffix.lower(), "text")
    return _known(asked, FORMATS)


def refuse_packed(path: Path) -> None:
    """Raise InvalidInput if a file's lines are no text, by its ending."""
    if path.suffix.lower() in PACKED:
        raise InvalidInput(f"{path} is packed; unpack it first")


def replaceable_format_name(path: Path, asked: str | None) -> str:
    """The name of a format whose texts can be replaced: as asked, else by the file's ending."""
    if asked is not None:
        return _known(asked, REPLACEABLE)
    found = REPLACEABLE_ENDINGS.get(path.suffix.lower())
    if found is None:
        raise InvalidInput(
            f"{path}: {path.suffix} is no format whose texts can be told from the rest; "
            f"known: {', '.join(REPLACEABLE)}; if every line is a text: --format text"
        )
    return found


def table(name: str, column: str | None, named: bool, adding: Collection[str] = ()) -> Table | None:
    """A format whose rows can take further columns; None for plain text."""
    if name == "json":
        raise InvalidInput(
            "a JSON document cannot be read row by row; make it JSON Lines: jq -c '.[]'"
        )
    if name == "jsonl":
        return JsonObjects(column, adding)
    columns = () if column is None else (column,)
    if name == "text":
        _refuse_columns(columns)
        return None
    return _cells(name, columns, named, adding)


def any_format(name: str, columns: Collection[str] = (), named: bool = True) -> Format:
    """A format whose texts can be replaced.

    columns: those of a table, by name or pattern; where keys are not known beforehand, all texts
    are found, and `Entry.stands_under` tells them apart.
    """
    if name in ("json", "jsonl"):
        return JsonStrings(by_line=name == "jsonl")
    if name == "text":
        _refuse_columns([column for column in columns if column != "*"])
        return TextLines()
    if name in ("csv", "tsv"):
        return _cells(name, columns, named)
    return DOCUMENTS[name]()


@contextmanager
def opened(path: Path, encoding: str | None = UTF_8) -> Iterator[Lines]:
    """The lines of a file, or of standard input for «-»; encoding None: as its mark says."""
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise InvalidInput("there is no standard input")
        yield Lines(sys.stdin.buffer, STANDARD_INPUT_NAME, encoding)
        return
    try:
        stream = path.open("rb", buffering=0)
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {error.strerror}") from error
    with stream:
        yield Lines(stream, str(path), encoding)


def _known(asked: str, known: Collection[str]) -> str:
    if asked not in known:
        raise InvalidInput(f"unknown format {asked!r}; known: {', '.join(known)}")
    return asked


def _cells(name: str, columns: Collection[str], named: bool, adding: Collection[str] = ()) -> Cells:
    return Cells(
        "\t" if name == "tsv" else None,
        several_lines=name == "csv",
        columns=columns,
        named=named,
        adding=adding,
    )


def _refuse_columns(columns: Collection[str]) -> None:
    for column in columns:
        raise InvalidInput(
            f"--column {column!r} goes with formats that name their texts, but this is read as "
            "plain text; say --format"
        )
