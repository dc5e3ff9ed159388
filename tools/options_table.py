"""The options as a table: `python tools/options_table.py docs/python.md` brings the page's table,
which follows its mark, up to date."""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path

from nacc.options import CHOICES, Options, Settled

MARK = "<!-- options: written by tools/options_table.py -->\n"


def table() -> str:
    """Every option: its name, what it is for, what it may be, and what it is where nobody says."""
    lines = ["", "| option | | unless the model says otherwise |", "|---|---|---|"]
    for each in fields(Options):
        told = each.metadata["what"]
        if each.name in CHOICES:
            told += " One of " + ", ".join(f"`{name}`" for name in CHOICES[each.name]()) + "."
        usual = getattr(Settled(), each.name)
        shown = "" if usual in (None, ()) else f"`{usual!r}`"
        lines.append(f"| `{each.name}` | {told} | {shown} |")
    return "\n".join([*lines, "", ""])


def updated(page: str) -> str:
    """The page with its table up to date: the lines after the mark that are a table's."""
    before, mark, after = page.partition(MARK)
    rest = after.splitlines(keepends=True)
    while rest and (rest[0].startswith("|") or not rest[0].strip()):
        rest.pop(0)
    return before + mark + table() + "".join(rest)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(updated(path.read_text("utf-8")), "utf-8")
