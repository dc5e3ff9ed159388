"""From graded headlines to a calibrated confidence, and how far it can be trusted."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nacc.data.output import writing
from nacc.errors import InvalidInput
from nacc.evaluation import figures
from nacc.evaluation.confidence import FALSE_GRADE, GRADES, Sample
from nacc.evaluation.tables import piped
from nacc.evaluation.timing import machine
from nacc.fitting.confidence import SCORED, UNSCORED
from nacc.runtime.folder import config

Floats = NDArray[np.float64]
RIDGE = 1.0
"""Keeps the weights of a few hundred grades from growing without end."""
FOLDS = 10
LEAST = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def fitted(features: ArrayLike, good: ArrayLike, ridge: float = RIDGE) -> Floats:
    """The weights (a constant first) of the logistic function that is likeliest to give `good`."""
    table = np.asarray(features, np.float64)
    label = np.asarray(good, np.float64)
    if len(table) != len(label) or not 0 < label.sum() < len(label):
        raise InvalidInput("calibration needs good and bad headlines, each with its features")
    middle, spread = table.mean(0), table.std(0) + 1e-9
    x = np.column_stack([np.ones(len(table)), (table - middle) / spread])
    penalty = np.diag([0.0, *[ridge] * table.shape[1]])
    weights = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (p - label) + penalty @ weights
        curve = (x * (p * (1 - p))[:, None]).T @ x + penalty
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-10:
            break
    slopes = weights[1:] / spread
    return np.concatenate([[weights[0] - slopes @ middle], slopes])


@dataclass(frozen=True)
class Bin:
    """Headlines of like confidence: how many, how sure they are said to be, how many are good."""

    count: int
    said: float
    good: float


def reliability(confidence: ArrayLike, good: ArrayLike, bins: int = 5) -> list[Bin]:
    """Equally many headlines in each bin, the least sure first."""
    sure, label = np.asarray(confidence, np.float64), np.asarray(good, np.float64)
    parts = np.array_split(np.argsort(sure, kind="stable"), min(bins, len(sure)))
    return [Bin(len(p), float(sure[p].mean()), float(label[p].mean())) for p in parts]


@dataclass(frozen=True)
class Threshold:
    """What asking for so much confidence does: the share of headlines that is kept, how many of
    these are good, and the share of all bad ones that is caught."""

    least: float
    kept: float
    good: float
    caught: float


def thresholds(
    confidence: ArrayLike, good: ArrayLike, least: Sequence[float] = LEAST
) -> list[Threshold]:
    sure, label = np.asarray(confidence, np.float64), np.asarray(good, np.bool_)
    found = []
    for value in least:
        kept = sure >= value
        share = float(label[kept].mean()) if kept.any() else float("nan")
        caught = float((~kept & ~label).sum() / max(1, (~label).sum()))
        found.append(Threshold(value, float(kept.mean()), share, caught))
    return found


def table(samples: Sequence[Sample], scored: bool) -> Floats:
    """The weights that fit all samples best: of the graders' constant (without grades, one for all)
    and of each feature. Every group has a constant of its own, since each calls other shares of
    its headlines good; what the features count is the same for all."""
    names = sorted({each.group for each in samples} - {GRADES})
    others = names if any(each.group == GRADES for each in samples) else []
    features = _features(samples, scored)
    groups = [[float(each.group == name) for name in others] for each in samples]
    rows = np.column_stack([features, np.array(groups).reshape(len(samples), len(others))])
    return fitted(rows, [each.good for each in samples])[: 1 + features.shape[1]]


def held_out(samples: Sequence[Sample], scored: bool = True) -> Floats:
    """How sure of each sample is what was learnt from the others: no source is in both."""
    sources = list(dict.fromkeys(each.source for each in samples))
    order = np.random.default_rng(0).permutation(len(sources))
    fold = {source: i % FOLDS for source, i in zip(sources, order.tolist(), strict=True)}
    features, sure = _features(samples, scored), np.zeros(len(samples))
    for number in range(min(FOLDS, len(sources))):
        out = np.array([fold[each.source] == number for each in samples])
        weights = table([each for each, left in zip(samples, out, strict=True) if not left], scored)
        sure[out] = 1 / (1 + np.exp(-weights[0] - features[out] @ weights[1:]))
    return sure


def _features(samples: Sequence[Sample], scored: bool) -> Floats:
    count = 3 if scored else 2
    return np.array([each.signs.features[:count] for each in samples], np.float64)


@dataclass(frozen=True, eq=False)
class Calibrated:
    """What was learnt, and what it is worth on what it was not learnt from.

    weights: for a folder's config.json. sure: the confidence of each sample, held out.
    """

    samples: Sequence[Sample]
    weights: dict[str, list[float]]
    sure: Floats

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> Calibrated:
        has_scorer = all(each.signs.log_p is not None for each in samples)
        plain = table(samples, scored=False).round(4).tolist() if samples else []
        full = table(samples, scored=True).round(4).tolist() if has_scorer else [*plain, 0.0]
        return cls(samples, {SCORED: full, UNSCORED: plain}, held_out(samples, has_scorer))

    @cached_property
    def groups(self) -> dict[str, NDArray[np.int64]]:
        """Where the samples of each group are, the graders' first."""
        names = dict.fromkeys(each.group for each in self.samples)
        return {
            name: np.array([i for i, each in enumerate(self.samples) if each.group == name])
            for name in sorted(names, key=lambda name: name != GRADES)
        }

    def record(self) -> dict[str, Any]:
        """All figures, for JSON."""
        return {
            "machine": asdict(machine()),
            "confidence": self.weights,
            "headlines": {name: len(places) for name, places in self.groups.items()},
            "reliability": self.bins(),
            "thresholds": self.caught(),
        }

    def bins(self) -> list[dict[str, Any]]:
        """For each group, its headlines in five parts, the least sure first; with their ROUGE."""
        found = []
        for name, places in self.groups.items():
            good = [self.samples[i].good for i in places]
            values = [self.samples[i].figure if name != GRADES else math.nan for i in places]
            scores = reliability(self.sure[places], values)
            for one, rouge in zip(reliability(self.sure[places], good), scores, strict=True):
                told = {} if name == GRADES else {"rouge": rouge.good}
                found.append({"group": name, **asdict(one), **told})
        return found

    def caught(self) -> list[dict[str, Any]]:
        """Of the graded headlines (without grades, of all), what each threshold keeps and catches;
        `false_caught`: of those that say what the source does not."""
        places = next(iter(self.groups.values())) if GRADES in self.groups else slice(None)
        samples = np.array(self.samples, dtype=object)[places]
        sure, good = self.sure[places], [each.good for each in samples]
        true = [each.figure != FALSE_GRADE for each in samples]
        both = zip(thresholds(sure, good), thresholds(sure, true), strict=True)
        graded = GRADES in self.groups
        return [
            asdict(one) | ({"false_caught": other.caught} if graded else {}) for one, other in both
        ]

    def markdown(self) -> str:
        """The tables: what each threshold does, and how far the figure is what it says."""
        kinds = ", ".join(f"{len(places)} of {name}" for name, places in self.groups.items())
        first = [["min_confidence", "kept", "good among them", "bad caught", "false caught"]]
        first += [
            [f"{each['least']:.1f}"]
            + [_percent(each.get(name)) for name in ("kept", "good", "caught", "false_caught")]
            for each in self.caught()
        ]
        second = [["headlines", "count", "said", "good", "ROUGE"]]
        second += [
            [each["group"], str(each["count"]), _percent(each["said"]), _percent(each["good"]),
             f"{100 * each['rouge']:.1f}" if "rouge" in each else ""]
            for each in self.bins()
        ]  # fmt: skip
        return "\n".join(
            [
                f"Headlines that were left out of the learning: {kinds}.", "",
                "## Thresholds", "", *piped(first), "",
                "## Reliability", "", *piped(second), "",
                f"Weights: {json.dumps(self.weights)}", "",
            ]
        )  # fmt: skip

    def write(self, folder: Path) -> None:
        """Write confidence.json and .md, and the figure."""
        folder.mkdir(parents=True, exist_ok=True)
        record = json.dumps(self.record(), indent=1)
        (folder / "confidence.json").write_text(record + "\n", "utf-8")
        (folder / "confidence.md").write_text(f"{self.markdown()}\n{machine()}\n", "utf-8")
        figures.reliability(self.bins(), folder)

    def save(self, folder: Path) -> None:
        """Write the weights into a model folder's config.json."""
        text = json.dumps({**config(folder), "confidence": self.weights}, indent=1)
        with writing(folder / "config.json") as write:
            write(text + "\n")


def _percent(share: float | None) -> str:
    return "" if share is None or math.isnan(share) else f"{100 * share:.0f}%"
