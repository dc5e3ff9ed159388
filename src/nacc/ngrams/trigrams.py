"""Headline language models: modified Kneser-Ney trigrams, one forward and one backward.

Both are read off the same counts. Every headline is a window of three sliding over
«B B w1 … wk B B», B the boundary; the forward model says p(c | a b), the backward one p(a | b c),
of the same window (a b c). So one look-up answers for both, and a headline's terms are those of
its windows: w1 given the boundary, every word given two neighbours, and the boundary after the
last word, once in each direction.

Words that are not known are one class, OTHER, whose probability is shared by `unknown_words` of
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nacc.errors import InvalidInput
from nacc.ngrams.archive import Damaged
from nacc.ngrams.counting import BOUNDARY, Ids, numbered, rows_cover
from nacc.ngrams.discounting import Floats, three_discounts
from nacc.ngrams.kneser_ney import TrigramArrays, estimate

__all__ = ["BOUNDARY", "FIRST_WORD", "MOST_WORDS", "OTHER", "Perplexity", "Trigrams"]

OTHER = 1
FIRST_WORD = 2
MOST_WORDS = 2**21 - FIRST_WORD
_KINDS = "float32 float32 int64 int32 float32 float32 int64 int32 float32".split()


class Perplexity(NamedTuple):
    """Of headlines, under either model; and the share of their words that are not known."""

    forward: float
    backward: float
    unknown: float


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
        discount: float | None = None,
        precise: bool = False,
    ) -> Trigrams:
        """Count headlines, each a sequence of keys.

        Known are the `vocabulary_size` most frequent words seen at least `min_count` times.
        Windows seen less than `min_window_count` times are left to the back-off.
        `discount` is taken from every count; None: Chen and Goodman's three, from the counts.
        Numbers are rounded to 16 bits, as a file holds them, unless they are to be `precise`.
        """
        if not 1 <= vocabulary_size <= MOST_WORDS:
            raise InvalidInput(f"vocabulary_size = {vocabulary_size} must be in 1..{MOST_WORDS}")
        texts = numbered(headlines, most=vocabulary_size, least=min_count)
        if not len(texts.stream):
            raise InvalidInput("no headline to train the language models on")
        stream = texts.chained(2, first=FIRST_WORD, unknown=OTHER)
        arrays = estimate(
            stream,
            len(texts.words) + FIRST_WORD,
            min_window_count,
            three_discounts if discount is None else lambda counts: np.array([0.0, discount]),
            np.float32 if precise else np.float16,
        )
        return cls(texts.words, arrays, texts.unknown)

    @cached_property
    def index(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words, start=FIRST_WORD)}

    @property
    def unknown_cost(self) -> float:
        """The log of how many words share the probability of OTHER."""
        return float(np.log(max(self.unknown_words, 1)))

    def ids(self, keys: Sequence[str]) -> NDArray[np.int32]:
        """The ids of keys, OTHER for those the models do not know."""
        find = self.index.get
        return np.fromiter((find(word, OTHER) for word in keys), np.int32, len(keys))

    def terms(self, a: ArrayLike, b: ArrayLike, c: ArrayLike) -> tuple[Floats, Floats]:
        """log p(c | a b) forward and log p(a | b c) backward, of ids or arrays of them.

        «B B c» is c after the boundary, «a B B» is a before it; the other direction says 0 to both.
        """
        first, middle, last = np.broadcast_arrays(*(np.asarray(x, np.int64) for x in (a, b, c)))
        models, size = self.arrays, len(self.arrays.unigram)
        left = _find(self._pair_keys, first * size + middle)
        right = _find(self._pair_keys, middle * size + last)
        at = _find(self._window_keys, left * size + last)
        at = np.where((left >= 0) & (right >= 0), at, -1)
        found = []
        # Forward, then backward: context and predicted word change places.
        for way, (before, context, word, after) in enumerate(
            ((first, left, right, last), (last, right, left, first))
        ):
            shorter = models.unigram_left[middle, way].astype(float) + models.unigram[after, way]
            value = _taken(models.pair[:, way], word, shorter)
            value = value + _taken(models.pair_left[:, way], context, 0.0)
            value = np.where((middle != BOUNDARY) | (before == BOUNDARY), value, 0.0)
            found.append(_taken(models.window[:, way], at, value))
        return found[0], found[1]

    def perplexity(self, headlines: Iterable[Sequence[str]]) -> Perplexity:
        """Of headlines of keys, the boundary that ends each included and OTHER one word."""
        chain, ends, empty = [BOUNDARY, BOUNDARY], 0, 0
        for headline in headlines:
            if headline:
                chain += [*self.ids(headline).tolist(), BOUNDARY, BOUNDARY]
            ends, empty = ends + 1, empty + (not headline)
        if not ends:
            return Perplexity(np.nan, np.nan, np.nan)
        windows = np.array(chain)
        totals = np.array(self.terms(windows[:-2], windows[1:-1], windows[2:])).sum(axis=1)
        totals += empty * np.array(self.terms(BOUNDARY, BOUNDARY, BOUNDARY))
        words = int((windows != BOUNDARY).sum())
        forward, backward = np.exp(-totals / (words + ends))
        return Perplexity(float(forward), float(backward), chain.count(OTHER) / max(words, 1))

    def check(self) -> None:
        """Raise Damaged unless all holds that look-ups rely on."""
        models, size = self.arrays, len(self.words) + FIRST_WORD
        pairs, windows = len(models.pair_next), len(models.window_next)
        shapes = [
            (size, 2), (size, 2), (size + 1,), (pairs,), (pairs, 2), (pairs, 2), (pairs + 1,),
            (windows,), (windows, 2),
        ]  # fmt: skip
        if [part.shape for part in models] != shapes:
            raise Damaged(
                f"the models' parts do not fit {size} words, {pairs} pairs and {windows} triples"
            )
        if [part.dtype.name for part in models] != _KINDS:
            kinds = [part.dtype.name for part in models]
            raise Damaged(f"the models' parts are stored as {kinds}")
        rows = ((models.pair_rows, models.pair_next), (models.window_rows, models.window_next))
        for starts, ids in rows:
            if not rows_cover(starts, len(ids)) or (ids < 0).any() or (ids >= size).any():
                raise Damaged("rows or words of the models are out of range")
        if not all(np.isfinite(part).all() for part in models):
            raise Damaged("a number is not finite")

    @cached_property
    def _pair_keys(self) -> Ids:
        """A number for every pair, rising."""
        return _keys(self.arrays.pair_rows, self.arrays.pair_next, len(self.arrays.unigram))

    @cached_property
    def _window_keys(self) -> Ids:
        return _keys(self.arrays.window_rows, self.arrays.window_next, len(self.arrays.unigram))


def _keys(starts: Ids, nexts: NDArray[np.int32], size: int) -> Ids:
    keys: Ids = np.repeat(np.arange(len(starts) - 1), np.diff(starts)) * size + nexts
    return keys


def _find(keys: Ids, wanted: Ids) -> Ids:
    """Where the wanted lie among rising keys, −1 for those that are not there."""
    at = np.asarray(np.searchsorted(keys, wanted))
    there = np.asarray(at < len(keys))
    there[there] = keys[at[there]] == wanted[there]
    return np.where(there, at, -1)


def _taken(values: NDArray[np.float32], at: Ids, otherwise: Floats | float) -> Floats:
    """values[at], and `otherwise` where `at` is −1."""
    taken = np.array(np.broadcast_to(otherwise, at.shape), np.float64)
    taken[at >= 0] = values[at[at >= 0]]
    return taken
