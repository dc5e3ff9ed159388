"""From text to headline on the CPU: time, where it goes, memory, loading and cold start.

    python benchmarks/end_to_end.py                   # writes results/end_to_end.{json,md}
    python benchmarks/end_to_end.py --fp32 FOLDER     # beside a model exported without int8

The sentences are benchmarks/news.txt, at 50 characters. Wall-clock milliseconds a sentence are
medians over rounds, with the 10th and 90th percentile. Shares are of CPU time on one core, which
other programs on the machine disturb least, measured inside whole calls of `summarize`; the network
is the forward pass and, where answers are compared, the scorer's.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from end_to_end_report import markdown
from nacc.evaluation.timing import machine
from nacc.fitting.fit import Fitting
from nacc.options import Options
from nacc.parallel import cores
from nacc.runtime.folder import PACKAGED
from nacc.summarizer import Summarizer
from news import news

ROOT = Path(__file__).resolve().parent.parent
NEWS = [sentence for _, sentence in news()]
WAYS = {
    "default": Options(),
    "no re-ranking": Options(rerank=0),
    "extract": Options(extract=True),
}
ROUNDS = 9
LOADING = """
import json, resource, sys, time
start = time.perf_counter()
from nacc.summarizer import Summarizer
imported = time.perf_counter()
summarizer = Summarizer.load()
loaded = time.perf_counter()
summarizer.summarize(sys.argv[1])
first = time.perf_counter()
for _ in range(3):
    summarizer.summarize(sys.argv[1:])
print(json.dumps({
    "import": imported - start, "load": loaded - imported, "first answer": first - loaded,
    "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


def percentiles(values: list[float]) -> dict[str, float]:
    low, median, high = np.percentile(np.array(values), [10, 50, 90])
    return {"ms": float(median), "p10": float(low), "p90": float(high)}


def rounds(work: Callable[[], object]) -> dict[str, dict[str, float]]:
    """Milliseconds a sentence, on the wall and of the CPU."""
    work()
    wall, cpu = [], []
    for _ in range(ROUNDS):
        start, busy = time.perf_counter(), time.process_time()
        work()
        wall.append((time.perf_counter() - start) * 1e3 / len(NEWS))
        cpu.append((time.process_time() - busy) * 1e3 / len(NEWS))
    return {"wall": percentiles(wall), "cpu": percentiles(cpu)}


def in_batches(
    summarizer: Summarizer, options: Options, batch: int, workers: int | None = None
) -> None:
    """Summarize all sentences, so many a call."""
    for begin in range(0, len(NEWS), batch):
        some = NEWS[begin : begin + batch]
        for _ in summarizer.each(some, 50, options, errors="raise", workers=workers):
            pass


def speed(threads: int | None) -> list[dict[str, Any]]:
    """On one core, or on all of them: of one forward pass, and of many sentences at a time."""
    summarizer = Summarizer.load(threads=threads or cores())
    return [
        {"method": name, "batch": batch, "threads": threads}
        | rounds(lambda o=options, b=batch: in_batches(summarizer, o, b, threads))
        for name, options in WAYS.items()
        for batch in (1, 32)
    ]


@contextmanager
def watched(owner: Any, name: str, spent: list[float]) -> Iterator[None]:
    """Adds the CPU seconds of every call of owner.name to the last entry of `spent`."""
    work = getattr(owner, name)

    def timed(*args: Any, **options: Any) -> Any:
        start = time.process_time()
        try:
            return work(*args, **options)
        finally:
            spent[-1] += time.process_time() - start

    setattr(owner, name, timed)
    try:
        yield
    finally:
        setattr(owner, name, work)


def shares() -> list[dict[str, Any]]:
    """Where a sentence's CPU time goes, one at a time on one core."""
    summarizer = Summarizer.load(threads=1)
    rows = []
    for name, options in WAYS.items():
        forward: list[float] = []
        decode: list[float] = []
        whole: list[float] = []
        in_batches(summarizer, options, 1)
        with (
            watched(summarizer.engine, "_run", forward),
            watched(summarizer.engine.scorer, "scores", forward),
            watched(Fitting, "_decode", decode),
        ):
            for _ in range(ROUNDS):
                forward.append(0.0)
                decode.append(0.0)
                start = time.process_time()
                in_batches(summarizer, options, 1)
                whole.append(time.process_time() - start)
        ms = 1e3 / len(NEWS)
        total, run, search = (np.array(seconds) * ms for seconds in (whole, forward, decode))
        rows.append({
            "method": name,
            "whole": percentiles(list(total)),
            "forward": percentiles(list(run)),
            "decode": percentiles(list(search)),
            "other": percentiles(list(total - run - search)),
            "decode %": float(100 * np.median(search / total)),
            "outside forward %": float(100 * np.median(1 - run / total)),
        })  # fmt: skip
    return rows


def children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def fresh_processes() -> dict[str, dict[str, float]]:
    """Seconds to import, load and answer first, and of the command, in new processes."""
    found: dict[str, list[float]] = {}
    command = [sys.executable, "-m", "nacc", "fit", NEWS[0], "--max", "50"]
    # Byte code is kept, as that of an installed package is.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    for attempt in range(8):
        start, busy = time.perf_counter(), children_cpu()
        subprocess.run(command, check=True, capture_output=True, env=environment)
        taken = {
            "cold start": time.perf_counter() - start,
            "cold start CPU": children_cpu() - busy,
        }
        loading = subprocess.run(
            [sys.executable, "-c", LOADING, *NEWS[:32]],
            check=True,
            capture_output=True,
            text=True,
            env=environment,
        )
        taken |= json.loads(loading.stdout)
        if attempt:  # the first one fills the caches
            for name, value in taken.items():
                found.setdefault(name, []).append(value)
    return {name: percentiles(values) for name, values in found.items()}


def precision(folder: Path) -> dict[str, Any]:
    """Size and speed of one model folder, and what it says."""
    summarizer = Summarizer.load(folder, threads=1)
    return {
        "precision": summarizer.engine.config["precision"],
        "MB": sum(file.stat().st_size for file in folder.iterdir()) / 1e6,
        "batch 1": rounds(lambda: [summarizer.read([text]) for text in NEWS])["cpu"],
        "batch 32": rounds(lambda: summarizer.read(NEWS))["cpu"],
        "headlines": [summarizer.summarize(text).text for text in NEWS],
    }


def precisions(fp32: Path) -> list[dict[str, Any]]:
    rows = [precision(PACKAGED / "default"), precision(fp32)]
    full = rows[1]["headlines"]
    for row in rows:
        said = row.pop("headlines")
        row["same as fp32 %"] = 100 * float(
            np.mean([a == b for a, b in zip(said, full, strict=True)])
        )
    return rows


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--fp32", type=Path, help="a model folder exported without int8")
    fp32 = options.parse_args().fp32
    where = machine()
    found = {
        "machine": asdict(where),
        "load average": os.getloadavg()[0],
        "command": "python benchmarks/end_to_end.py" + (" --fp32 FOLDER" if fp32 else ""),
        "processes": fresh_processes(),
        "shares": shares(),
        "speed": speed(1) + speed(None),
        "precisions": precisions(fp32) if fp32 else [],
    }
    text = markdown(found, str(where), len(NEWS))
    (ROOT / "results/end_to_end.json").write_text(json.dumps(found, indent=1) + "\n")
    (ROOT / "results/end_to_end.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
