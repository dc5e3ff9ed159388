"""Word vectors for comparing a summary with its source, weighted by inverse document frequency.

Trained as sent2vec does without its n-grams: each word of a sentence is told from words drawn at
random by the mean vector of all the others. The whole sentence being the context, its sum is
formed once, and a word costs the same however long the sentence is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nacc.errors import InvalidInput
from nacc.ngrams.archive import Damaged
from nacc.ngrams.counting import NumberedTexts, numbered
from nacc.search.kernels.vector_learning import (
    Lesson,
    WordStream,
    inverse_document_frequency,
    learn,
)

_RATE = 0.05
_FREQUENT = 1e-4  # words above this share are learned from less often
_DRAWN = 2**22
_CHUNK = 10_000


@dataclass(frozen=True, eq=False)
class Vectors:
    """Of each known word its vector, scaled to length 1 and multiplied by the word's idf.

    A word without a vector is unlike all others; its vector is `unknown_length` long.
    """

    words: tuple[str, ...]
    weighted: NDArray[np.float32]
    unknown_length: float

    @classmethod
    def train(
        cls,
        sentences: Iterable[Sequence[str]],
        *,
        dimension: int = 200,
        vocabulary_size: int = 100_000,
        min_count: int = 5,
        epochs: int = 2,
        seed: int = 0,
        told: Callable[[int, int], None] = lambda done, total: None,
    ) -> Vectors:
        """Learn from sentences of keys; `told` hears how many of how many sentences are done."""
        if dimension < 1 or epochs < 1:
            raise InvalidInput(f"dimension = {dimension} and epochs = {epochs} must be at least 1")
        texts = numbered(sentences, most=vocabulary_size, least=min_count)
        if not texts.words:
            raise InvalidInput("no sentence to train word vectors on")
        known = _known_words(texts)
        lesson = _lesson(np.bincount(known.stream, minlength=len(texts.words)), dimension, seed)
        total = epochs * len(known.ends)
        for done in range(0, total, _CHUNK):
            at = done % len(known.ends)
            last = min(at + _CHUNK, len(known.ends))
            learn(known, lesson, at, last, _RATE * (1.0 - done / total), seed + done)
            told(min(done + _CHUNK, total), total)
        lengths = np.sqrt((lesson.inside**2).sum(axis=1, keepdims=True))
        unit = lesson.inside / np.maximum(lengths, 1e-12)
        idf = inverse_document_frequency(known, len(texts.words))
        weighted = (unit * idf[:, None]).astype(np.float16).astype(np.float32)
        return cls(texts.words, weighted, float(idf.max()))

    @cached_property
    def index(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def ids(self, keys: Sequence[str]) -> NDArray[np.int32]:
        """The rows of keys; for those without a vector a number below 0, the same for the same."""
        strangers: dict[str, int] = {}
        find = self.index.get
        found = [find(word, -1) for word in keys]
        for i, row in enumerate(found):
            if row < 0:
                found[i] = strangers.setdefault(keys[i], -1 - len(strangers))
        return np.array(found, np.int32)

    def check(self) -> None:
        """Raise Damaged unless all holds that comparing relies on."""
        if self.weighted.ndim != 2 or len(self.weighted) != len(self.words):
            raise Damaged(f"{self.weighted.shape} vectors for {len(self.words)} words")
        if not (np.isfinite(self.weighted).all() and np.isfinite(self.unknown_length)):
            raise Damaged("a number is not finite")


def _known_words(texts: NumberedTexts) -> WordStream:
    known = texts.stream >= 0
    before = np.concatenate([[0], np.cumsum(known)])
    return WordStream(texts.stream[known], before[texts.ends])


def _lesson(counts: NDArray[np.int64], dimension: int, seed: int) -> Lesson:
    """Small random vectors, and how often each word is drawn and learnt from."""
    share = counts / counts.sum()
    learned = np.minimum(1.0, np.sqrt(_FREQUENT / share) + _FREQUENT / share)
    upto = np.cumsum(np.sqrt(share))
    points = np.linspace(0.0, upto[-1], _DRAWN, endpoint=False)
    drawn = np.searchsorted(upto, points, side="right").astype(np.int32)
    rng = np.random.default_rng(seed)
    inside = rng.random((len(counts), dimension), np.float32)
    inside -= 0.5
    inside /= dimension
    return Lesson(inside, np.zeros_like(inside), drawn, learned)
