"""A compact bigram model of headlines: how much a word is favoured by the word before it.

What it holds is log p(w | previous) − log p(w), by absolute discounting interpolated with the
unigram distribution: p(w | h) = max(c(h w) − d, 0) / c(h) + backoff(h) · p(w). A pair never seen
is worth log backoff(h), whatever the word, so only seen pairs are stored: rows by previous word,
sorted 16-bit next ids, and 8-bit steps above the row's back-off. A million pairs take 3 MB.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nacc.errors import InvalidInput
from nacc.ngrams import archive
from nacc.ngrams.counting import BOUNDARY, numbered, row_starts, rows_cover
from nacc.ngrams.discounting import discounted, one_discount

__all__ = ["BOUNDARY", "MOST_WORDS", "UNKNOWN", "Bigrams"]

UNKNOWN = -1  # a word the model does not know: every pair with it is worth 0
MOST_WORDS = 65_535
_KIND = archive.Kind("bigram model", ("nacc bigrams 1",))
_STEPS = 255
_LONG = 1_000  # pairs: some 60 rows of a model of headlines


@dataclass(frozen=True, eq=False)
class Bigrams:
    """Pair values over a vocabulary. `words[i]` has id i + 1; id 0 is the boundary.

    rows:     (V + 2,) where each previous word's pairs start in `nexts` and `steps`.
    nexts:    (pairs,) uint16, the next words, rising within a row.
    steps:    (pairs,) uint8, how many `step`s the pair's value lies above its row's back-off.
    backoff:  (V + 1,) float32, log backoff(h), never above 0: the value of pairs not stored.
    """

    words: tuple[str, ...]
    rows: NDArray[np.int64]
    nexts: NDArray[np.uint16]
    steps: NDArray[np.uint8]
    backoff: NDArray[np.float32]
    step: float

    @classmethod
    def train(
        cls,
        headlines: Iterable[Sequence[str]],
        *,
        vocabulary_size: int = 40_000,
        min_count: int = 2,
    ) -> Bigrams:
        """Count the given headlines, each a sequence of words in the case to be looked up.

        The `vocabulary_size` most frequent words are known; pairs seen less than `min_count`
        times are left to the back-off.
        """
        if not 1 <= vocabulary_size <= MOST_WORDS:
            raise InvalidInput(f"vocabulary_size = {vocabulary_size} must be in 1..{MOST_WORDS}")
        if min_count < 1:
            raise InvalidInput(f"min_count = {min_count} must be at least 1")
        texts = numbered(headlines, most=vocabulary_size)
        stream = texts.chained(1, first=BOUNDARY + 1, unknown=UNKNOWN)
        size = len(texts.words) + 1
        known = (stream[:-1] >= 0) & (stream[1:] >= 0)
        pairs = stream[:-1][known] * size + stream[1:][known]
        pairs, counts = np.unique(pairs.astype(np.uint32), return_counts=True)
        previous, following = np.divmod(pairs, np.uint32(size))
        unigram = np.bincount(following, counts, size) / max(counts.sum(), 1)
        kept = counts >= min_count
        share, left = discounted(counts, previous, size, one_discount(counts), kept)
        previous, following = previous[kept], following[kept]
        above = np.log1p(share / unigram[following] / left[previous])
        step = float(above.max(initial=1.0)) / _STEPS
        return cls(
            texts.words,
            row_starts(previous, size),
            following.astype(np.uint16),
            np.rint(above / step).astype(np.uint8),
            np.minimum(np.log(left), 0.0).astype(np.float32),
            step,
        )

    def save(self, path: str | Path) -> None:
        """Write one .npz file of plain arrays."""
        parts: archive.Parts = {
            "words": archive.packed(self.words),
            "rows": self.rows.astype(np.uint32),
            "nexts": self.nexts,
            "steps": self.steps,
            "backoff": self.backoff,
            "step": np.array(self.step),
        }
        archive.save(path, _KIND, parts)

    @classmethod
    def load(cls, path: str | Path) -> Bigrams:
        """Read what `save` wrote; BadModel if the file is anything else."""
        return archive.load(
            path,
            _KIND,
            lambda parts: cls(
                archive.unpacked(parts["words"]),
                parts["rows"].astype(np.int64),
                parts["nexts"],
                parts["steps"],
                parts["backoff"],
                float(parts["step"]),
            ),
        )

    def check(self) -> None:
        """Raise Damaged unless all holds that decoders rely on."""
        size, pairs = len(self.words) + 1, len(self.nexts)
        if self.rows.shape != (size + 1,) or self.backoff.shape != (size,):
            words = len(self.words)
            raise archive.Damaged(f"rows or backoff do not fit a vocabulary of {words} words")
        kinds = [part.dtype.name for part in (self.nexts, self.steps, self.backoff)]
        if kinds != ["uint16", "uint8", "float32"] or self.steps.shape != (pairs,):
            raise archive.Damaged(
                f"pairs are stored as {kinds}, {pairs} words and {self.steps.shape} values"
            )
        if not ((self.backoff <= 0).all() and 0 < self.step < np.inf):
            raise archive.Damaged("a back-off value or the step is out of range")
        if not rows_cover(self.rows, pairs):
            raise archive.Damaged("the rows do not cover the pairs")
        rising = np.diff(self.nexts.astype(np.int32)) > 0
        rising[self.rows[(self.rows > 0) & (self.rows < pairs)] - 1] = True
        if not (rising.all() and (self.nexts < size).all()):
            raise archive.Damaged("a row's words are out of order")

    @cached_property
    def _index(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, start=1)}

    @cached_property
    def row_best(self) -> NDArray[np.float64]:
        """(V + 1,) the highest value any pair of a row has."""
        best = np.zeros(len(self.backoff))
        filled = np.flatnonzero(np.diff(self.rows))
        if len(filled):
            best[filled] = np.maximum.reduceat(self.steps, self.rows[filled])
        return self.backoff + best * self.step

    @cached_property
    def best(self) -> float:
        """The highest value of any pair."""
        return float(self.row_best.max(initial=0.0))

    @cached_property
    def long_rows(self) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """Rows of many pairs once more, unpacked for speed: which[h] (-1: not unpacked) and
        steps[which[h], w], 0 for pairs not stored."""
        size = len(self.backoff)
        long = np.flatnonzero(np.diff(self.rows) > _LONG)
        which = np.full(size, -1, np.int32)
        which[long] = np.arange(len(long))
        steps = np.zeros((len(long), size), np.uint8)
        for row, previous in zip(steps, long, strict=True):
            pairs = slice(self.rows[previous], self.rows[previous + 1])
            row[self.nexts[pairs]] = self.steps[pairs]
        return which, steps

    def ids(self, words: Sequence[str]) -> NDArray[np.int32]:
        """The ids of words, UNKNOWN (−1) for those the model does not know."""
        find = self._index.get
        return np.fromiter((find(word, UNKNOWN) for word in words), np.int32, len(words))

    def value(self, previous: int, word: int) -> float:
        """log p(word | previous) − log p(word), as stored; 0 for unknown words."""
        if UNKNOWN in (previous, word) or previous == word == BOUNDARY:
            return 0.0
        low, high = int(self.rows[previous]), int(self.rows[previous + 1])
        at = low + int(np.searchsorted(self.nexts[low:high], word))
        steps = int(self.steps[at]) if at < high and self.nexts[at] == word else 0
        return float(self.backoff[previous]) + steps * self.step
