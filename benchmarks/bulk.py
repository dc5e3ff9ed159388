"""`nacc fit` in bulk: rows a second on one core and on all, and how much memory that takes.

    python benchmarks/bulk.py [--rows 20000] [--in FILE] [--out results/bulk]

Whole runs of the command are timed, start-up included, each a process of its own that may use one
core or all; rows come from a file, one a line, or are the benchmarks' news over and over.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from nacc.evaluation.timing import machine
from nacc.parallel import cores
from news import news

PAGE = """# `nacc fit` in bulk

{rows:,} rows, at most 50 characters, start-up included. All cores against one: {ratio:.2f} ×.

| | rows/s | seconds | peak memory, MB |
|---|---|---|---|
{table}

{machine}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="nacc fit in bulk, on one core and on all")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--in", dest="source", type=Path, help="lines of text; default: the news")
    parser.add_argument("--out", type=Path, default=Path("results/bulk"))
    asked = parser.parse_args()
    lines = [sentence for _, sentence in news()]
    if asked.source is not None:
        lines = asked.source.read_text("utf-8").splitlines()
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.txt"
        rows.write_text("".join(f"{line}\n" for line in islice(cycle(lines), asked.rows)), "utf-8")
        runs = [timed(name, rows, on) for name, on in (("one core", 1), ("all cores", cores()))]
    ratio = runs[1]["rows_per_second"] / runs[0]["rows_per_second"]
    found = {"rows": asked.rows, "ratio": ratio, "runs": runs, "machine": str(machine())}
    asked.out.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    table = "\n".join(
        f"| {run['name']} | {run['rows_per_second']:.1f} | {run['seconds']:.1f} "
        f"| {run['peak_mb']:.0f} |"
        for run in runs
    )
    asked.out.with_suffix(".md").write_text(PAGE.format(table=table, **found), "utf-8")
    print(f"all cores against one: {ratio:.2f} ×")


def timed(name: str, rows: Path, on: int) -> dict[str, Any]:
    """One run of the command on so many cores."""
    out = rows.with_name(f"{on}.txt")
    options = ["--in", str(rows), "--out", str(out), "--max", "50"]
    chosen = sorted(os.sched_getaffinity(0))[:on]
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "nacc", "fit", *options],
        preexec_fn=lambda: os.sched_setaffinity(0, chosen),  # noqa: PLW1509 - no threads here
    )
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if status:
        sys.exit(f"nacc fit ended with status {status}")
    done = out.read_text("utf-8").count("\n")
    peak = used.ru_maxrss / 1024
    print(f"{name}: {done:,} rows in {seconds:.1f} s, {done / seconds:.1f} rows/s, {peak:.0f} MB")
    figures = {"seconds": seconds, "rows_per_second": done / seconds, "peak_mb": peak}
    return {"name": name, "cores": on, **figures}


if __name__ == "__main__":
    main()
