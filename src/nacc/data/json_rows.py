"""JSON and JSON Lines, cut into rows without losing how they were written."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nacc.data.rows import USUAL_COLUMN, Entry, Row, Value, split_ending
from nacc.errors import InvalidInput

# Nothing that was read is read otherwise (*+): every character would be remembered, with 80 bytes.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],:]', re.DOTALL)


class JsonStrings:
    """Every string that is a value, at any depth.

    by_line: JSON Lines, a row a line; else the whole document is one row.
    """

    def __init__(self, *, by_line: bool) -> None:
        self.by_line = by_line

    def rows(self, lines: Iterable[str]) -> Iterator[Row]:
        for number, raw in enumerate(lines if self.by_line else ["".join(lines)], 1):
            if not raw.strip():
                yield Row(raw, number)
                continue
            _, problem = _loaded(raw)
            found = () if problem else self._entries(raw, number)
            yield Row(raw, number, found, problem, read=self._entries)

    def _entries(self, raw: str, number: int = 1) -> tuple[Entry, ...]:
        if _loaded(raw)[1]:
            raise InvalidInput("not JSON")
        return tuple(string.entry for string in strings(raw, number))


class JsonObjects:
    """JSON Lines with an object a line, the text under one of its own keys; `adding` are the keys
    that `extended` will add."""

    def __init__(self, column: str | None = None, adding: Collection[str] = ()) -> None:
        self.column = column or USUAL_COLUMN
        self.adding = adding

    def rows(self, lines: Iterable[str]) -> Iterator[Row]:
        for number, raw in enumerate(lines, 1):
            if not raw.strip():
                yield Row(raw, number)
                continue
            value, problem = _loaded(raw)
            problem = problem or self._misses(value)
            if problem:
                yield Row(raw, number, problem=problem)
                continue
            own = (s.entry for s in strings(raw, number) if s.depth == 1)
            *_, last = (entry for entry in own if entry.column == self.column)
            yield Row(raw, number, (last,))

    def extended(self, row: Row, columns: Mapping[str, Value]) -> str:
        """The object with further keys; a row that is no object stays as it is, and one that has
        no text gets those that it lacks, if there is anything to say."""
        body, ending = split_ending(row.raw)
        new = dict(columns)
        if row.problem:
            value, _ = _loaded(body)
            known = value if isinstance(value, dict) else columns
            new = {k: v for k, v in columns.items() if k not in known}
            new = {} if all(v is None for v in new.values()) else new
        if not new or not body.strip():
            return row.raw
        close = body.rindex("}")
        before = body[:close].rstrip()
        members = ", ".join(f"{_quoted(name)}: {_quoted(each)}" for name, each in new.items())
        comma = "" if before.endswith("{") else ", "
        return f"{before}{comma}{members}{body[close:]}" + (ending or "\n")

    def _misses(self, value: Any) -> str:
        if not isinstance(value, dict):
            return f"a JSON {type(value).__name__}, not an object"
        if self.column not in value:
            known = ", ".join(value) or "none"
            return f"no key {self.column!r}; choose with --column one of: {known}"
        if not isinstance(value[self.column], str):
            return f"{self.column!r} is not a string"
        taken = next((name for name in self.adding if name in value), None)
        return f"there is a key {taken!r} already" if taken else ""


@dataclass(frozen=True)
class JsonString:
    """A string of a JSON text, and how many containers it lies in."""

    entry: Entry
    depth: int


def strings(raw: str, line: int) -> Iterator[JsonString]:
    """All strings of a valid JSON text that are values, each with the key it stands under."""
    # One item per open container: its kind, the key its values stand under, and where they stand.
    kinds: list[str] = []
    keys: list[str] = [""]
    places: list[str] = []
    key_next = False
    counted = 0
    for token in _TOKEN.finditer(raw):
        mark = token.group()
        if mark in "{[":
            kinds.append(mark)
            keys.append(keys[-1])
            places.append("0")
            key_next = mark == "{"
        elif mark in "}]":
            kinds.pop()
            keys.pop()
            places.pop()
        elif mark == ",":
            key_next = kinds[-1] == "{"
            if not key_next:
                places[-1] = str(int(places[-1]) + 1)
        elif mark == ":":
            key_next = False
        elif key_next:
            keys[-1] = places[-1] = json.loads(mark, strict=False)
        else:
            line += raw.count("\n", counted, token.start())
            counted = token.start()
            text = json.loads(mark, strict=False)
            write = _quoted if not mark.isascii() or text.isascii() else json.dumps
            path = ".".join(places)
            entry = Entry(text, token.start(), token.end(), line, keys[-1], write, path)
            yield JsonString(entry, len(kinds))


def _loaded(raw: str) -> tuple[Any, str]:
    """The value, or what is wrong with it."""
    try:
        return json.loads(raw), ""
    except json.JSONDecodeError as error:
        return None, f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
    except RecursionError:
        return None, "nested too deeply"
    except ValueError as error:  # a number of more digits than Python will read
        return None, f"not JSON: {error}"


def _quoted(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False)
