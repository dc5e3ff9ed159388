"""ROUGE-1.5.5's figures: R-1, R-2 and R-L, precision, recall and F1, to its own rounding.

What the Perl script does, and this does with it: bytes, not characters; anything but a-z and 0-9
separates words; stems as in `porter`; a byte limit cuts the *references* too; several references
are pooled (`-f A`: matches and words summed over them) or the one with the best recall counts
(`-f B`); an empty text scores 0. A text is one sentence, so ROUGE-L is the plain longest common
subsequence. The script prints bootstrap means; these are the exact means it estimates.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nacc.errors import InvalidInput
from nacc.evaluation import bootstrap
from nacc.text.stem import stem as stem_of

Several = Literal["average", "best"]
_WORDS = re.compile(rb"[a-z0-9]+")


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
        peer = words(hypothesis, byte_limit, stem=stem)
        models = [words(reference, byte_limit, stem=stem) for reference in refs]
        pairs[i] = _pair(peer, models, several)
    means = pairs.mean(axis=0)
    low, high = bootstrap.intervals(
        pairs.reshape(len(lists), 9), confidence=confidence, resamples=resamples, seed=seed
    )
    ends = np.stack([low, high], axis=-1).reshape(3, 3, 2)
    rouge1, rouge2, rouge_l = (_collect(means[metric], ends[metric]) for metric in range(3))
    return RougeScores(rouge1, rouge2, rouge_l, pairs)


def words(text: str, byte_limit: int | None = None, *, stem: bool = True) -> list[str]:
    """The words ROUGE-1.5.5 counts in a text."""
    raw = text.encode("utf-8", "surrogatepass")[:byte_limit].lower()
    found = [word.decode("ascii") for word in _WORDS.findall(raw)]
    return [stem_of(word) for word in found] if stem else found


def _collect(means: NDArray[np.float64], ends: NDArray[np.float64]) -> Score:
    precision, recall, f1 = means.tolist()
    return Score(precision, recall, f1, *((low, high) for low, high in ends.tolist()))


def _pair(peer: list[str], models: list[list[str]], several: Several) -> NDArray[np.float64]:
    values = np.zeros((3, 3))
    for metric in range(3):
        counts = [_matches(metric, peer, model) for model in models]
        if several == "best":
            counts = [max(counts, key=lambda c: c[0] / c[2] if c[2] else 0.0)]
        hits, in_peer, in_model = (sum(column) for column in zip(*counts, strict=True))
        if hits:
            values[metric] = hits / in_peer, hits / in_model, 2 * hits / (in_peer + in_model)
    return values


def _matches(metric: int, peer: list[str], model: list[str]) -> tuple[int, int, int]:
    """Matches, and how many there could have been in peer and model (0: R-1, 1: R-2, 2: R-L)."""
    if metric == 2:
        return _common_subsequence(peer, model), len(peer), len(model)
    ours, theirs = _ngrams(peer, metric + 1), _ngrams(model, metric + 1)
    hits = sum(min(count, theirs[gram]) for gram, count in ours.items() if gram in theirs)
    return hits, max(len(peer) - metric, 0), max(len(model) - metric, 0)


def _ngrams(text: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(text[i:] for i in range(n)), strict=False))


def _common_subsequence(a: list[str], b: list[str]) -> int:
    """Length of the longest common subsequence, a row of the table at a time as bits of one int."""
    places: dict[str, int] = {}
    for i, word in enumerate(a):
        places[word] = places.get(word, 0) | 1 << i
    everything = (1 << len(a)) - 1
    row = everything
    for word in b:
        matched = row & places.get(word, 0)
        row = (row + matched) | (row - matched)
    return (~row & everything).bit_count()


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
