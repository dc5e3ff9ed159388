"""What a run reports: loss, speed and time left, a file of them, and the loss curve."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from nacc.errors import NaccError, requires
from nacc.learning.network import Loss
from nacc.learning.recipe import Training

Rouges = tuple[float, float, float]


@dataclass(frozen=True)
class TrainingReport:
    """What the display shows and the metrics file keeps; `done` is 1 at the end of the run."""

    update: int
    updates: int
    done: float
    loss: float
    learning_rate: float
    words_per_second: float
    seconds_left: float
    unaligned: int
    parts: dict[str, float] = field(default_factory=dict)  # what the loss is made of, and the like
    held_out: dict[str, float] = field(default_factory=dict)  # losses on pairs not trained on
    rouge: Rouges | None = None


class Clock:
    """Running loss, speed and time left; tensors are read only when a report is made."""

    def __init__(self, options: Training, seconds: float) -> None:
        self._updates = options.updates
        self._limit = options.minutes * 60
        self._mark = time.monotonic()
        self._begin = self._mark - seconds
        self._losses: list[Loss] = []
        self._words = 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begin

    def done(self, update: int) -> float:
        """How much of the run is over, 0 to 1: by the clock where it has one, else by updates."""
        by_updates = update / self._updates
        if not self._limit or by_updates >= 1:
            return by_updates
        return self.seconds / self._limit

    def add(self, loss: Loss, words: int) -> None:
        self._losses.append(loss)
        self._words += words

    def restart(self) -> None:
        """Leave the time since the last report (validation, saving) out of the speed."""
        self._mark = time.monotonic()

    def report(self, update: int, rate: float) -> TrainingReport:
        """What happened since the last one."""
        losses = self._losses
        loss = float(torch.stack([one.total for one in losses]).mean())
        if not math.isfinite(loss):
            raise NaccError(f"the loss is {loss} at update {update}: lower the learning rate")
        unaligned = int(torch.stack([one.unaligned for one in losses]).sum())
        names = dict.fromkeys(name for one in losses for name in one.parts)
        parts = {
            name: float(
                torch.stack([one.parts[name] for one in losses if name in one.parts]).mean()
            )
            for name in names
        }
        now = time.monotonic()
        speed = self._words / max(1e-9, now - self._mark)
        self._losses, self._words, self._mark = [], 0, now
        done = min(1.0, self.done(update))
        left = max(0.0, self.seconds * (1 / max(1e-9, done) - 1))
        return TrainingReport(
            update, self._updates, done, loss, rate, speed, left, unaligned, parts
        )


class MetricsFile:
    """metrics.jsonl: one report a line. A resumed run drops what it is about to do again."""

    def __init__(self, path: Path, after: int) -> None:
        self._path = path
        kept = [json.dumps(record) + "\n" for record in read(path) if record["update"] <= after]
        path.write_text("".join(kept), encoding="utf-8")

    def add(self, report: TrainingReport) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(vars(report)) + "\n")


def read(path: Path) -> list[dict[str, Any]]:
    """The reports of a run; a line cut short by a kill is no report."""
    records = []
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict) and "update" in record:
                records.append(record)
    return records


def draw(run: Path) -> list[Path]:
    """The loss curve, with ROUGE where it was measured, as loss.svg and loss.png."""
    requires("the loss curve", "train", "matplotlib")
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    records = read(run / "metrics.jsonl")
    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained", facecolor="white")
    axes.plot([r["update"] for r in records], [r["loss"] for r in records], color="#0072b2")
    axes.set_xlabel("Updates")
    axes.set_ylabel("Loss (nats a target word)", color="#0072b2")
    axes.spines["top"].set_visible(False)
    scored = [r for r in records if r["rouge"]]
    if scored:
        right = axes.twinx()
        means = [sum(r["rouge"]) / 3 for r in scored]
        right.plot([r["update"] for r in scored], means, "s--", color="#d55e00")
        right.set_ylabel("ROUGE (mean of R-1, R-2, R-L)", color="#d55e00")
        right.spines["top"].set_visible(False)
    files = [run / "loss.svg", run / "loss.png"]
    for file in files:
        figure.savefig(file, dpi=150)
    pyplot.close(figure)
    return files
