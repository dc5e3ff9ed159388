"""What a command says beside its results, on standard error: a line each."""

from __future__ import annotations

import sys


def remark(message: object) -> None:
    """Say it in one line, whatever a name or a text in it holds: what a terminal would obey, or
    nobody sees, is written as Python writes it."""
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(message))
    print(f"nacc: {line}", file=sys.stderr)
