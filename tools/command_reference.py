"""The commands' help as a page: `python tools/command_reference.py docs/cli.md` brings the page's
reference, all that follows its mark, up to date."""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from nacc.apps.cli import COMMANDS, main

MARK = "<!-- From here on written by `python tools/command_reference.py docs/cli.md`. -->\n"


def reference() -> str:
    """Every command's help, as Markdown."""
    pages = [("nacc", ["--help"])]
    pages += [(f"nacc {name}", [name, "--help"]) for name in COMMANDS]
    return "".join(f"\n## {title}\n\n```text\n{_help(asked)}\n```\n" for title, asked in pages)


def updated(page: str) -> str:
    """The page with its reference up to date."""
    return page.partition(MARK)[0] + MARK + reference()


def _help(arguments: list[str]) -> str:
    """The help as on a terminal of 80 columns."""
    before, os.environ["COLUMNS"] = os.environ.get("COLUMNS"), "80"
    shown = StringIO()
    try:
        with redirect_stdout(shown):
            main(arguments)
    except SystemExit:
        pass
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
    return "\n".join(line.rstrip() for line in shown.getvalue().strip().splitlines())


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(updated(path.read_text("utf-8")), "utf-8")
