"""One model, many ways to decode: the points behind the paper's figures 3 and 4 and two of ours.

Every source is read once (one forward pass); each point decodes the same lattices again.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from nacc.data.datasets import Dataset
from nacc.evaluation.report import Protocol, judge
from nacc.evaluation.systems import PLAIN, Decoding, Model, Output, Readings, of_model, summaries
from nacc.evaluation.timing import Spread, time_calls
from nacc.length.budget import Budget

BUCKETS = (1, 2, 4, 6, 8, 10, 15, 20, 25, 50)
BUDGETS = tuple(range(20, 101, 10))
_TIMED = 200  # sentences timed at each point

Progress = Callable[[str], None]


@dataclass(frozen=True)
class BucketPoint:
    """Figure 3 at one bucket size, and what the paper's decoder loses against the exact one.

    rouge:         mean of R-1, R-2 and R-L, with its 95% interval.
    seconds:       a sentence, decoding alone: median over repeats, the fastest and the slowest.
    reading:       seconds a sentence for the forward pass, the same at every point.
    mean_loss:     mean of exact score − this score, in nats, where both say something.
    share_losing:  share of the sentences where the exact decoder says something better.
    """

    bucket: int
    rouge: float
    low: float
    high: float
    seconds: float
    fastest: float
    slowest: float
    reading: float
    mean_loss: float
    share_losing: float


@dataclass(frozen=True)
class BudgetPoint:
    """Figure 4 at one budget with one way of decoding."""

    method: str
    budget: int
    rouge: float
    low: float
    high: float
    length: float


def bucket_sweep(
    model: Model,
    data: Dataset,
    protocol: Protocol,
    *,
    buckets: Sequence[int] = BUCKETS,
    readings: Readings | None = None,
    progress: Progress = lambda doing: None,
) -> list[BucketPoint]:
    """The paper's decoder at several bucket sizes α."""
    lattices = (readings or Readings()).of(model, data.sources, progress)
    progress("timing the forward pass")
    sample = data.sources[:_TIMED]
    [reading] = _seconds_a_sentence([lambda source: model.read([source])], sample)
    exact = Decoding("exact", model, "exact", PLAIN)
    best = _scores(exact, lattices, protocol.budget)
    decodings = [
        Decoding(f"bucket size {bucket}", model, "bucketed", {**PLAIN, "bucket": bucket})
        for bucket in buckets
    ]
    rows, lost = [], []
    for decoding in decodings:
        progress(decoding.name)
        found = summaries(decoding, lattices, protocol.budget)
        texts = ["" if summary is None else str(summary.text) for summary in found]
        rows.append(judge(decoding.name, [Output.whole(t) for t in texts], data, protocol))
        lost.append(_losses(best, [_score(summary) for summary in found]))
    progress("timing")
    seconds = _seconds_a_sentence(
        [partial(_decode, decoding, protocol.budget) for decoding in decodings], lattices[:_TIMED]
    )
    return [
        BucketPoint(
            bucket=bucket,
            rouge=row.mean.value,
            low=row.mean.low,
            high=row.mean.high,
            seconds=taken.median,
            fastest=taken.fastest,
            slowest=taken.slowest,
            reading=reading.median,
            mean_loss=statistics.fmean([loss for loss in losses if loss < math.inf] or [0.0]),
            share_losing=statistics.fmean(loss > 1e-9 for loss in losses),
        )
        for bucket, row, taken, losses in zip(buckets, rows, seconds, lost, strict=True)
    ]


def budget_sweep(
    model: Model,
    data: Dataset,
    protocol: Protocol,
    *,
    methods: Sequence[str] = ("truncate", "bucketed", "exact", "coherent"),
    budgets: Sequence[int] = BUDGETS,
    readings: Readings | None = None,
    progress: Progress = lambda doing: None,
) -> list[BudgetPoint]:
    """Length transfer: the same model asked for shorter and longer headlines, in characters."""
    lattices = (readings or Readings()).of(model, data.sources, progress)
    points = []
    for method in methods:
        system = of_model(method, model)
        for amount in budgets:
            progress(f"{method} at {amount} characters")
            at = replace(protocol, budget=Budget(amount))
            row = judge(method, system.run(lattices, at.budget), data, at)
            mean, length = row.mean, row.qualities.length
            points.append(BudgetPoint(method, amount, mean.value, mean.low, mean.high, length))
    return points


def _seconds_a_sentence(
    works: Sequence[Callable[[Any], object]], sentences: Sequence[Any]
) -> list[Spread]:
    """Each of the works on one sentence at a time."""

    def one_by_one(work: Callable[[Any], object]) -> None:
        for sentence in sentences:
            work(sentence)

    calls = [partial(one_by_one, work) for work in works]
    for call in calls:
        call()
    return time_calls(calls, len(sentences), repeats=5)


def _decode(decoding: Decoding, budget: Budget, lattice: Any) -> None:
    summaries(decoding, [lattice], budget)


def _scores(system: Decoding, lattices: Sequence[Any], budget: Budget) -> list[float]:
    return [_score(summary) for summary in summaries(system, lattices, budget)]


def _score(summary: Any) -> float:
    return -math.inf if summary is None or not summary.text else float(summary.score)


def _losses(best: Sequence[float], found: Sequence[float]) -> list[float]:
    """What each sentence loses; nothing where the exact decoder has nothing to say either."""
    return [0.0 if a == -math.inf else a - b for a, b in zip(best, found, strict=True)]
