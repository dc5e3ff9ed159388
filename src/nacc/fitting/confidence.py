"""How sure a summary is: a figure between 0 and 1, calibrated on graded headlines.

Two things tell: how much of the answer the model's other likely answers share (its expected words
and pairs), and what the scorer makes of each of its words. A model's folder says what they count.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nacc.errors import BadModel

SCORED, UNSCORED = "scored", "unscored"
_COUNTS = {SCORED: 3, UNSCORED: 2}


@dataclass(frozen=True)
class Calibration:
    """Weights of a logistic function: a constant, the expected share and, where there is a scorer,
    its log-probability a word."""

    scored: tuple[float, ...]
    unscored: tuple[float, ...]

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Calibration | None:
        """What a folder's config.json says under "confidence"; None if it says nothing."""
        said = config.get("confidence")
        if said is None:
            return None
        try:
            found = {name: tuple(float(value) for value in said[name]) for name in _COUNTS}
        except (KeyError, TypeError, ValueError) as error:
            raise BadModel(
                f"config.json: confidence must be two lists of numbers: {error}"
            ) from error
        for name, count in _COUNTS.items():
            if len(found[name]) != count:
                raise BadModel(f"config.json: confidence {name} must hold {count} numbers")
        return cls(found[SCORED], found[UNSCORED])

    def __call__(self, expected: float, word_score: float | None) -> float:
        """How likely it is that an editor finds no fault that matters.

        word_score: the scorer's log-probability a word; None if it was not asked."""
        if word_score is None:
            return logistic(self.unscored, (expected,))
        return logistic(self.scored, (expected, word_score))


def logistic(weights: Sequence[float], features: Sequence[float]) -> float:
    total = weights[0] + sum(w * x for w, x in zip(weights[1:], features, strict=True))
    total = max(-60.0, min(60.0, total))
    return 1 / (1 + math.exp(-total))
