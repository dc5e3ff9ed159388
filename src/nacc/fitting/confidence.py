"""How sure a model is of an answer, from 0 to 1.

Two signs come with every answer of linked slots: how much of it the model's other answers have,
and how probable its scorer thinks a word of it. A model's folder says how much of each to believe
(`confidence` in its config.json), as a logistic curve fitted on sentences kept for that. Where it
says nothing, the first sign is taken as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp
from typing import Any

from nacc.errors import BadModel


@dataclass(frozen=True)
class Curve:
    """1 / (1 + exp(−(bias + expected · share + scored · log P a word)))."""

    bias: float
    expected: float
    scored: float = 0.0

    def at(self, share: float, log_p: float) -> float:
        height = self.bias + self.expected * share + self.scored * log_p
        return 1 / (1 + exp(-max(-500.0, min(500.0, height))))


@dataclass(frozen=True)
class Calibration:
    """The curve for answers that the scorer has seen, and for those it has not."""

    scored: Curve
    unscored: Curve

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Calibration | None:
        """What a model's config.json says, if anything."""
        said = config.get("confidence")
        if said is None:
            return None
        try:
            curves = [Curve(**{k: float(v) for k, v in said[name].items()}) for name in _CURVES]
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            raise BadModel(f"config.json: confidence: {error!r}") from error
        return cls(*curves)


_CURVES = ("scored", "unscored")


def confidence(calibration: Calibration | None, share: float, log_p: float | None) -> float:
    """How sure: given the share of the answer that other answers have, and the scorer's log P a
    word, if it was asked."""
    if calibration is None:
        return share
    if log_p is None:
        return calibration.unscored.at(share, 0.0)
    return calibration.scored.at(share, log_p)
