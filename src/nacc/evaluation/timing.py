"""Seconds a sentence, as the paper measures them (one at a time) and in one call, on all cores.

Warmed up, repeated; the median over repeats with the fastest and the slowest beside it.
"""

from __future__ import annotations

import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from nacc.errors import InvalidInput
from nacc.evaluation.systems import Timed
from nacc.length.budget import Budget
from nacc.parallel import cores


@dataclass(frozen=True)
class Spread:
    """Seconds a sentence over several repeats."""

    median: float
    fastest: float
    slowest: float


@dataclass(frozen=True)
class Timing:
    """One sentence at a time, and all in one call, which uses all cores."""

    single: Spread
    batched: Spread
    sentences: int
    repeats: int


@dataclass(frozen=True)
class Machine:
    """Where and on what code something was measured."""

    cpu: str
    cores: int
    gpu: str
    python: str
    commit: str
    date: str

    def __str__(self) -> str:
        gpu = f", {self.gpu}" if self.gpu else ""
        cores = "1 core" if self.cores == 1 else f"{self.cores} cores"
        return f"{self.cpu}, {cores}{gpu}; commit {self.commit}, {self.date}"


def time_decodings(
    decodings: Sequence[Timed], texts: Sequence[str], budget: Budget, *, repeats: int = 5
) -> list[Timing]:
    """Measure decodings from the text on, after one pass over up to twenty texts to warm up."""
    if not texts or repeats < 1:
        raise InvalidInput(f"cannot time {repeats} repeats of {len(texts)} sentences")

    def one_at_a_time(decoding: Timed, some: Sequence[str]) -> None:
        for text in some:
            decoding.summaries([text], budget)

    calls: list[Callable[[], object]] = []
    for decoding in decodings:
        one_at_a_time(decoding, texts[:20])
        decoding.summaries(texts, budget)
        calls.append(partial(one_at_a_time, decoding, texts))
        calls.append(partial(decoding.summaries, texts, budget))
    found = time_calls(calls, len(texts), repeats)
    return [
        Timing(single, batched, len(texts), repeats)
        for single, batched in zip(found[::2], found[1::2], strict=True)
    ]


def time_calls(calls: Sequence[Callable[[], object]], sentences: int, repeats: int) -> list[Spread]:
    """Seconds a sentence of each call, which handles `sentences` of them; warm them up first.

    The calls take turns, so that whatever else the machine does for a while slows all of them.
    """
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(repeats):
        for call, times in zip(calls, taken, strict=True):
            start = time.perf_counter()
            call()
            times.append((time.perf_counter() - start) / sentences)
    return [Spread(statistics.median(times), min(times), max(times)) for times in taken]


def machine() -> Machine:
    """This machine, and the commit of the code where it is known."""
    return Machine(
        cpu=_cpu(),
        cores=cores(),
        gpu=_gpu(),
        python=platform.python_version(),
        commit=_commit(),
        date=datetime.now(UTC).date().isoformat(),
    )


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text("utf-8", "replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _gpu() -> str:
    """The GPU's name, if torch is in use and sees one."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available():
        return ""
    return str(torch.cuda.get_device_name(0))


def _commit() -> str:
    here = Path(__file__).resolve().parent
    try:
        found = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"],
            cwd=here, capture_output=True, text=True, timeout=5, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return found.stdout.strip()
