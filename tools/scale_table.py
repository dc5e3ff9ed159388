"""What many rows cost, by what was measured: `python tools/scale_table.py docs/scale.md` brings the
page's table, which follows its mark, up to date with results/bulk.json and results/gpu.json."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parents[1] / "results"
MARK = "<!-- costs: written by tools/scale_table.py -->\n"
HEADLINES = "headlines a second"
"""What results/gpu.json calls its rates of text to headline; the best one counts."""
CORES, GPUS = 64, 8


def table() -> str:
    """Rates that were measured, what follows for larger machines, and what many rows then take."""
    bulk = json.loads((RESULTS / "bulk.json").read_text("utf-8"))
    alone, busy = (run["rows"] / run["cpu_seconds"] for run in bulk["runs"][:2])
    gpu = max(_rates(json.loads((RESULTS / "gpu.json").read_text("utf-8"))))
    lines = ["", "| | rows/s | | 10⁸ rows | 10⁹ rows |", "|---|---|---|---|---|"]
    for name, rate, how in (
        ("one core", alone, "measured, by CPU time"),
        (f"one of {bulk['cores']} busy cores", busy, "measured, by CPU time"),
        (f"{CORES} cores", busy * CORES, f"{CORES} × a busy one"),
        ("one GPU", gpu, "measured"),
        (f"{GPUS} GPUs", gpu * GPUS, f"{GPUS} × one"),
    ):
        costs = f"{_told(1e8 / rate)} | {_told(1e9 / rate)}"
        lines.append(f"| {name} | {rate:,.0f} | {how} | {costs} |")
    core, device = 1e8 / busy / 3600, 1e8 / gpu / 3600
    told = f"10⁸ rows cost {core:,.0f} hours of a core, or {device:,.1f} of a GPU."
    return "\n".join([*lines, "", told, ""])


def updated(page: str) -> str:
    """The page with its table up to date: all between the mark and the next heading."""
    before, mark, after = page.partition(MARK)
    _, heading, rest = after.partition("\n## ")
    return before + mark + table() + heading + rest


def _rates(found: Any) -> Iterator[float]:
    """All rates of text to headline, wherever they stand."""
    if isinstance(found, dict):
        if isinstance(found.get(HEADLINES), (int, float)):
            yield float(found[HEADLINES])
        found = list(found.values())
    if isinstance(found, list):
        for each in found:
            yield from _rates(each)


def _told(seconds: float) -> str:
    hours = seconds / 3600
    if hours < 1:
        return f"{seconds / 60:.0f} minutes"
    return f"{hours:,.1f} hours" if hours < 48 else f"{hours / 24:,.0f} days"


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(updated(path.read_text("utf-8")), "utf-8")
