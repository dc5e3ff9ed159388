"""A made-up language and lattices in it, for benchmarks that need no data and no model.

What matters to a decoder is kept: word lengths and frequencies as in English, a few words that
follow one another far more often than chance, slots that mostly want ε, distributions with one or
two strong words, and words that are candidates in several neighbouring slots.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nacc import Bigrams, Lattice

WORDS = 20_000
FAVOURITES = 12
KEPT = 0.3  # of the source's words belong into the headline


@dataclass(frozen=True)
class Sentence:
    """A lattice over its own words 0..M-1, their weights (characters + 1) and bigram ids."""

    lattice: Lattice
    weights: NDArray[np.int64]
    ids: NDArray[np.int32]


class Language:
    """Words by falling frequency (Zipf), each with a few favourite next words."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)
        share = 1.0 / np.arange(5, WORDS + 5)
        self.cumulative = np.cumsum(share / share.sum())
        typical = np.clip(2.0 + np.log10(np.arange(1, WORDS + 1)) * 1.4, 2.0, 8.0)
        self.lengths = np.clip(self.rng.gamma(9.0, typical / 9.0).round(), 1, 18).astype(np.int64)
        self.favourites = self.draw(WORDS * FAVOURITES).reshape(WORDS, FAVOURITES)

    def draw(self, count: int) -> NDArray[np.int64]:
        drawn = np.searchsorted(self.cumulative, self.rng.random(count))
        return np.minimum(drawn, WORDS - 1)

    def text(self, count: int) -> NDArray[np.int64]:
        """`count` words, every other of them a favourite of the word before."""
        words = self.draw(count)
        follows = self.rng.random(count) < 0.5
        pick = self.rng.integers(0, FAVOURITES, count)
        for at in np.flatnonzero(follows[1:]) + 1:
            words[at] = self.favourites[words[at - 1], pick[at]]
        return words

    def bigrams(self, headlines: int = 200_000, length: int = 9) -> Bigrams:
        text = self.text(headlines * length).astype(str).reshape(headlines, length)
        return Bigrams.train(text.tolist(), vocabulary_size=WORDS, min_count=2)

    def sentence(self, slots: int, top_k: int, bigrams: Bigrams) -> Sentence:
        source = self.text(slots)
        kept = self.rng.random(slots) < KEPT
        rows = [self._slot(source, kept, slot, top_k) for slot in range(slots)]
        names, local = np.unique([words for words, _, _, _ in rows], return_inverse=True)
        lattice = Lattice(
            local.reshape(slots, top_k),
            np.array([values for _, values, _, _ in rows]),
            np.array([blank for _, _, blank, _ in rows]),
            np.array([rest for _, _, _, rest in rows]),
        )
        return Sentence(lattice, self.lengths[names] + 1, bigrams.ids(names.astype(str).tolist()))

    def linked_sentence(self, words: int, top_k: int, bigrams: Bigrams) -> Sentence:
        """Two slots a word, without ε, whose links favour a jump as long as headlines make."""
        found = self.sentence(2 * words, top_k, bigrams)
        lattice, slots = found.lattice, 2 * words
        jump = max(slots / 9, 1.0)
        at = np.arange(slots + 1)
        links = self.rng.normal(0.0, 1.5, (slots + 1, slots + 1))
        links -= np.abs(at[None, :] - (at[:, None] - 1) - jump) / 2  # row i is slot i - 1
        links[np.tri(slots + 1, k=-1, dtype=bool)] = -np.inf
        links -= np.logaddexp.reduce(links, axis=1, keepdims=True)
        said = np.log1p(-np.exp(lattice.blank))
        blank = np.full(slots, -np.inf)
        linked = Lattice(
            lattice.words, lattice.values - said[:, None], blank, lattice.rest - said,
            at[:-1] // 2, links,
        )  # fmt: skip
        return Sentence(linked, found.weights, found.ids)

    def _slot(
        self, source: NDArray[np.int64], kept: NDArray[np.bool_], slot: int, top_k: int
    ) -> tuple[list[int], NDArray[np.float64], float, float]:
        """One slot: source words near by, words that like to follow, and any words."""
        rng, scores = self.rng, dict[int, float]()
        near = range(max(0, slot - 3), min(len(source), slot + 4))
        for at in near:
            bonus = 1.5 if kept[at] else -1.0
            scores[int(source[at])] = bonus - 1.5 * abs(at - slot) + rng.normal()
        others = [*self.favourites[source[max(0, slot - 1)]], *self.draw(3 * top_k)]
        for word, score in zip(others, rng.normal(-3.5, 1.3, len(others)), strict=True):
            scores[int(word)] = max(score, scores.get(int(word), -np.inf))
        words = sorted(scores, key=lambda word: -scores[word])
        blank = rng.normal(0.5, 1.2) if kept[slot] else rng.normal(3.5, 1.2)
        values = np.array([blank, *(scores[word] for word in words)])
        values -= np.log(np.exp(values).sum())
        return words[:top_k], values[1 : top_k + 1], values[0], values[top_k + 1]
