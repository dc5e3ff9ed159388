"""XLIFF and Android's strings.xml. Expat, the parser that comes with Python, reads them and says
where each element stands."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from xml.parsers import expat

from nacc.data.documents.document import Document, Malformed, Places
from nacc.data.documents.xml_text import ANDROID, XLIFF, Dialect, locked, pieces, writer
from nacc.data.rows import Entry

_START_TAG = re.compile(r"""<(?:"[^"]*"|'[^']*'|[^>"'])*>""")
_UNICODE = ("utf-8", "us-ascii", "ascii", "utf-16")
_SPACE = " \t\r\n"
_REFERENCE = re.compile(r"[@?][\w:./+-]*")


@dataclass(frozen=True)
class Element:
    """An element: its name without prefix, its attributes, the ones around it, and where its
    content stands."""

    name: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    parents: tuple[Element, ...] = ()
    start: int = 0
    end: int = 0

    @property
    def parent(self) -> Element:
        return self.parents[-1] if self.parents else Element()

    def called(self, *names: str) -> str:
        """The first of these attributes that it has."""
        return next((self.attributes[name] for name in names if name in self.attributes), "")


class AndroidStrings(Document):
    """Strings, and the items of plurals and arrays of strings, under their names; not those that
    are marked as not translatable, nor references to others."""

    def entries(self, raw: str) -> list[Entry]:
        found: list[Entry] = []
        places, items = Places(raw), Counter[int]()
        for element in elements(raw, "resources"):
            holder = element.parent if element.name == "item" else element
            kinds = ("plurals", "string-array") if element.name == "item" else ("string",)
            if holder.name not in kinds or holder.parent.name != "resources":
                continue
            path = name = holder.called("name")
            if element is not holder:
                path = f"{name}.{element.called('quantity') or items[holder.start]}"
                items[holder.start] += 1
            content = raw[element.start : element.end]
            refers = _REFERENCE.fullmatch(content.strip(_SPACE))
            if refers or holder.called("translatable") == "false":
                continue
            start = element.start + len(content) - len(content.lstrip(_SPACE))
            end = element.start + len(content.rstrip(_SPACE))
            found.append(_entry(raw, (start, max(start, end)), places, (name, path), ANDROID))
        return found


class XliffTargets(Document):
    """The targets, under the name or id of their unit; a unit without one has no text."""

    def entries(self, raw: str) -> list[Entry]:
        found: list[Entry] = []
        places = Places(raw)
        for element in elements(raw, "xliff"):
            segment = element.parent
            unit = segment.parent if segment.name == "segment" else segment
            if element.name != "target" or unit.name not in ("trans-unit", "unit"):
                continue
            if "no" in (unit.called("translate"), segment.called("translate")):
                continue
            name, path = unit.called("resname", "name", "id"), unit.called("id")
            if segment is not unit:
                path += f".{segment.called('id')}".rstrip(".")
            span = (element.start, element.end)
            found.append(_entry(raw, span, places, (name, path), XLIFF))
        return found


def _entry(
    raw: str, span: tuple[int, int], places: Places, names: tuple[str, str], dialect: Dialect
) -> Entry:
    start, end = span
    parts = pieces(raw[start:end])
    write = writer(parts, dialect)
    line = places.line(start)
    return Entry(dialect.read(parts), start, end, line, names[0], write, names[1], locked(parts))


def elements(raw: str, root: str) -> list[Element]:
    """All elements of a document with this root that are not empty tags, in their order."""
    reader = _Reader(raw)
    try:
        reader.parse()
    except expat.ExpatError as error:
        told = expat.ErrorString(error.code)
        raise Malformed(error.lineno, f"not XML: {told}, column {error.offset + 1}") from error
    found = sorted(reader.found, key=lambda element: element.start)
    if reader.root != root:
        raise Malformed(1, f"its root is <{reader.root}>, not <{root}>")
    return found


class _Reader:
    """Follows Expat through a document. Places are those of characters, Expat's those of bytes."""

    def __init__(self, raw: str) -> None:
        self.found: list[Element] = []
        self.root = ""
        self._raw = raw
        self._data = raw.encode("utf-8", "surrogateescape")
        self._open: list[Element] = []
        self._byte = self._character = 0
        self._parser = expat.ParserCreate("utf-8")
        self._parser.XmlDeclHandler = self._declared
        self._parser.StartElementHandler = self._started
        self._parser.EndElementHandler = self._ended

    def parse(self) -> None:
        self._parser.Parse(self._data, True)

    def _declared(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding and encoding.lower() not in _UNICODE:
            raise Malformed(1, f"declared as {encoding}; convert it to UTF-8 first")

    def _started(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        self.root = self.root or local
        tag = _START_TAG.match(self._raw, self._here())
        if tag is None:
            raise Malformed(self._parser.CurrentLineNumber, f"<{name}> has no end")
        end = -1 if tag.group().endswith("/>") else tag.end()
        self._open.append(Element(local, attributes, tuple(self._open), tag.end(), end))

    def _ended(self, name: str) -> None:
        element = self._open.pop()
        if element.end >= 0:  # not an empty tag
            self.found.append(replace(element, end=self._here()))

    def _here(self) -> int:
        at = self._parser.CurrentByteIndex
        self._character += len(self._data[self._byte : at].decode("utf-8", "surrogateescape"))
        self._byte = at
        return self._character
