"""Forty sources drawn from benchmarks/news.txt, each with its lead and the model's headlines.

    python benchmarks/examples.py      # rewrites docs/examples.md below its marker line

What stands above the marker is an editor's reading of what stands below: read again after
a change of model or decoding.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from nacc.evaluation.timing import machine
from nacc.length.budget import Budget
from nacc.length.lead import lead
from nacc.summarizer import Summarizer
from news import news

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/examples.md"
MARKER = "<!-- below: python benchmarks/examples.py -->"
ASKED: dict[str, dict[str, Any]] = {
    "rerank=0": {"rerank": 0},
    "**default**": {},
    "extract": {"extract": True},
}
BUDGET = 50
COUNT = 40


def examples() -> list[tuple[str, str]]:
    """(kind, source), a random draw that is the same every time, in the file's order."""
    lines = news()
    drawn = sorted(random.Random(0).sample(range(len(lines)), COUNT))
    return [lines[i] for i in drawn]


def section(number: int, kind: str, source: str, summarizer: Summarizer) -> str:
    first = lead(source, Budget.of(BUDGET))
    rows = [("lead", first, len(first), "")]
    for name, asked in ASKED.items():
        found = summarizer.summarize(source, BUDGET, **asked)
        rows.append((name, found.text, found.length, found.note))
    table = "".join(f"\n| {' | '.join(map(str, row))} |" for row in rows)
    head = "| | headline | characters | note |\n|---|---|---|---|"
    return f"**{number}. {kind}** {source}\n\n{head}{table}"


def main() -> None:
    summarizer = Summarizer.load()
    parts = [
        MARKER,
        "## The headlines",
        f"{COUNT} sources, {BUDGET} characters, packaged model; {machine()}.",
        *(section(i, *example, summarizer) for i, example in enumerate(examples(), start=1)),
    ]
    above = PAGE.read_text("utf-8").split(MARKER)[0] if PAGE.exists() else "# Examples\n\n"
    PAGE.write_text(above + "\n\n".join(parts) + "\n", encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
