"""Looking up what the trigram models say, compiled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from nacc.ngrams.trigrams import BOUNDARY, UNKNOWN, TrigramArrays, Trigrams


@njit(cache=True, nogil=True, inline="always")
def find(ids: NDArray[np.int32], start: int, end: int, wanted: int) -> int:
    """Where `wanted` lies in the rising ids[start:end], or −1."""
    low, high = start, end
    while low < high:
        middle = (low + high) >> 1
        if ids[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < end and ids[low] == wanted else -1


@njit(cache=True, nogil=True)
def find_pair(models: TrigramArrays, x: int, y: int) -> int:
    return find(models.pair_next, models.pair_rows[x], models.pair_rows[x + 1], y)


@njit(cache=True, nogil=True)
def terms(models: TrigramArrays, a: int, b: int, c: int) -> tuple[float, float]:
    """log p(c | a b) forward and log p(a | b c) backward, of word classes (UNKNOWN is one).

    «B B c» is c after the boundary, «a B B» is a before it; the other direction says 0 to both.
    """
    left, right = find_pair(models, a, b), find_pair(models, b, c)
    at = -1
    if left >= 0 and right >= 0:
        rows = models.window_rows
        at = find(models.window_next, rows[left], rows[left + 1], c)
    if at >= 0:
        return float(models.window[at, 0]), float(models.window[at, 1])
    forward = backward = 0.0
    if b != BOUNDARY or a == BOUNDARY:
        forward = float(models.unigram_left[b, 0]) + models.unigram[c, 0]
        if right >= 0:
            forward = float(models.pair[right, 0])
        if left >= 0:
            forward += models.pair_left[left, 0]
    if b != BOUNDARY or c == BOUNDARY:
        backward = float(models.unigram_left[b, 1]) + models.unigram[a, 1]
        if left >= 0:
            backward = float(models.pair[left, 1])
        if right >= 0:
            backward += models.pair_left[right, 1]
    return forward, backward


def perplexities(
    trigrams: Trigrams, headlines: Iterable[Sequence[str]]
) -> tuple[float, float, float]:
    """Forward and backward perplexity of headlines of keys, the boundary that ends each included
    and UNKNOWN one word; and the share of unknown words."""
    totals = np.zeros(2)
    words = unknown = headlines_seen = 0
    for headline in headlines:
        chain = [BOUNDARY, BOUNDARY, *trigrams.ids(headline).tolist(), BOUNDARY, BOUNDARY]
        for window in zip(chain, chain[1:], chain[2:], strict=False):
            totals += terms(trigrams.arrays, *window)
        words += len(headline)
        unknown += chain.count(UNKNOWN)
        headlines_seen += 1
    if not words:
        return float("nan"), float("nan"), float("nan")
    forward, backward = np.exp(-totals / (words + headlines_seen))
    return float(forward), float(backward), unknown / words
