"""The figures of results/confidence: `python tools/confidence_figures.py docs/confidence.md` brings
the page's tables, which follow its marks, up to date with what `nacc calibrate` wrote."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MARK = "<!-- {}: written by tools/confidence_figures.py -->\n"
_TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)


def updated(page: str) -> str:
    """The page with both tables as they were measured."""
    found = (ROOT / "results/confidence/confidence.md").read_text("utf-8")
    for name, table in zip(("thresholds", "reliability"), _TABLE.findall(found), strict=True):
        mark = MARK.format(name)
        before, _, after = page.partition(mark)
        old = _TABLE.match(after.lstrip())
        rest = after.lstrip()[old.end() if old else 0 :]
        page = f"{before}{mark}\n{table}\n{rest.lstrip()}"
    return page


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(updated(path.read_text("utf-8")), "utf-8")
