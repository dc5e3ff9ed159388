"""Seconds a sentence, as the paper measures them (one sentence at a time) and batched.

Warmed up, repeated; the median over repeats with the fastest and the slowest beside it.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nacc.budget import Budget
from nacc.errors import InvalidInput
from nacc.evaluation.systems import System


@dataclass(frozen=True)
class Spread:
    """Seconds a sentence over several repeats."""

    median: float
    fastest: float
    slowest: float


@dataclass(frozen=True)
class Timing:
    """One sentence at a time, and all in one call."""

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
        return f"{self.cpu}, {self.cores} cores{gpu}; commit {self.commit}, {self.date}"


def time_system(
    system: System, sources: Sequence[Any], budget: Budget, *, repeats: int = 5
) -> Timing:
    """Measure a system on `sources`, after one pass over up to twenty of them to warm up."""
    if not sources or repeats < 1:
        raise InvalidInput(f"cannot time {repeats} repeats of {len(sources)} sentences")
    for source in sources[:20]:
        system.run([source], budget)
    system.run(sources, budget)

    def one_at_a_time() -> None:
        for source in sources:
            system.run([source], budget)

    def at_once() -> None:
        system.run(sources, budget)

    return Timing(
        time_call(one_at_a_time, len(sources), repeats),
        time_call(at_once, len(sources), repeats),
        len(sources),
        repeats,
    )


def time_call(work: Callable[[], None], sentences: int, repeats: int) -> Spread:
    """Seconds a sentence of a call that handles `sentences` of them; warm it up first."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append((time.perf_counter() - start) / sentences)
    return Spread(statistics.median(taken), min(taken), max(taken))


def machine() -> Machine:
    """This machine, and the commit of the code where it is known."""
    return Machine(
        cpu=_cpu(),
        cores=len(_affinity()),
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


def _affinity() -> set[int]:
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


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
