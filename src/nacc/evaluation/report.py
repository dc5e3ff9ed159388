"""From outputs to rows: everything that is known about each system on one data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nacc.data.datasets import Dataset
from nacc.errors import InvalidInput
from nacc.evaluation import bootstrap, rouge
from nacc.evaluation.fluency import HeadlineModel, ungrammatical
from nacc.evaluation.qualities import Qualities, qualities
from nacc.evaluation.systems import Decoding, Output, Readings, System, Tell, Timed, silent
from nacc.evaluation.timing import Timing, time_decodings
from nacc.length.budget import Budget
from nacc.length.measures import Bytes

RougeMetric = Literal["f1", "recall"]
ROUGE_METRICS: tuple[RougeMetric, ...] = ("f1", "recall")
_COLUMN = {"f1": 2, "recall": 1}


@dataclass(frozen=True)
class EvaluationProtocol:
    """How outputs are judged: ROUGE's figure and byte limit, and what to add to it."""

    budget: Budget
    metric: RougeMetric = "f1"
    byte_limit: int | None = None
    time_on: int = 0  # sentences to time each system on; 0: do not
    repeats: int = 5
    language_model: HeadlineModel | None = None
    grammar: bool = False
    seed: int = 0

    @classmethod
    def of(cls, data: Dataset, budget: Budget | None = None) -> EvaluationProtocol:
        """The paper's protocol for the data: F1 at 50 characters; for several references (DUC)
        recall at 75 bytes."""
        if data.several:
            return cls(budget or Budget(75, Bytes()), "recall", 75)
        return cls(budget or Budget(50))


@dataclass(frozen=True)
class Estimate:
    """A mean on the 0 to 100 scale with its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class ReportRow:
    """One system: its outputs and their figures; differences are against the compared row."""

    name: str
    outputs: tuple[Output, ...]
    r1: Estimate
    r2: Estimate
    rl: Estimate
    mean: Estimate  # of the three
    qualities: Qualities
    scores: rouge.RougeScores
    timing: Timing | None = None
    perplexity: float | None = None
    ungrammatical: float | None = None
    delta: float | None = None  # ΔR: difference of R-1 + R-2 + R-L
    p_value: float | None = None  # of ΔR, two-sided, paired

    @property
    def total(self) -> float:
        return self.r1.value + self.r2.value + self.rl.value


def evaluate_systems(
    systems: Sequence[System],
    data: Dataset,
    protocol: EvaluationProtocol,
    *,
    against: str | None = None,
    readings: Readings | None = None,
    tell: Tell = silent,
) -> list[ReportRow]:
    """Run every system on the data and compare each with the row named `against` (else the
    first). Each model reads the data once, or not at all if `readings` has it; timing reads anew.
    """
    names = [system.name for system in systems]
    if len(set(names)) != len(names):
        raise InvalidInput(f"two systems share a name: {', '.join(names)}; name them NAME=PATH")
    if against is not None and against not in names:
        raise InvalidInput(f"no row {against!r} to compare with; rows: {', '.join(names)}")
    rows = run_systems(systems, data, protocol, readings=readings or Readings(), tell=tell)
    return compare(rows, against or names[0], protocol) if rows else []


def run_systems(
    systems: Sequence[System],
    data: Dataset,
    protocol: EvaluationProtocol,
    *,
    readings: Readings,
    tell: Tell = silent,
) -> list[ReportRow]:
    """Run every system on the data; time those that decode."""
    rows = []
    for system in systems:
        sources: Sequence[Any] = data.sources
        if isinstance(system, Decoding) and not system.anew:
            sources = readings.of(system.model, data.sources, tell)
        tell(f"{system.name}: {len(data)} sentences")
        rows.append(judge(system.name, system.run(sources, protocol.budget), data, protocol))
    decodings = {i: each for i, each in enumerate(systems) if isinstance(each, Timed)}
    if decodings and protocol.time_on:
        tell("timing " + ", ".join(decoding.name for decoding in decodings.values()))
        sample, timed = data.sources[: protocol.time_on], list(decodings.values())
        timings = time_decodings(timed, sample, protocol.budget, repeats=protocol.repeats)
        for i, timing in zip(decodings, timings, strict=True):
            rows[i] = replace(rows[i], timing=timing)
    return rows


def judge(
    name: str, outputs: Sequence[Output], data: Dataset, protocol: EvaluationProtocol
) -> ReportRow:
    """The figures of outputs that are there already."""
    texts = [output.text for output in outputs]
    scores = rouge.score(texts, data.references, protocol.byte_limit, seed=protocol.seed)
    model = protocol.language_model
    return ReportRow(
        name=name,
        outputs=tuple(outputs),
        r1=_rouge_estimate(scores.rouge1, protocol.metric),
        r2=_rouge_estimate(scores.rouge2, protocol.metric),
        rl=_rouge_estimate(scores.rougeL, protocol.metric),
        mean=_mean(scores, protocol),
        qualities=qualities(texts, data.sources, protocol.budget),
        scores=scores,
        perplexity=model.perplexity(texts) if model else None,
        ungrammatical=ungrammatical(texts) if protocol.grammar else None,
    )


def compare(
    rows: Sequence[ReportRow], against: str, protocol: EvaluationProtocol
) -> list[ReportRow]:
    """Fill in ΔR against one of the rows, and whether it could be chance."""
    baseline = next(row for row in rows if row.name == against)
    compared = []
    for row in rows:
        if row is baseline:
            compared.append(replace(row, delta=0.0))
            continue
        totals, theirs = (_rouge_totals(r.scores, protocol.metric) for r in (row, baseline))
        p_value = bootstrap.paired_p_value(totals, theirs, seed=protocol.seed)
        compared.append(replace(row, delta=row.total - baseline.total, p_value=p_value))
    return compared


def _rouge_totals(scores: rouge.RougeScores, metric: RougeMetric) -> NDArray[np.float64]:
    """R-1 + R-2 + R-L of each pair."""
    totals: NDArray[np.float64] = scores.pairs[:, :, _COLUMN[metric]].sum(axis=1)
    return totals


def _mean(scores: rouge.RougeScores, protocol: EvaluationProtocol) -> Estimate:
    means = _rouge_totals(scores, protocol.metric)[:, None] / 3
    low, high = bootstrap.intervals(means, seed=protocol.seed)
    return Estimate(100 * float(means.mean()), 100 * float(low[0]), 100 * float(high[0]))


def _rouge_estimate(score: rouge.Score, metric: RougeMetric) -> Estimate:
    value, (low, high) = (
        (score.f1, score.f1_interval) if metric == "f1" else (score.recall, score.recall_interval)
    )
    return Estimate(100 * value, 100 * low, 100 * high)
