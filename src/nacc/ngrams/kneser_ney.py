"""Kneser-Ney estimates of trigrams, forward and backward (Chen and Goodman, 1998).

Stored in back-off form: seen windows and pairs hold their interpolated log probability, what was
not seen is worth the context's back-off and the shorter context's log probability.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nacc.ngrams.counting import BOUNDARY, Ids, row_starts
from nacc.ngrams.discounting import Floats, discounted


class TrigramArrays(NamedTuple):
    """The models as plain arrays, for the kernels. Forward values in column 0, backward in 1.

    unigram:      (V, 2) log p(w); unigram_left: (V, 2) log back-off of the context w.
    pair_rows:    (V + 1,) where the pairs starting with each word lie in the pair arrays.
    pair_next:    (pairs,) the second word, rising within a row.
    pair:         (pairs, 2) log p(y | x) and log p(x | y) of the pair (x y).
    pair_left:    (pairs, 2) log back-off of the context: x y for a word after, and before.
    window_rows:  (pairs + 1,) where the windows starting with each pair lie.
    window_next:  (windows,) the third word, rising within a row.
    window:       (windows, 2) log p(c | a b) and log p(a | b c).
    """

    unigram: NDArray[np.float32]
    unigram_left: NDArray[np.float32]
    pair_rows: NDArray[np.int64]
    pair_next: NDArray[np.int32]
    pair: NDArray[np.float32]
    pair_left: NDArray[np.float32]
    window_rows: NDArray[np.int64]
    window_next: NDArray[np.int32]
    window: NDArray[np.float32]


def estimate(
    stream: Ids,
    size: int,
    min_window_count: int,
    discounts: Callable[[Ids], Floats],
    precision: type[np.floating[Any]],
) -> TrigramArrays:
    """Trigrams of a stream with two boundaries between headlines, ids below `size`.

    discounts: from the counts of all events of an order, as in `discounted`.
    """
    a, b, c, counts = _windows(stream, size)
    pair_keys, raw_counts = np.unique(_inner_pairs(stream, size), return_counts=True)
    x, y = np.divmod(pair_keys, size)
    left = np.searchsorted(pair_keys, a * size + b)
    right = np.searchsorted(pair_keys, b * size + c)
    pairs = len(pair_keys)

    unigram, unigram_left = np.empty((size, 2)), np.empty((size, 2))
    pair, pair_left = np.empty((pairs, 2)), np.empty((pairs, 2))
    kept = counts >= min_window_count
    window = np.empty((int(kept.sum()), 2))
    # Forward, then backward: context and predicted word change places.
    directions = ((x, y, left, right), (y, x, right, left))
    for way, (context, word, window_context, window_word) in enumerate(directions):
        everyone, uniform = np.zeros(size, np.int64), np.full(size, 1.0 / size)
        types = np.bincount(word, minlength=size)
        p_unigram, _ = _interpolated(types, everyone, 1, discounts(types), uniform)
        # A pair counts as often as it was seen in different company, but a pair that starts at
        # the boundary has no other company: as often as it was seen.
        company = np.bincount(window_word, minlength=pairs)
        pair_counts = np.where(context == BOUNDARY, raw_counts, company)
        p_pair, left_pair = _interpolated(
            pair_counts, context, size, discounts(pair_counts), p_unigram[word]
        )
        p_window, left_window = _interpolated(
            counts, window_context, pairs, discounts(counts), p_pair[window_word], kept
        )
        unigram[:, way], unigram_left[:, way] = np.log(p_unigram), np.log(left_pair)
        pair[:, way], pair_left[:, way] = np.log(p_pair), np.log(left_window)
        window[:, way] = np.log(p_window)
    return TrigramArrays(
        unigram.astype(precision).astype(np.float32),
        unigram_left.astype(precision).astype(np.float32),
        row_starts(x, size),
        y.astype(np.int32),
        pair.astype(precision).astype(np.float32),
        pair_left.astype(precision).astype(np.float32),
        row_starts(left[kept], pairs),
        c[kept].astype(np.int32),
        window.astype(precision).astype(np.float32),
    )


def _windows(stream: Ids, size: int) -> tuple[Ids, Ids, Ids, Ids]:
    """The different windows of three, in order, and how often each was seen. Those around a
    boundary are left out: the pair in them says all there is to say."""
    first, middle, last = stream[:-2], stream[1:-1], stream[2:]
    inner = middle != BOUNDARY
    keys = (first[inner] * size + middle[inner]) * size + last[inner]
    keys, counts = np.unique(keys, return_counts=True)
    rest, c = np.divmod(keys, size)
    a, b = np.divmod(rest, size)
    return a, b, c, counts


def _inner_pairs(stream: Ids, size: int) -> Ids:
    x, y = stream[:-1], stream[1:]
    inner = (x != BOUNDARY) | (y != BOUNDARY)
    inner_pairs: Ids = x[inner] * size + y[inner]
    return inner_pairs


def _interpolated(
    counts: Ids,
    context: Ids,
    contexts: int,
    discounts: Floats,
    shorter: Floats,
    kept: NDArray[np.bool_] | slice = slice(None),
) -> tuple[Floats, Floats]:
    """p = discounted share of the context + what is left · p under the shorter context, of the
    kept events; and what is left of every context."""
    share, left = discounted(counts, context, contexts, discounts, kept)
    return share + left[context[kept]] * shorter[kept], left
