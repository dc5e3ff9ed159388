"""A ruler under a text: how much of the budget it takes, and where it ends."""

from __future__ import annotations

import os
import shutil
import sys

from nacc.errors import InvalidInput
from nacc.length.budget import number
from nacc.length.measures import Columns
from nacc.summary import Summary

_LEAST_BETWEEN_MARKS = 10
_DIM, _PLAIN = "\033[2m", "\033[0m"


def ruled(summary: Summary) -> str:
    """The text, its ruler, why it is not the model's, and whether the source was read to its end,
    for the terminal that standard output is."""
    line = ruler(summary, shutil.get_terminal_size().columns)
    if summary.note:
        line += f"\n{summary.method}: {summary.note}"
    if summary.truncated_input:
        line += "\nonly the beginning of the text was read"
    if "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb":
        line = f"{_DIM}{line}{_PLAIN}"
    return f"{summary.text}\n{line}\n"


def on_a_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def ruler(summary: Summary, width: int) -> str:
    """A line as long as the text, marked in the budget's unit, dots for the room that is left.

    Only the words "47 of 50 characters" where the text takes more than a line or no columns.
    """
    said = f"{number(summary.length)} of {number(summary.budget)} {summary.unit}"
    try:
        columns = int(Columns().of(summary.text))
    except InvalidInput:
        return said
    if not columns or not summary.length:
        return said
    scale = columns / summary.length
    whole = max(columns, round(summary.budget * scale))
    if columns > width:
        return said
    line = _marks(columns, scale) + "┤" + "·" * min(whole - columns, width - columns)
    return f"{line} {said}" if len(line) + 1 + len(said) <= width else f"{line}\n{said}"


def _marks(columns: int, scale: float) -> str:
    """The line up to the text's last column: numbers end where as much of the unit does."""
    line = ["─"] * (columns - 1)
    step = _step(scale)
    mark = step
    while (end := round(mark * scale)) < columns:
        name = str(mark)
        if end - len(name) > 0:
            line[end - len(name) : end] = name
        mark += step
    return "".join(line)


def _step(scale: float) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50… whose marks do not crowd."""
    size = 1
    while True:
        for factor in (1, 2, 5):
            if factor * size * scale >= _LEAST_BETWEEN_MARKS:
                return factor * size
        size *= 10
