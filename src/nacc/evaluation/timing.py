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
from functools import partial
from pathlib import Path
from typing import Any

from nacc.errors import InvalidInput
from nacc.evaluation.systems import System
from nacc.length.budget import Budget


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
        cores = "1 core" if self.cores == 1 else f"{self.cores} cores"
        return f"{self.cpu}, {cores}{gpu}; commit {self.commit}, {self.date}"


def time_systems(
    systems: Sequence[System], sources: Sequence[Any], budget: Budget, *, repeats: int = 5
) -> list[Timing]:
    """Measure systems on `sources`, after one pass over up to twenty of them to warm up."""
    if not sources or repeats < 1:
        raise InvalidInput(f"cannot time {repeats} repeats of {len(sources)} sentences")

    def one_at_a_time(system: System, some: Sequence[Any]) -> None:
        for source in some:
            system.run([source], budget)

    calls: list[Callable[[], object]] = []
    for system in systems:
        one_at_a_time(system, sources[:20])
        system.run(sources, budget)
        calls.append(partial(one_at_a_time, system, sources))
        calls.append(partial(system.run, sources, budget))
    found = time_calls(calls, len(sources), repeats)
    return [
        Timing(single, batched, len(sources), repeats)
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
