"""A compact bigram model of headlines: how much a word is favoured by the word before it.

What it holds is log p(w | previous) − log p(w), by absolute discounting interpolated with the
unigram distribution: p(w | h) = max(c(h w) − d, 0) / c(h) + backoff(h) · p(w). A pair never seen
is worth log backoff(h), whatever the word, so only seen pairs are stored: rows by previous word,
sorted 16-bit next ids, and 8-bit steps above the row's back-off. A million pairs take 3 MB.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nacc.errors import BadModel, InvalidInput

BOUNDARY = 0  # before the first word and after the last
UNKNOWN = -1  # a word the model does not know: every pair with it is worth 0
MOST_WORDS = 65_535
_FORMAT = "nacc bigrams 1"
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
        words, stream = _number(headlines, vocabulary_size)
        size = len(words) + 1
        known = (stream[:-1] >= 0) & (stream[1:] >= 0)
        pairs = stream[:-1][known].astype(np.uint32) * np.uint32(size) + stream[1:][known].astype(
            np.uint32
        )
        pairs, counts = np.unique(pairs, return_counts=True)
        previous, following = np.divmod(pairs, np.uint32(size))
        discount = _discount(counts)
        totals = np.bincount(previous, counts, size)
        unigram = np.bincount(following, counts, size) / max(counts.sum(), 1)
        kept = counts >= min_count
        previous, following, counts = previous[kept], following[kept], counts[kept] - discount
        left = 1.0 - np.bincount(previous, counts, size) / np.maximum(totals, 1.0)
        share = counts / totals[previous] / unigram[following]
        above = np.log1p(share / left[previous])
        step = float(above.max(initial=1.0)) / _STEPS
        return cls(
            words,
            np.concatenate([[0], np.cumsum(np.bincount(previous, minlength=size))]),
            following.astype(np.uint16),
            np.rint(above / step).astype(np.uint8),
            np.minimum(np.log(left), 0.0).astype(np.float32),
            step,
        )

    def save(self, path: str | Path) -> None:
        """Write one .npz file of plain arrays."""
        text = np.frombuffer("\n".join(self.words).encode(), np.uint8)
        with Path(path).open("wb") as file:
            np.savez(
                file,
                format=np.array(_FORMAT),
                words=text,
                rows=self.rows.astype(np.uint32),
                nexts=self.nexts,
                steps=self.steps,
                backoff=self.backoff,
                step=np.array(self.step),
            )

    @classmethod
    def load(cls, path: str | Path) -> Bigrams:
        """Read what `save` wrote; BadModel if the file is anything else."""
        try:
            with np.load(path, allow_pickle=False) as file:
                if str(file["format"]) != _FORMAT:
                    raise BadModel(f"{path} holds {file['format']}, not {_FORMAT}")
                text = file["words"].tobytes().decode()
                model = cls(
                    tuple(text.split("\n")) if text else (),
                    file["rows"].astype(np.int64),
                    file["nexts"],
                    file["steps"],
                    file["backoff"],
                    float(file["step"]),
                )
        except FileNotFoundError:
            raise BadModel(f"there is no bigram model at {path}") from None
        except BadModel:
            raise
        except Exception as error:  # readers of archives trip over damage in too many ways to name
            raise BadModel(f"{path} is not a bigram model: {error}") from error
        fault = model._fault()
        if fault:
            raise BadModel(f"{path} is damaged: {fault}")
        return model

    def _fault(self) -> str:
        size, pairs = len(self.words) + 1, len(self.nexts)
        if self.rows.shape != (size + 1,) or self.backoff.shape != (size,):
            return f"rows or backoff do not fit a vocabulary of {len(self.words)} words"
        kinds = [part.dtype.name for part in (self.nexts, self.steps, self.backoff)]
        if kinds != ["uint16", "uint8", "float32"] or self.steps.shape != (pairs,):
            return f"pairs are stored as {kinds}, {pairs} words and {self.steps.shape} values"
        if not ((self.backoff <= 0).all() and 0 < self.step < np.inf):
            return "a back-off value or the step is out of range"
        if self.rows[0] != 0 or self.rows[-1] != pairs or (np.diff(self.rows) < 0).any():
            return "the rows do not cover the pairs"
        rising = np.diff(self.nexts.astype(np.int32)) > 0
        rising[self.rows[(self.rows > 0) & (self.rows < pairs)] - 1] = True
        return (
            "" if rising.all() and (self.nexts < size).all() else "a row's words are out of order"
        )

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


class _Numbering(dict[str, int]):
    def __missing__(self, word: str) -> int:
        self[word] = number = len(self) + 1
        return number


def _number(
    headlines: Iterable[Sequence[str]], vocabulary_size: int
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The most frequent words, and all headlines as one stream of ids with boundaries between."""
    numbering = _Numbering()
    raw = array("i", [BOUNDARY])
    for headline in headlines:
        if headline:
            raw.extend(map(numbering.__getitem__, headline))
            raw.append(BOUNDARY)
    stream = np.frombuffer(raw, np.int32)
    seen = list(numbering)
    counts = np.bincount(stream, minlength=len(seen) + 1)[1:]
    order = most_frequent(seen, counts, vocabulary_size)
    words = tuple(seen[i] for i in order)
    if any("\n" in word for word in words):
        raise InvalidInput("a word of a headline holds a line break")
    renumbered = np.full(len(seen) + 1, UNKNOWN, np.int64)
    renumbered[BOUNDARY] = BOUNDARY
    renumbered[np.array(order, np.int64) + 1] = np.arange(1, len(words) + 1)
    return words, renumbered[stream]


def most_frequent(
    seen: Sequence[str], counts: NDArray[np.int64], most: int, least: int = 1
) -> list[int]:
    """Which words were seen most often, at least so often; of equals, the first by alphabet."""
    often = (i for i in range(len(seen)) if counts[i] >= least)
    return sorted(often, key=lambda i: (-counts[i], seen[i]))[:most]


def _discount(counts: NDArray[np.int64]) -> float:
    """Ney's estimate from how many pairs were seen once and twice."""
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    return once / (once + 2 * twice) if once and twice else 0.5
