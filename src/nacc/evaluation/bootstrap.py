"""How sure a mean is: bootstrap intervals, and the paired test between two systems."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from nacc.errors import InvalidInput

_DRAWN_AT_ONCE = 100  # resamples: keeps memory at 100 × pairs


def intervals(
    values: NDArray[np.float64], *, confidence: float = 0.95, resamples: int = 1000, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lower and upper end of the percentile interval of each column's mean."""
    if not 0 < confidence < 1:
        raise InvalidInput(f"confidence = {confidence} must lie between 0 and 1, as 0.95 does")
    if resamples < 1:
        raise InvalidInput(f"resamples = {resamples} must be at least 1")
    means = np.concatenate(
        [weights @ values for weights in _resampled_weights(len(values), resamples, seed)]
    )
    tail = 100 * (1 - confidence) / 2
    low, high = np.percentile(means, [tail, 100 - tail], axis=0)
    return low, high


def paired_p_value(
    ours: NDArray[np.float64],
    theirs: NDArray[np.float64],
    *,
    resamples: int = 10_000,
    seed: int = 0,
) -> float:
    """Two-sided approximate randomisation: how often swapping the two systems' scores at random,
    pair by pair, gives a mean difference at least as large as the one seen (Noreen 1989)."""
    if ours.shape != theirs.shape or ours.ndim != 1:
        raise InvalidInput(f"the two systems have {ours.shape} and {theirs.shape} scores")
    difference = ours - theirs
    difference = difference[difference != 0]
    seen = abs(difference.sum())
    rng = np.random.default_rng(seed)
    reached = 0
    for start in range(0, resamples, _DRAWN_AT_ONCE):
        size = min(_DRAWN_AT_ONCE, resamples - start)
        signs = rng.integers(0, 2, (size, len(difference)), dtype=np.int8) * 2 - 1
        reached += int((abs(signs @ difference) >= seen * (1 - 1e-12)).sum())
    return (reached + 1) / (resamples + 1)


def _resampled_weights(n: int, resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Rows of weights 1/n · (how often each pair was drawn), a chunk of resamples at a time."""
    rng = np.random.default_rng(seed)
    for start in range(0, resamples, _DRAWN_AT_ONCE):
        size = min(_DRAWN_AT_ONCE, resamples - start)
        drawn = rng.integers(0, n, (size, n)) + n * np.arange(size)[:, None]
        yield np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n) / n
