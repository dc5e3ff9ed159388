"""From graded headlines to a calibrated confidence, and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nacc.errors import InvalidInput

Floats = NDArray[np.float64]
RIDGE = 1.0
"""Keeps the weights of a few hundred grades from growing without end."""


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
    confidence: ArrayLike, good: ArrayLike, least: Sequence[float] = (0.5, 0.6, 0.7, 0.8, 0.9)
) -> list[Threshold]:
    sure, label = np.asarray(confidence, np.float64), np.asarray(good, np.bool_)
    found = []
    for value in least:
        kept = sure >= value
        share = float(label[kept].mean()) if kept.any() else float("nan")
        caught = float((~kept & ~label).sum() / max(1, (~label).sum()))
        found.append(Threshold(value, float(kept.mean()), share, caught))
    return found
