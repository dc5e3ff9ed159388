"""How sure a summary is: a figure between 0 and 1, calibrated on graded headlines.

Three things tell: how much of the answer the model's other likely answers share (its expected words
and pairs), how many words it has (in little room much goes wrong), and what the scorer makes of
each of them. A model's folder says what they count.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nacc.errors import BadModel

SCORED, UNSCORED = "scored", "unscored"
_COUNTS = {SCORED: 4, UNSCORED: 3}


@dataclass(frozen=True)
class Signs:
    """What there is to judge an answer by.

    expected: the share of it that is to be expected, 0 to 1 (`Decoded.expected`).
    words:    how many it has.
    log_p:    the scorer's log-probability a word; None if it was not asked.
    """

    expected: float
    words: int
    log_p: float | None = None

    @property
    def features(self) -> tuple[float, ...]:
        known = (self.expected, math.log(max(1, self.words)))
        return known if self.log_p is None else (*known, self.log_p)


@dataclass(frozen=True)
class Calibration:
    """Weights of a logistic function: a constant, and one for each of the signs' features, with the
    scorer's and without."""

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
            if len(found[name]) != count or not all(map(math.isfinite, found[name])):
                raise BadModel(f"config.json: confidence {name} must hold {count} numbers")
        return cls(found[SCORED], found[UNSCORED])

    def __call__(self, signs: Signs) -> float:
        """How likely it is that an editor finds no fault that matters."""
        weights = self.unscored if signs.log_p is None else self.scored
        return logistic(weights, signs.features)


def logistic(weights: Sequence[float], features: Sequence[float]) -> float:
    total = weights[0] + sum(w * x for w, x in zip(weights[1:], features, strict=True))
    total = max(-60.0, min(60.0, total))
    return 1 / (1 + math.exp(-total))
