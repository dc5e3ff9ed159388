"""What buckets of lengths would cost on linked slots: the paper's recursion, one best path for each
slot and bucket, on the lattices of a model whose slots are linked.

Nothing is merged there, so by the paper's own theorem buckets of 1 are exact. For the figures, in
plain NumPy; the decoder of the product keeps every length.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nacc.errors import InvalidInput
from nacc.lattice import NO_WORD, Lattice

RARE = -9.0  # the logarithm of a link or a word that is not looked at


class BucketPath(NamedTuple):
    """The words of a path and its log-probability, −∞ where there is none."""

    words: list[int]
    score: float


class _States(NamedTuple):
    """The paths that are kept, one a row: where each ends, its value, its weight and last word, and
    which path it came from."""

    slot: NDArray[np.int64]
    value: NDArray[np.float64]
    weight: NDArray[np.int64]
    word: NDArray[np.int64]
    before: NDArray[np.int64]


def bucketed_links(
    lattice: Lattice, weights: NDArray[np.int64], high: int, bucket: int
) -> BucketPath:
    """The best path of weight up to `high`, with one best kept for each slot and bucket."""
    if lattice.links is None or bucket < 1:
        raise InvalidInput("buckets of at least 1, on a lattice with links")
    links, size = lattice.links, lattice.slots
    none = -np.ones(1, np.int64)
    kept = _States(none, np.zeros(1), np.zeros(1, np.int64), none, none)
    for slot in range(size):
        found = _into(lattice, weights, high, bucket, kept, slot)
        kept = _States(*(np.concatenate(pair) for pair in zip(kept, found, strict=True)))
    total = kept.value + links[kept.slot + 1, size]
    total[0] = -np.inf  # a path that says nothing is none
    best = int(total.argmax())
    if not np.isfinite(total[best]):
        return BucketPath([], -np.inf)
    words, at = [], best
    while at > 0:
        words.append(int(kept.word[at]))
        at = int(kept.before[at])
    return BucketPath(words[::-1], float(total[best]))


def _into(
    lattice: Lattice,
    weights: NDArray[np.int64],
    high: int,
    bucket: int,
    kept: _States,
    slot: int,
) -> _States:
    """The paths that end in a slot: of each bucket the best."""
    assert lattice.links is not None
    step = lattice.links[kept.slot + 1, slot]
    likely = (lattice.words[slot] != NO_WORD) & (lattice.values[slot] > RARE)
    words, values = lattice.words[slot][likely], lattice.values[slot][likely]
    come = np.flatnonzero((step > RARE) & (kept.slot < slot))
    value = (kept.value[come] + step[come])[:, None] + values
    weight = kept.weight[come][:, None] + weights[words]
    allowed = (weight <= high) & (kept.word[come][:, None] != words)
    row, column = np.nonzero(allowed)
    value, weight = value[row, column], weight[row, column]
    order = np.lexsort((-value, -(-weight // bucket)))
    first = np.unique(-(-weight[order] // bucket), return_index=True)[1]
    best = order[first]
    return _States(
        np.full(len(best), slot, np.int64),
        value[best],
        weight[best],
        words[column[best]].astype(np.int64),
        come[row[best]],
    )
