"""ROUGE-1.5.5's figures: R-1, R-2 and R-L, precision, recall and F1, to its own rounding.

What is counted in a pair of texts is in `nacc.text.overlap`; here are a data set's means. The Perl
script prints bootstrap means; these are the exact means it estimates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nacc.errors import InvalidInput
from nacc.evaluation import bootstrap
from nacc.text.overlap import Several, overlap


@dataclass(frozen=True)
class Score:
    """Means over all pairs, 0 to 1, each with its bootstrap confidence interval."""

    precision: float
    recall: float
    f1: float
    precision_interval: tuple[float, float]
    recall_interval: tuple[float, float]
    f1_interval: tuple[float, float]


@dataclass(frozen=True, eq=False)
class RougeScores:
    """The scores of a system on a data set.

    pairs: (pairs × 3 × 3) per-pair values: [R-1, R-2, R-L] × [precision, recall, F1].
    """

    rouge1: Score
    rouge2: Score
    rougeL: Score  # noqa: N815 - the metric's own name
    pairs: NDArray[np.float64]


def score(
    hypotheses: Sequence[str],
    references: Sequence[str | Sequence[str]],
    byte_limit: int | None = None,
    *,
    stem: bool = True,
    several: Several = "average",
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> RougeScores:
    """Score each hypothesis against its reference, or its list of references.

    `byte_limit` is ROUGE-1.5.5's `-b`, `stem` its `-m`, `several` its `-f A` or `-f B`,
    `confidence` and `resamples` its `-c` and `-r`.
    """
    lists = _reference_lists(hypotheses, references, byte_limit, several)
    pairs = np.zeros((len(lists), 3, 3))
    for i, (hypothesis, refs) in enumerate(zip(hypotheses, lists, strict=True)):
        pairs[i] = overlap(hypothesis, refs, byte_limit, stem=stem, several=several)
    means = pairs.mean(axis=0)
    low, high = bootstrap.intervals(
        pairs.reshape(len(lists), 9), confidence=confidence, resamples=resamples, seed=seed
    )
    ends = np.stack([low, high], axis=-1).reshape(3, 3, 2)
    rouge1, rouge2, rouge_l = (_collect(means[metric], ends[metric]) for metric in range(3))
    return RougeScores(rouge1, rouge2, rouge_l, pairs)


def _collect(means: NDArray[np.float64], ends: NDArray[np.float64]) -> Score:
    precision, recall, f1 = means.tolist()
    return Score(precision, recall, f1, *((low, high) for low, high in ends.tolist()))


def _reference_lists(
    hypotheses: Sequence[str],
    references: Sequence[str | Sequence[str]],
    byte_limit: int | None,
    several: str,
) -> list[list[str]]:
    if isinstance(hypotheses, str) or isinstance(references, str):
        raise InvalidInput("hypotheses and references must be lists of texts, got one string")
    if len(hypotheses) != len(references):
        raise InvalidInput(
            f"{len(hypotheses)} hypotheses but {len(references)} references: "
            "there must be one reference (or one list of them) for each hypothesis"
        )
    if not hypotheses:
        raise InvalidInput("nothing to score: no hypotheses and no references")
    if byte_limit is not None and byte_limit < 1:
        raise InvalidInput(f"byte_limit = {byte_limit} must be at least 1, or None for no limit")
    if several not in ("average", "best"):
        raise InvalidInput(f'several = {several!r} must be "average" or "best"')
    lists = [[ref] if isinstance(ref, str) else list(ref) for ref in references]
    for i, (hypothesis, refs) in enumerate(zip(hypotheses, lists, strict=True)):
        if not isinstance(hypothesis, str) or not all(isinstance(ref, str) for ref in refs):
            raise InvalidInput(f"pair {i}: hypothesis and references must be strings")
        if not refs:
            raise InvalidInput(f"pair {i} has an empty list of references; give at least one")
    return lists
