"""What would change in a document, as a unified diff.

The places of the changes are known, so nothing has to be searched for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nacc.data.rows import Row, split_lines

CONTEXT = 3
_UNENDED = "\n\\ No newline at end of file\n"


@dataclass(frozen=True)
class Change:
    """Lines that give way to others; `first` is the first one's place, from 0."""

    first: int
    old: list[str]
    new: list[str]

    @property
    def end(self) -> int:
        return self.first + len(self.old)


class Diff:
    """Told of a document's rows in their order; its string is the diff, empty without a change."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lines: list[str] = []
        self._changes: list[Change] = []

    def add(self, row: Row, texts: Sequence[str | None]) -> None:
        """A row, and what is to be said in it instead."""
        self._changes += _changes(row, texts, len(self._lines))
        self._lines += split_lines(row.raw)

    def __str__(self) -> str:
        parts = [f"--- {self._name}\n+++ {self._name}\n"] if self._changes else []
        grown = 0
        for group in _together(self._changes):
            parts.append(self._hunk(group, grown))
            grown += sum(len(change.new) - len(change.old) for change in group)
        return "".join(parts)

    def _hunk(self, group: Sequence[Change], grown: int) -> str:
        """Changes with the lines around them; the new document is `grown` lines ahead by then."""
        at = begin = max(0, group[0].first - CONTEXT)
        end = min(len(self._lines), group[-1].end + CONTEXT)
        body = []
        for change in group:
            body += [" " + line for line in self._lines[at : change.first]]
            body += ["-" + line for line in change.old] + ["+" + line for line in change.new]
            at = change.end
        body += [" " + line for line in self._lines[at:end]]
        longer = sum(len(change.new) - len(change.old) for change in group)
        old, new = (begin + 1, end - begin), (begin + 1 + grown, end - begin + longer)
        head = f"@@ -{old[0]},{old[1]} +{new[0]},{new[1]} @@\n"
        return head + "".join(line if line.endswith("\n") else line + _UNENDED for line in body)


def _changes(row: Row, texts: Sequence[str | None], first: int) -> Iterator[Change]:
    """The lines of a row that change; texts in the same line change it together."""
    pending: list[tuple[int, int, str]] = []
    for entry, text in zip(row.entries, texts, strict=True):
        if text is None:
            continue
        if pending and "\n" in row.raw[pending[-1][1] : entry.start]:
            yield _change(row.raw, pending, first)
            pending = []
        pending.append((entry.start, entry.end, entry.write(text)))
    if pending:
        yield _change(row.raw, pending, first)


def _change(raw: str, edits: Sequence[tuple[int, int, str]], first: int) -> Change:
    """All lines that the edits touch, before and after."""
    begin = raw.rfind("\n", 0, edits[0][0]) + 1
    end = raw.find("\n", edits[-1][1]) + 1 or len(raw)
    parts, at = [], begin
    for start, stop, written in edits:
        parts += [raw[at:start], written]
        at = stop
    new = "".join([*parts, raw[at:end]])
    return Change(first + raw.count("\n", 0, begin), split_lines(raw[begin:end]), split_lines(new))


def _together(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Changes that share lines around them."""
    group: list[Change] = []
    for change in changes:
        if group and change.first - group[-1].end > 2 * CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group
