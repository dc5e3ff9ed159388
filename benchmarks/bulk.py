"""`nacc bulk`: rows a second of one process, of one a core, and of a Ray cluster of this machine;
how much memory they take; and how fast all that is not the model is.

    python benchmarks/bulk.py [--rows 10000] [--rounds 1] [--in FILE] [--out results/bulk]

Whole runs of the command are timed, start-up included, each kind once a round; the fastest of each
counts. Rows come from a file, one a line, or are the benchmarks' news over and over. Seconds of CPU
a row stand beside the rates: they do not count waiting for a core on a machine that others use.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import cycle, islice, pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from nacc.bulk.columns import NewColumns
from nacc.bulk.inputs import files
from nacc.bulk.job import Job
from nacc.bulk.parts import do, parts
from nacc.data.rows import Row
from nacc.decoding.warming import warm_up
from nacc.evaluation.timing import machine
from nacc.length import Budget
from nacc.options import Settled
from nacc.parallel import cores
from nacc.summary import Summary
from news import news

PAGE = """# `nacc bulk`

{rows:,} rows, at most 50 characters, start-up included; the fastest of {rounds}. {cores} processes
against {cores} times one: {share:.0%}; by seconds of CPU a row: {cpu_share:.0%}. What is missing is
each process's start, and at the end the wait for the last part. Others gave the machine a load of
{load:.1f} when the first run began.

| | rows/s | CPU ms/row | peak memory, MB |
|---|---|---|---|
{table}

Memory, all processes together: {short:.0f} MB for {few:,} short rows, {long:.0f} MB for {many:,}.

All but the model, in thousands of rows a second of one core:

| | cutting into parts | reading and writing parts | joining them |
|---|---|---|---|
{beside_table}

{machine}
"""
FEW, MANY = 20_000, 200_000
FORMS = ("txt", "csv", "jsonl", "parquet")
SHORT = "Man bites dog again and again, says dog"


def main() -> None:
    parser = argparse.ArgumentParser(description="nacc bulk, on one core, on all, on a cluster")
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--in", dest="source", type=Path, help="lines of text; default: the news")
    parser.add_argument("--out", type=Path, default=Path("results/bulk"))
    asked = parser.parse_args()
    lines = [sentence for _, sentence in news()]
    if asked.source is not None:
        lines = asked.source.read_text("utf-8").splitlines()
    kinds = {
        "one process": ["--workers", "1"],
        f"{cores()} processes": ["--workers", str(cores())],
        f"Ray, {cores()} actors": ["--workers", str(cores()), "--engine", "ray"],
    }
    busy = os.getloadavg()[0]
    warm_up()  # else the first run alone would pay for compiling
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = written(folder / "rows.txt", islice(cycle(lines), asked.rows))
        tried = [[timed(kind, rows, on) for kind, on in kinds.items()] for _ in range(asked.rounds)]
        runs = [min(same, key=lambda run: run["seconds"]) for same in zip(*tried, strict=True)]
        beside = [without_model(form, lines[0], folder) for form in FORMS]
        memory = [
            timed(f"{count:,} short rows", written(folder / "s.txt", [SHORT] * count), [])
            for count in (FEW, MANY)
        ]
    one, several, _ = runs
    found = {
        "rows": asked.rows,
        "rounds": asked.rounds,
        "cores": cores(),
        "load": busy,
        "share": several["rows_per_second"] / one["rows_per_second"] / cores(),
        "cpu_share": one["cpu_seconds"] / several["cpu_seconds"],
        "runs": runs,
        "memory": memory,
        "beside": beside,
        "machine": str(machine()),
    }
    asked.out.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    asked.out.with_suffix(".md").write_text(page(found), "utf-8")
    print(f"{cores()} processes against {cores()} times one: {found['share']:.0%}")


def page(found: dict[str, Any]) -> str:
    table = "\n".join(
        f"| {run['name']} | {run['rows_per_second']:.1f} "
        f"| {1000 * run['cpu_seconds'] / found['rows']:.1f} | {run['peak_mb']:.0f} |"
        for run in found["runs"]
    )
    short, long = (each["peak_mb"] for each in found["memory"])
    beside = "\n".join(
        f"| {each['form']} | {each['cut']:,.0f} | {each['done']:,.0f} | {each['joined']:,.0f} |"
        for each in found["beside"]
    )
    return PAGE.format(
        table=table, beside_table=beside, short=short, long=long, few=FEW, many=MANY, **found
    )


def written(path: Path, lines: Any) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def timed(name: str, rows: Path, options: list[str]) -> dict[str, Any]:
    """One run of the command, and what its processes used together."""
    out = rows.with_name("out")
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "nacc", "bulk", str(rows), "--out", str(out), "--max", "50"]
    started = time.perf_counter()
    running = subprocess.Popen([*command, *options], stderr=subprocess.DEVNULL)
    memory: dict[int, float] = {}
    used: dict[int, float] = {}
    while running.poll() is None:
        for process in family(running.pid):
            memory[process] = max(peak(process), memory.get(process, 0.0))
            used[process] = max(cpu(process), used.get(process, 0.0))
        time.sleep(0.1)
    seconds = time.perf_counter() - started
    if running.returncode:
        sys.exit(f"nacc bulk ended with {running.returncode}")
    done = json.loads((out / "_nacc.json").read_text("utf-8"))["rows"]
    figures = {"rows": done, "seconds": seconds, "rows_per_second": done / seconds}
    figures |= {"cpu_seconds": sum(used.values()), "peak_mb": sum(memory.values())}
    print(f"{name}: {done / seconds:.1f} rows/s, {figures['peak_mb']:.0f} MB", flush=True)
    return {"name": name, **figures}


class Saying:
    """Says the same of every row: in the place of the model."""

    def of(self, rows: Iterable[Row]) -> Iterator[tuple[Row, list[Summary]]]:
        said = Summary(SHORT, len(SHORT), "characters", 50, 0.0, "none", (), False)
        return ((row, [said] if row.entries else []) for row in rows)


def without_model(form: str, text: str, folder: Path) -> dict[str, Any]:
    """Thousands of rows a second of one core, of all that is not the model."""
    rows = [{"id": i, "text": text, "url": f"https://example.org/{i}"} for i in range(FEW)]
    path = folder / f"rows.{form}"
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        lines = map(json.dumps, rows)
        if form != "jsonl":
            lines = (f'{row["id"]},"{row["text"]}",{row["url"]}' for row in rows)
        written(path, ["id,text,url", *lines] if form == "csv" else lines)
    columns = NewColumns("summary", ("50",), errors="error")
    inputs = tuple(files([str(path)], None, folder / "out"))
    job = Job(inputs, folder, folder, (Budget.of(50),), Settled(), columns)
    vars(job)["summaries"] = Saying()
    kind, parts_folder = job.kind(job.files[0]), folder / f"parts-{form}"
    parts_folder.mkdir()
    clocks = [time.process_time()]
    cut = parts(job)
    clocks.append(time.process_time())
    for part in cut:
        do(job, part, parts_folder)
    clocks.append(time.process_time())
    with (folder / "joined").open("wb") as joined:
        kind.join(sorted(parts_folder.iterdir()), joined)
    clocks.append(time.process_time())
    took = [max(end - begin, 1e-3) for begin, end in pairwise(clocks)]
    names = ("cut", "done", "joined")
    return {"form": form, **{n: FEW / t / 1000 for n, t in zip(names, took, strict=True)}}


def family(process: int) -> list[int]:
    """A process and all that it started."""
    found = [process]
    for each in found:
        try:
            found += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
        except OSError:
            continue
    return found


def peak(process: int) -> float:
    """Megabytes that a process had at most."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in status.splitlines() if "VmHWM" in line) / 1024


def cpu(process: int) -> float:
    """Seconds of CPU that a process used."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / 100


if __name__ == "__main__":
    main()
