"""One model, many ways to decode: the points behind the paper's figures 3 and 4 and two of ours.

Every source is read once (one forward pass); each point decodes the same lattices again.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from nacc.data.datasets import Dataset
from nacc.evaluation.linked_buckets import BucketPath, bucketed_links
from nacc.evaluation.report import EvaluationProtocol, judge
from nacc.evaluation.systems import (
    OUR_METHODS,
    PAPER_METHODS,
    PLAIN,
    Decoding,
    Output,
    Readings,
    System,
    Tell,
    silent,
)
from nacc.evaluation.timing import Spread, time_calls
from nacc.length.budget import Budget
from nacc.options import Options

if TYPE_CHECKING:
    from nacc.fitting.reading import Reading
    from nacc.lattice.words import WordLattice
    from nacc.summarizer import Summarizer
    from nacc.summary import Summary

T = TypeVar("T")

BUCKETS = (1, 2, 4, 6, 8, 10, 15, 20, 25, 50)
BUDGETS = tuple(range(20, 101, 10))
_TIMED = 200  # sentences timed at each point


@dataclass(frozen=True)
class BucketPoint:
    """Figure 3 at one bucket size, and what the paper's decoder loses against the exact one.

    rouge:         mean of R-1, R-2 and R-L, with its 95% interval.
    seconds:       a sentence, decoding alone: median over repeats, the fastest and the slowest.
    reading:       seconds a sentence for the forward pass, the same at every point.
    mean_loss:     mean of exact score − this score, in nats, where both say something.
    share_losing:  share of the sentences where the exact decoder says something better.
    slots:         with ε, as the paper's, or linked; of those, decoding is not timed.
    """

    bucket: int
    rouge: float
    low: float
    high: float
    mean_loss: float
    share_losing: float
    seconds: float | None = None
    fastest: float | None = None
    slowest: float | None = None
    reading: float | None = None
    slots: str = "ε"


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
    model: Summarizer,
    data: Dataset,
    protocol: EvaluationProtocol,
    *,
    buckets: Sequence[int] = BUCKETS,
    readings: Readings | None = None,
    tell: Tell = silent,
) -> list[BucketPoint]:
    """The paper's decoder at several bucket sizes α."""
    budget = protocol.budget
    read = (readings or Readings()).of(model, data.sources, tell)
    tell("timing the forward pass")
    [reading] = _seconds_a_sentence([lambda text: model.read([text])], data.sources[:_TIMED])
    exact = Decoding.by("exact", model, PLAIN)
    best = [_score(summary) for summary in exact.summaries(read, budget)]
    decodings = [
        Decoding.by("bucketed", model, Options(bucket=bucket), f"bucket size {bucket}")
        for bucket in buckets
    ]
    rows, lost = [], []
    for decoding in decodings:
        tell(decoding.name)
        found = decoding.summaries(read, budget)
        outputs = [Output.whole(summary.text if summary else "") for summary in found]
        rows.append(judge(decoding.name, outputs, data, protocol))
        lost.append(_losses(best, [_score(summary) for summary in found]))
    tell("timing")
    works = [partial(_decode, decoding, budget) for decoding in decodings]
    seconds = _seconds_a_sentence(works, read[:_TIMED])
    return [
        BucketPoint(
            bucket, row.mean.value, row.mean.low, row.mean.high, *_lost(losses),
            taken.median, taken.fastest, taken.slowest, reading.median,
        )
        for bucket, row, taken, losses in zip(buckets, rows, seconds, lost, strict=True)
    ]  # fmt: skip


def linked_bucket_sweep(
    model: Summarizer,
    data: Dataset,
    protocol: EvaluationProtocol,
    *,
    buckets: Sequence[int] = BUCKETS,
    readings: Readings | None = None,
    tell: Tell = silent,
) -> list[BucketPoint]:
    """What buckets would cost on linked slots: log-probability alone, nothing expected or ranked,
    in characters. The smallest bucket, which must be 1, is what the others are held against."""
    read = (readings or Readings()).of(model, data.sources, tell)
    high = int(protocol.budget.amount) + 1  # the last word has no space after it
    found: list[list[BucketPath]] = []
    for bucket in buckets:
        tell(f"linked slots, bucket size {bucket}")
        found.append([_bucketed(reading.word_lattice, high, bucket) for reading in read])
    best = [path.score for path in found[list(buckets).index(1)]]
    points = []
    for bucket, paths in zip(buckets, found, strict=True):
        said = [
            " ".join(reading.word_lattice.keys[i] for i in path.words)
            for reading, path in zip(read, paths, strict=True)
        ]
        row = judge(f"bucket size {bucket}", [Output.whole(text) for text in said], data, protocol)
        losses = _losses(best, [path.score for path in paths])
        mean_loss, share = _lost(losses)
        mean = row.mean
        points.append(
            BucketPoint(bucket, mean.value, mean.low, mean.high, mean_loss, share, slots="linked")
        )
    return points


def _bucketed(found: WordLattice, high: int, bucket: int) -> BucketPath:
    weights = np.array([len(word) + 1 for word in found.keys], np.int64)
    return bucketed_links(found.lattice, weights, high, bucket)


def budget_sweep(
    model: Summarizer,
    data: Dataset,
    protocol: EvaluationProtocol,
    *,
    methods: Sequence[str] = (*PAPER_METHODS, *OUR_METHODS),
    beside: Sequence[System] = (),
    budgets: Sequence[int] = BUDGETS,
    readings: Readings | None = None,
    tell: Tell = silent,
) -> list[BudgetPoint]:
    """Length transfer: the same model asked for shorter and longer headlines, in characters; and
    other systems beside it, which read the texts themselves."""
    read = (readings or Readings()).of(model, data.sources, tell)
    systems: list[tuple[System, Sequence[Any]]] = [
        *((Decoding.by(method, model), read) for method in methods),
        *((system, data.sources) for system in beside),
    ]
    points = []
    for system, sources in systems:
        for amount in budgets:
            tell(f"{system.name} at {amount} characters")
            at = replace(protocol, budget=Budget(amount))
            row = judge(system.name, system.run(sources, at.budget), data, at)
            mean, length = row.mean, row.qualities.length
            points.append(BudgetPoint(row.name, amount, mean.value, mean.low, mean.high, length))
    return points


def _seconds_a_sentence(
    works: Sequence[Callable[[T], object]], sentences: Sequence[T]
) -> list[Spread]:
    """Each of the works on one sentence at a time."""

    def one_by_one(work: Callable[[T], object]) -> None:
        for sentence in sentences:
            work(sentence)

    calls = [partial(one_by_one, work) for work in works]
    for call in calls:
        call()
    return time_calls(calls, len(sentences), repeats=5)


def _decode(decoding: Decoding, budget: Budget, reading: Reading) -> None:
    decoding.summaries([reading], budget)


def _score(summary: Summary | None) -> float:
    return summary.score if summary and summary.text else -math.inf


def _losses(best: Sequence[float], found: Sequence[float]) -> list[float]:
    """What each sentence loses; nothing where the exact decoder has nothing to say either."""
    return [0.0 if a == -math.inf else a - b for a, b in zip(best, found, strict=True)]


def _lost(losses: Sequence[float]) -> tuple[float, float]:
    """The mean loss, where something is said, and the share of sentences that lose."""
    mean = statistics.fmean([loss for loss in losses if loss < math.inf] or [0.0])
    return mean, statistics.fmean(loss > 1e-9 for loss in losses)
