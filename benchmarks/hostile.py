"""What the worst texts cost: processor time and memory of one call, over a corpus of hostile ones.

    python benchmarks/hostile.py                    # writes results/hostile.md, .json, .csv
    python benchmarks/hostile.py --every 7          # the same from each seventh case only
    python benchmarks/hostile.py --case "nots, sms" # cases so named, shown and not written

Seconds are of one core, warm, with nothing else in the process; by the clock, too, which is longer
where others use the machine. Memory is the most that the process held, beyond what it held with the
model loaded and everything compiled.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from hostile_texts import NEWS, OPTIONS, Case, cases
from nacc.errors import NaccError
from nacc.evaluation.timing import machine
from nacc.summarizer import Summarizer

ROOT = Path(__file__).resolve().parent.parent
BARS = {"one summary": 0.5, "ten alternatives": 1.5}
MOST_MEGABYTES = 200


def peak() -> float:
    """Megabytes that this process has held at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run(model: Summarizer, case: Case) -> dict[str, Any]:
    """Seconds of one call, and what came of it."""
    before, started, began = peak(), time.process_time(), time.perf_counter()
    try:
        made = model.summarize(case.text, case.budget, **case.options)
        said = f"{made.method}{', proven' if made.proven else ''}"
        assert made.length <= made.budget
    except NaccError as error:
        said = type(error).__name__
    seconds = time.process_time() - started
    return {
        "case": case.name,
        "kind": list(BARS)[case.several],
        "seconds": round(seconds, 4),
        "wall": round(time.perf_counter() - began, 4),
        "grown": round(peak() - before, 1),
        "said": said,
    }


def table(found: list[dict[str, Any]], megabytes: float) -> str:
    """The figures as Markdown."""
    rows = [
        "| | calls | p50 | p99 | worst | bar | worst by the clock |",
        "|---|---|---|---|---|---|---|",
    ]
    for kind, bar in BARS.items():
        these = [row for row in found if row["kind"] == kind]
        times = [row["seconds"] for row in these] or [0.0]
        p50, p99 = np.percentile(times, [50, 99])
        clock = max((row["wall"] for row in these), default=0.0)
        rows.append(
            f"| {kind} | {len(these)} | {p50:.3f} s | {p99:.3f} s | {max(times):.3f} s | {bar} s "
            f"| {clock:.3f} s |"
        )
    rows += ["", f"Memory beyond the model: {megabytes:.0f} MB (bar: {MOST_MEGABYTES}).", ""]
    rows += ["The worst:", "", "| case | seconds | what came |", "|---|---|---|"]
    worst = sorted(found, key=lambda row: -row["seconds"])[:12]
    rows += [f"| {row['case']} | {row['seconds']:.3f} | {row['said']} |" for row in worst]
    return "\n".join(rows) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="take each so-many-th case")
    parser.add_argument("--case", default="", help="cases that are so named, or in part")
    asked = parser.parse_args()
    busy, model = os.getloadavg()[0], Summarizer.load()
    for options in OPTIONS.values():
        for budget in (40, "300px"):
            with suppress(NaccError):
                model.summarize(NEWS, budget, **options)
    held = peak()
    chosen = (case for case in cases() if asked.case in case.name)
    found = [run(model, case) for i, case in enumerate(chosen) if i % asked.every == 0]
    text = table(found, peak() - held)
    print(text)
    if asked.case:
        return
    command = " ".join(["python", "benchmarks/hostile.py", *sys.argv[1:]])
    figures = {
        "machine": asdict(machine()),
        "command": command,
        "load before": busy,
        "megabytes": peak() - held,
    }
    results = ROOT / "results"
    (results / "hostile.json").write_text(json.dumps(figures, indent=1) + "\n")
    with (results / "hostile.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.DictWriter(file, found[0], lineterminator="\n")
        rows.writeheader()
        rows.writerows(sorted(found, key=lambda row: -row["seconds"]))
    head = f"# Hostile texts\n\n`{command}`, {machine()}, a load of {busy:.1f} from elsewhere.\n\n"
    (results / "hostile.md").write_text(head + text)


if __name__ == "__main__":
    main()
