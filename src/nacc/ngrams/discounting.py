"""Taking a little from every count, so that something is left for what was never seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nacc.ngrams.counting import Ids

Floats = NDArray[np.float64]


def one_discount(counts: Ids) -> Floats:
    """Ney's, from how many events were seen once and twice: for counts of 0, and of 1 or more."""
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    return np.array([0.0, once / (once + 2 * twice) if once and twice else 0.5])


def three_discounts(counts: Ids) -> Floats:
    """Chen and Goodman's: for counts of 0, 1, 2, and 3 or more."""
    n = np.bincount(np.minimum(counts, 5), minlength=6).astype(float)
    if not n[1:5].all():  # too little text to estimate them
        return np.array([0.0, 0.5, 0.75, 0.75])
    y = n[1] / (n[1] + 2 * n[2])
    found = np.array([0.0] + [i - (i + 1) * y * n[i + 1] / n[i] for i in (1, 2, 3)])
    lowest, highest = np.array([0.0, 0.05, 0.05, 0.05]), np.array([0.0, 0.95, 1.9, 2.85])
    clipped: Floats = np.clip(found, lowest, highest)
    return clipped


def discounted(
    counts: Ids,
    context: NDArray[np.integer],
    contexts: int,
    discounts: Floats,
    kept: NDArray[np.bool_] | slice = slice(None),
) -> tuple[Floats, Floats]:
    """Of the kept events, the discounted share each has of its context; and what is then left of
    every context (1 where nothing was seen)."""
    totals = np.bincount(context, counts, contexts)
    lowered = (counts - discounts[np.minimum(counts, len(discounts) - 1)])[kept]
    context = context[kept]
    left: Floats = 1.0 - np.bincount(context, lowered, contexts) / np.maximum(totals, 1.0)
    return lowered / totals[context], left
