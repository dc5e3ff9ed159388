"""YAML: every string that is a value, read by ruamel.yaml, which says where each is written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from nacc.data.documents.document import Document, Malformed, Places
from nacc.data.rows import Entry
from nacc.errors import requires

_STRING = "tag:yaml.org,2002:str"
_PLAIN = re.compile(r"[^\W\d_](?:[\w .!?()'’“”/%+&;$€£-]*[\w.!?)'’”%+$€£])?")
_NO_STRING = frozenset("true false yes no on off null y n".split())
"""What stands bare for a truth value or nothing, here or in older readers."""
_BLOCK = re.compile(r"[|>][+-]?(?:[ \t][^\n]*)?\r?\n(?:[ \t]*\r?\n)*(?P<indent> *)(?=\S)")
"""A block down to its first line; not one that says its indentation and may begin with spaces."""
_BLOCK_END = re.compile(r"(?:\r?\n[ \t]*)*\Z")


class YamlStrings(Document):
    """The strings of all documents of a stream; the path has the keys and places down to one."""

    def entries(self, raw: str) -> list[Entry]:
        requires("reading YAML", "formats", "ruamel", "ruamel.yaml")
        from ruamel.yaml import YAML
        from ruamel.yaml.error import MarkedYAMLError, YAMLError

        try:
            strings = _Strings()
            for document in YAML(typ="safe", pure=True).compose_all(raw):
                strings.visit(document)
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line + 1 if mark else 1
            raise Malformed(line, f"not YAML: {error.problem or error.context}") from error
        except (YAMLError, RecursionError, ValueError) as error:
            line = raw.count("\n", 0, getattr(error, "position", 0)) + 1
            raise Malformed(line, f"not YAML: {getattr(error, 'reason', error)}") from error
        found = sorted(strings.found, key=lambda string: int(string.node.start_mark.index))
        starts, places = _starts(raw, found), Places(raw)
        return [_entry(raw, starts, places, s, id(s.node) in strings.shared) for s in found]


@dataclass(frozen=True)
class _String:
    """A node that is a string, and what leads to it."""

    node: Any
    column: str
    path: str


class _Strings:
    """Collects the string nodes of a tree, each once; a node met again has an alias."""

    def __init__(self) -> None:
        self.found: list[_String] = []
        self.shared: set[int] = set()
        self._seen: dict[int, Any] = {}  # the nodes, too, so that no id comes again

    def visit(self, node: Any, column: str = "", path: tuple[str, ...] = ()) -> None:
        if id(node) in self._seen:
            self._share(node)
            return
        self._seen[id(node)] = node
        if isinstance(node.value, str):
            if node.tag == _STRING:
                self.found.append(_String(node, column, ".".join(path)))
            return
        for i, child in enumerate(node.value):
            if isinstance(child, tuple):
                key = child[0].value if isinstance(child[0].value, str) else "?"
                self.visit(child[1], key, (*path, key))
            else:
                self.visit(child, column, (*path, str(i)))

    def _share(self, node: Any) -> None:
        if id(node) in self.shared:
            return
        self.shared.add(id(node))
        if not isinstance(node.value, str):
            for child in node.value:
                self._share(child[1] if isinstance(child, tuple) else child)


def _starts(raw: str, found: Sequence[_String]) -> dict[int, int]:
    """Where texts begin, by where they end, if any node begins with its anchor or tag instead."""
    from ruamel.yaml import YAML
    from ruamel.yaml.tokens import ScalarToken

    if not any(raw.startswith(("&", "!"), string.node.start_mark.index) for string in found):
        return {}
    tokens = YAML(typ="safe", pure=True).scan(raw)
    scalars = (token for token in tokens if isinstance(token, ScalarToken))
    return {token.end_mark.index: token.start_mark.index for token in scalars}


def _entry(
    raw: str, starts: dict[int, int], places: Places, string: _String, shared: bool
) -> Entry:
    node = string.node
    end = node.end_mark.index
    start = starts.get(end, node.start_mark.index)
    line = places.line(start)
    locked = "it is used again under an alias" if shared else ""
    write: Callable[[str], str] = _quoted
    if node.style in ("|", ">"):
        content = _BLOCK.match(raw, start, end)
        if content is None:
            locked = "a block that is empty or says its own indentation"
        else:
            start = content.end()
            end = start + len(_BLOCK_END.sub("", raw[start:end]))
            write = partial(_in_block, indent=content["indent"])
    elif node.style == "'":
        write = _in_single_quotes
    elif node.style is None:
        write = _plain
    return Entry(node.value, start, end, line, string.column, write, string.path, locked)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _in_single_quotes(text: str) -> str:
    return _quoted(text) if "\n" in text else "'" + text.replace("'", "''") + "'"


def _plain(text: str) -> str:
    bare = _PLAIN.fullmatch(text) and text.lower() not in _NO_STRING
    return text if bare else _quoted(text)


def _in_block(text: str, indent: str) -> str:
    """The lines of a block; empty lines around them stay where they are."""
    return text.strip("\n").replace("\n", f"\n{indent}")
