"""Sheets that people fill in without knowing what is behind a row, and the keys that tell.

A sheet is tab-separated: a number, what is shown, and a column for each answer. Its key keeps what
is behind each row, and a digest of how the row read, so that a row that was changed is noticed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nacc.data.datasets import read_lines
from nacc.errors import InvalidInput

_NUMBER = "number"
_NOT_COMPARED = re.compile(r'[\s"]+')  # what an editor or a spreadsheet changes by itself


@dataclass(frozen=True)
class Form:
    """What a sheet shows, and what may be answered in each open column, by its spelling in
    lower case."""

    shown: tuple[str, ...]
    answers: Mapping[str, Mapping[str, str]]

    @property
    def columns(self) -> tuple[str, ...]:
        return _NUMBER, *self.shown, *self.answers


@dataclass(frozen=True)
class Key:
    """What is behind each row of a sheet (anything JSON can hold), and the row's digest."""

    behind: tuple[Any, ...]
    digests: tuple[str, ...]

    def write(self, path: Path) -> None:
        rows = zip(self.behind, self.digests, strict=True)
        records = [{"behind": behind, "digest": digest} for behind, digest in rows]
        lines = ",\n".join(json.dumps(record, ensure_ascii=False) for record in records)
        path.write_text(f"[\n{lines}\n]\n", "utf-8")

    @classmethod
    def read(cls, path: Path) -> Key:
        try:
            rows = json.loads("\n".join(read_lines(path)))
            return cls(tuple(row["behind"] for row in rows), tuple(row["digest"] for row in rows))
        except (ValueError, TypeError, KeyError) as error:
            raise InvalidInput(f"{path} is not the key of a sheet: {error}") from error


def make(form: Form, rows: Sequence[tuple[Sequence[str], Any]]) -> tuple[str, Key]:
    """The sheet's text, and its key; a row is what is shown, and what is behind it."""
    lines = ["\t".join(form.columns)]
    for number, (cells, _) in enumerate(rows, start=1):
        shown = (" ".join(cell.split()) for cell in cells)
        lines.append("\t".join([str(number), *shown, *("" for _ in form.answers)]))
    digests = tuple(_digest(cells) for cells, _ in rows)
    return "\n".join(lines) + "\n", Key(tuple(behind for _, behind in rows), digests)


def write(path: Path, form: Form, rows: Sequence[tuple[Sequence[str], Any]]) -> Path:
    """Write a new sheet and, beside it, its key; the key's path. A sheet that is there may hold
    somebody's work: it is never written over."""
    key_path = key_of(path)
    for each in (path, key_path):
        if each.exists():
            raise InvalidInput(f"{each} is there already; choose another name for the new sheet")
    text, key = make(form, rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    key.write(key_path)
    return key_path


def key_of(sheet: Path) -> Path:
    """Where a sheet's key lies."""
    return sheet.with_suffix(".key.json")


def read(path: Path, form: Form, key: Key) -> list[dict[str, str]]:
    """The answers of a filled-in sheet in the key's order, whatever the order of its rows; what
    is missing, unknown or changed is named with its line."""
    rows = _rows(path, form, key)
    return [
        {name: _answer(form, name, cells, where) for name in form.answers} for cells, where in rows
    ]


def shown(path: Path, form: Form, key: Key) -> list[tuple[str, ...]]:
    """What each row of a sheet shows, in the key's order, filled in or not."""
    rows = _rows(path, form, key)
    return [tuple(_plain(cells[name]) for name in form.shown) for cells, _ in rows]


def _rows(path: Path, form: Form, key: Key) -> list[tuple[dict[str, str], str]]:
    """The cells of every row of the key, and where it stands."""
    header, *lines = read_lines(path)
    names = [_plain(cell) for cell in header.split("\t")]
    missing = [name for name in form.columns if name not in names]
    if missing:
        raise InvalidInput(f"{path}, line 1: no column {', '.join(missing)}")
    found: dict[int, tuple[dict[str, str], str]] = {}
    for at, line in enumerate(lines, start=2):
        if not line.strip():
            continue
        where = f"{path}, line {at}"
        cells = dict(zip(names, line.split("\t"), strict=False))
        number = _number(cells, key, where)
        if number in found:
            raise InvalidInput(f"{where}: row {number} is there twice")
        if _digest([cells.get(name, "") for name in form.shown]) != key.digests[number - 1]:
            raise InvalidInput(
                f"{where}: row {number} does not read as it did when the sheet was made; only "
                f"{' and '.join(form.answers)} may be filled in"
            )
        found[number] = cells, where
    absent = [str(n) for n in range(1, len(key.digests) + 1) if n not in found]
    if absent:
        raise InvalidInput(f"{path}: {len(absent)} rows are missing: {', '.join(absent[:10])}")
    return [found[number] for number in sorted(found)]


def _number(cells: Mapping[str, str], key: Key, where: str) -> int:
    given = _plain(cells.get(_NUMBER, ""))
    if not (given.isdecimal() and 1 <= int(given) <= len(key.digests)):
        raise InvalidInput(f"{where}: the key has no row {given!r}, only 1 to {len(key.digests)}")
    return int(given)


def _answer(form: Form, name: str, cells: Mapping[str, str], where: str) -> str:
    given = _plain(cells.get(name, ""))
    known = form.answers[name]
    if not given:
        raise InvalidInput(f"{where}: no {name}")
    if given.lower() not in known:
        allowed = ", ".join(dict.fromkeys(known.values()))
        raise InvalidInput(f"{where}: {name} {given!r} must be one of {allowed}")
    return known[given.lower()]


def _plain(cell: str) -> str:
    return cell.strip().strip('"').strip()


def _digest(cells: Sequence[str]) -> str:
    text = "\t".join(_NOT_COMPARED.sub("", cell) for cell in cells)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
