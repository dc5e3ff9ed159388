"""TOML: every string that is a value. The parser that comes with Python reads them but does not say
where they stand; what is found here must be what it reads."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from nacc.data.documents.document import Document, Malformed, Places
from nacc.data.rows import Entry

_TOKEN = re.compile(
    r'''\#[^\n]*
      | (?P<string>"""(?:[^\\]|\\.)*?"{3,5}(?!") | \'\'\'.*?'{3,5}(?!')
                 | "(?:[^"\\\n]|\\.)*" | '[^'\n]*')
      | (?P<bare>[\w+:-]+)
      | (?P<mark>\[\[ | \]\] | [\[\]{}=,\n])''',
    re.VERBOSE | re.DOTALL,
)
_PLACE = re.compile(r" ?\(at line (\d+), .*\)| ?\(at end of document\)")
Path = tuple[str | int, ...]


class TomlStrings(Document):
    """The path has the tables, keys and places down to a string."""

    def entries(self, raw: str) -> list[Entry]:
        try:
            expected = sorted(map(repr, _strings(tomllib.loads(raw))))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            place = _PLACE.search(str(error))
            line = place[1] if place else None
            end = raw.count("\n") + 1
            raise Malformed(int(line) if line else end, f"not TOML: {error}") from error
        places = Places(raw)
        found, told = [], []
        for token, path in _Scan(raw).strings():
            text, (start, end) = _read(token.group()), token.span()
            told.append(repr((path, text)))
            *_, column = ("", *(str(key) for key in path if isinstance(key, str)))
            full, write = ".".join(map(str, path)), _writer(token.group())
            found.append(Entry(text, start, end, places.line(start), column, write, full))
        if sorted(told) != expected:
            raise Malformed(1, "TOML that is not surely understood")
        return found


def _strings(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, (dict, list)):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _strings(each, (*path, key))


@dataclass
class _Level:
    """The document, an inline table or an array that is open: the path to it, the key that its next
    value has, or the value's place in an array."""

    path: Path = ()
    key: list[str] = field(default_factory=list)
    place: int | None = None
    is_value: bool = False

    @property
    def next(self) -> Path:
        return (*self.path, *self.key) if self.place is None else (*self.path, self.place)

    def go_on(self) -> None:
        """After a comma, or a line of the document."""
        if self.place is None:
            self.key, self.is_value = [], False
        else:
            self.place += 1


class _Scan:
    """Goes through a valid document from token to token."""

    def __init__(self, raw: str) -> None:
        self._raw = raw
        self._header: list[str] | None = None
        self._is_array = False
        self._tables: dict[Path, int] = {}  # arrays of tables, and the place of the last
        self._levels = [_Level()]

    def strings(self) -> Iterator[tuple[re.Match[str], Path]]:
        """The strings that are values, and their paths."""
        for token in _TOKEN.finditer(self._raw):
            level = self._levels[-1]
            if token["mark"]:
                self._mark(token["mark"], level)
            elif token["string"] or token["bare"]:
                if level.is_value:
                    if token["string"]:
                        yield token, level.next
                    continue
                key = _read(token.group()) if token["string"] else token.group()
                (level.key if self._header is None else self._header).append(key)

    def _mark(self, mark: str, level: _Level) -> None:
        if self._header is not None:
            if mark in ("]", "]]"):
                self._begin_table(self._header)
                self._header = None
        elif mark == "=":
            level.is_value = True
        elif mark in ("[", "[[") and not level.is_value:
            self._header, self._is_array = [], mark == "[["
        elif mark in ("[", "[["):
            for _ in mark:
                self._levels.append(_Level(self._levels[-1].next, place=0, is_value=True))
        elif mark == "{":
            self._levels.append(_Level(level.next))
        elif mark in ("]", "]]", "}"):
            del self._levels[-len(mark) :]
        elif mark == "," or len(self._levels) == 1:
            level.go_on()

    def _begin_table(self, header: list[str]) -> None:
        path: Path = ()
        for i, key in enumerate(header, 1):
            path = (*path, key)
            if self._is_array and i == len(header):
                self._tables[path] = self._tables.get(path, -1) + 1
            if path in self._tables:
                path = (*path, self._tables[path])
        self._levels[0].path = path


def _read(token: str) -> str:
    return str(tomllib.loads(f"text = {token}")["text"])


def _writer(token: str) -> Callable[[str], str]:
    if token.startswith(('"""', "'''")):
        begin = '"""\n' if token[3:].startswith(("\n", "\r\n")) else '"""'
        return lambda text: _over_lines(text, begin) if "\n" in text else _quoted(text)
    if token.startswith("'"):
        return lambda text: _quoted(text) if re.search(r"['\x00-\x1f]", text) else f"'{text}'"
    return _quoted


def _over_lines(text: str, begin: str) -> str:
    return begin + "\n".join(_quoted(line)[1:-1] for line in text.split("\n")) + '"""'


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
