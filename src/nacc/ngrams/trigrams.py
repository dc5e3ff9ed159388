"""Headline language models: modified Kneser-Ney trigrams, one forward and one backward.

Both are read off the same counts. Every headline is a window of three sliding over
«B B w1 … wk B B», B the boundary; the forward model says p(c | a b), the backward one p(a | b c),
of the same window (a b c). So one look-up answers for both, and a headline's terms are those of
its windows: w1 given the boundary, every word given two neighbours, and the boundary after the
last word, once in each direction.

Stored in back-off form: seen windows and pairs hold their interpolated log probability, what was
not seen is worth the context's back-off and the shorter context's log probability. Words that are
not known are one class, UNKNOWN, whose probability is shared by `unknown_words` of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nacc.errors import InvalidInput
from nacc.ngrams.bigrams import most_frequent

BOUNDARY = 0
UNKNOWN = 1
FIRST_WORD = 2
MOST_WORDS = 2**21 - FIRST_WORD
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


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


@dataclass(frozen=True, eq=False)
class Trigrams:
    """`words[i]` has id i + 2; 0 is the boundary and 1 every other word."""

    words: tuple[str, ...]
    arrays: TrigramArrays
    unknown_words: int

    @classmethod
    def train(
        cls,
        headlines: Iterable[Sequence[str]],
        *,
        vocabulary_size: int = 100_000,
        min_count: int = 2,
        min_window_count: int = 1,
    ) -> Trigrams:
        """Count headlines, each a sequence of keys.

        Known are the `vocabulary_size` most frequent words seen at least `min_count` times.
        Windows seen less than `min_window_count` times are left to the back-off.
        """
        if not 1 <= vocabulary_size <= MOST_WORDS:
            raise InvalidInput(f"vocabulary_size = {vocabulary_size} must be in 1..{MOST_WORDS}")
        words, stream, unknown = _number(headlines, vocabulary_size, min_count)
        if len(stream) < 5:
            raise InvalidInput("no headline to train the language models on")
        return cls(words, _estimate(stream, len(words) + FIRST_WORD, min_window_count), unknown)

    @cached_property
    def index(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, start=FIRST_WORD)}

    @property
    def unknown_cost(self) -> float:
        """The log of how many words share the probability of UNKNOWN."""
        return float(np.log(max(self.unknown_words, 1)))

    def ids(self, keys: Sequence[str]) -> NDArray[np.int32]:
        """The ids of keys, UNKNOWN for those the models do not know."""
        find = self.index.get
        return np.fromiter((find(word, UNKNOWN) for word in keys), np.int32, len(keys))


def _number(
    headlines: Iterable[Sequence[str]], vocabulary_size: int, min_count: int
) -> tuple[tuple[str, ...], Ints, int]:
    """The known words, the headlines as one stream with two boundaries between, and how many
    words are not known."""
    numbering: dict[str, int] = {}
    raw = array("i", [-1, -1])
    for headline in headlines:
        if headline:
            raw.extend([numbering.setdefault(word, len(numbering)) for word in headline])
            raw.extend((-1, -1))
    stream = np.frombuffer(raw, np.int32)
    seen = list(numbering)
    counts = np.bincount(stream[stream >= 0], minlength=len(seen))
    order = most_frequent(seen, counts, vocabulary_size, min_count)
    renumbered = np.full(len(seen) + 1, UNKNOWN, np.int64)
    renumbered[np.array(order, np.int64)] = np.arange(len(order)) + FIRST_WORD
    renumbered[-1] = BOUNDARY
    return tuple(seen[i] for i in order), renumbered[stream], len(seen) - len(order)


def _estimate(stream: Ints, size: int, min_window_count: int) -> TrigramArrays:
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
        everyone = np.zeros(size, np.int64)
        uniform = np.full(size, 1.0 / size)
        types = np.bincount(word, minlength=size)
        p_unigram, _ = _interpolate(types, everyone, 1, uniform)
        # A pair counts as often as it was seen in different company, but a pair that starts at
        # the boundary has no other company: as often as it was seen.
        company = np.bincount(window_word, minlength=pairs)
        pair_counts = np.where(context == BOUNDARY, raw_counts, company)
        p_pair, left_pair = _interpolate(pair_counts, context, size, p_unigram[word])
        p_window, left_window = _interpolate(
            counts, window_context, pairs, p_pair[window_word], kept
        )
        unigram[:, way], unigram_left[:, way] = np.log(p_unigram), np.log(left_pair)
        pair[:, way], pair_left[:, way] = np.log(p_pair), np.log(left_window)
        window[:, way] = np.log(p_window)
    return TrigramArrays(
        _rounded(unigram),
        _rounded(unigram_left),
        _rows(x, size),
        y.astype(np.int32),
        _rounded(pair),
        _rounded(pair_left),
        _rows(left[kept], pairs),
        c[kept].astype(np.int32),
        _rounded(window),
    )


def _rounded(values: Floats) -> NDArray[np.float32]:
    """To what a 16-bit float holds, so that a model is the same before and after its file."""
    return values.astype(np.float16).astype(np.float32)


def _windows(stream: Ints, size: int) -> tuple[Ints, Ints, Ints, Ints]:
    """The different windows of three, in order, and how often each was seen. Those around a
    boundary are left out: the pair in them says all there is to say."""
    first, middle, last = stream[:-2], stream[1:-1], stream[2:]
    inner = middle != BOUNDARY
    keys = (first[inner] * size + middle[inner]) * size + last[inner]
    keys, counts = np.unique(keys, return_counts=True)
    rest, c = np.divmod(keys, size)
    a, b = np.divmod(rest, size)
    return a, b, c, counts


def _inner_pairs(stream: Ints, size: int) -> Ints:
    x, y = stream[:-1], stream[1:]
    inner = (x != BOUNDARY) | (y != BOUNDARY)
    inner_pairs: Ints = x[inner] * size + y[inner]
    return inner_pairs


def _rows(sorted_ids: Ints, size: int) -> Ints:
    return np.concatenate([[0], np.cumsum(np.bincount(sorted_ids, minlength=size))])


def _interpolate(
    counts: Ints,
    context: Ints,
    contexts: int,
    shorter: Floats,
    kept: NDArray[np.bool_] | None = None,
) -> tuple[Floats, Floats]:
    """p = discounted share of the context + what is left · p under the shorter context.

    Returns p of the kept events, and what is left of every context (1 where nothing was seen).
    """
    totals = np.bincount(context, counts, contexts)
    discounted = counts - _discounts(counts)[np.minimum(counts, 3)]
    if kept is not None:
        discounted, context, shorter = discounted[kept], context[kept], shorter[kept]
    share = discounted / totals[context]
    left: Floats = 1.0 - np.bincount(context, share, contexts).astype(np.float64)
    return share + left[context] * shorter, left


def _discounts(counts: Ints) -> Floats:
    """Chen and Goodman's three discounts, for counts of 1, 2, and 3 or more."""
    n = np.bincount(np.minimum(counts, 5), minlength=6).astype(float)
    if not n[1:5].all():  # too little text to estimate them
        return np.array([0.0, 0.5, 0.75, 0.75])
    y = n[1] / (n[1] + 2 * n[2])
    found = np.array([0.0] + [i - (i + 1) * y * n[i + 1] / n[i] for i in (1, 2, 3)])
    top = np.array([0.0, 0.95, 1.9, 2.85])
    clipped: Floats = np.clip(found, np.array([0.0, 0.05, 0.05, 0.05]), top)
    return clipped
