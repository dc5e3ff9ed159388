"""Tables for a terminal, in plain characters."""

from __future__ import annotations

from collections.abc import Sequence

from wcwidth import wcswidth


def aligned(rows: Sequence[Sequence[str]], gap: str = "  ", indent: str = "  ") -> str:
    """The rows with each column as wide as its widest cell."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        padded = (cell + " " * (w - width(cell)) for cell, w in zip(row, widths, strict=True))
        lines.append((indent + gap.join(padded)).rstrip())
    return "\n".join(lines)


def width(cell: str) -> int:
    """The columns a cell takes; its characters, where it holds some that no terminal shows."""
    columns = int(wcswidth(cell))
    return columns if columns >= 0 else len(cell)
