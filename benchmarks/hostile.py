"""What the worst texts cost: processor time and memory of one call, over a corpus of hostile ones.

    python benchmarks/hostile.py            # writes results/hostile.json and results/hostile.md
    python benchmarks/hostile.py --every 7  # the same from each seventh case only

Seconds are of one core, warm, with nothing else in the process. Memory is the most that the process
held, beyond what it held with the model loaded and everything compiled.
"""

from __future__ import annotations

import json
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
    before, started = peak(), time.process_time()
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
        "seconds": seconds,
        "grown": peak() - before,
        "said": said,
    }


def table(found: list[dict[str, Any]], megabytes: float) -> str:
    """The figures as Markdown."""
    rows = ["| | calls | p50 | p99 | worst | bar |", "|---|---|---|---|---|---|"]
    for kind, bar in BARS.items():
        times = [row["seconds"] for row in found if row["kind"] == kind]
        p50, p99 = np.percentile(times, [50, 99])
        rows.append(
            f"| {kind} | {len(times)} | {p50:.3f} s | {p99:.3f} s | {max(times):.3f} s | {bar} s |"
        )
    rows += ["", f"Memory beyond the model: {megabytes:.0f} MB (bar: {MOST_MEGABYTES}).", ""]
    rows += ["The worst:", "", "| case | seconds | what came |", "|---|---|---|"]
    worst = sorted(found, key=lambda row: -row["seconds"])[:12]
    rows += [f"| {row['case']} | {row['seconds']:.3f} | {row['said']} |" for row in worst]
    return "\n".join(rows) + "\n"


def main() -> None:
    every = int(sys.argv[sys.argv.index("--every") + 1]) if "--every" in sys.argv else 1
    model = Summarizer.load()
    for options in OPTIONS.values():
        for budget in (40, "300px"):
            with suppress(NaccError):
                model.summarize(NEWS, budget, **options)
    held = peak()
    found = [run(model, case) for i, case in enumerate(cases()) if i % every == 0]
    text = table(found, peak() - held)
    print(text)
    command = " ".join(["python", "benchmarks/hostile.py", *sys.argv[1:]])
    figures = {
        "machine": asdict(machine()),
        "command": command,
        "megabytes": peak() - held,
        "calls": sorted(found, key=lambda row: -row["seconds"]),
    }
    results = ROOT / "results"
    (results / "hostile.json").write_text(json.dumps(figures, indent=1) + "\n")
    head = f"# Hostile texts\n\n`{command}`, {machine()}.\n\n"
    (results / "hostile.md").write_text(head + text)


if __name__ == "__main__":
    main()
