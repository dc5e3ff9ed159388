"""Word vectors for comparing a summary with its source, weighted by inverse document frequency.

Trained as sent2vec does without its n-grams: each word of a sentence is told from words drawn at
random by the mean vector of all the others. The whole sentence being the context, its sum is
formed once, and a word costs the same however long the sentence is.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import NDArray

from nacc.errors import InvalidInput
from nacc.ngrams.bigrams import most_frequent

_NEGATIVES = 10
_RATE = 0.05
_FREQUENT = 1e-4  # words above this share are learned from less often
_TABLE = 2**22


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
        words, stream, ends = _number(sentences, vocabulary_size, min_count)
        if not words:
            raise InvalidInput("no sentence to train word vectors on")
        counts = np.bincount(stream, minlength=len(words))
        share = counts / counts.sum()
        learned = np.minimum(1.0, np.sqrt(_FREQUENT / share) + _FREQUENT / share)
        drawn = np.cumsum(np.sqrt(share))
        points = np.linspace(0.0, drawn[-1], _TABLE, endpoint=False)
        table = np.searchsorted(drawn, points, side="right").astype(np.int32)
        rng = np.random.default_rng(seed)
        inside = (rng.random((len(words), dimension), np.float32) - 0.5) / dimension
        outside = np.zeros_like(inside)
        total = epochs * len(ends)
        chunk = 10_000
        for done in range(0, total, chunk):
            at = done % len(ends)
            last = min(at + chunk, len(ends))
            rate = _RATE * (1.0 - done / total)
            _learn(stream, ends, at, last, inside, outside, table, learned, rate, seed + done)
            told(min(done + chunk, total), total)
        lengths = np.sqrt((inside**2).sum(axis=1, keepdims=True))
        unit = inside / np.maximum(lengths, 1e-12)
        idf = _idf(stream, ends, len(words))
        weighted = (unit * idf[:, None]).astype(np.float16).astype(np.float32)
        return cls(words, weighted, float(idf.max()))

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


def _number(
    sentences: Iterable[Sequence[str]], vocabulary_size: int, min_count: int
) -> tuple[tuple[str, ...], NDArray[np.int32], NDArray[np.int64]]:
    """The most frequent words, the sentences as one stream of known words, where each ends."""
    numbering: dict[str, int] = {}
    raw, ends = array("i"), array("q")
    for sentence in sentences:
        raw.extend([numbering.setdefault(word, len(numbering)) for word in sentence])
        ends.append(len(raw))
    stream = np.frombuffer(raw, np.int32) if raw else np.empty(0, np.int32)
    seen = list(numbering)
    counts = np.bincount(stream, minlength=len(seen))
    order = most_frequent(seen, counts, vocabulary_size, min_count)
    renumbered = np.full(len(seen), -1, np.int32)
    renumbered[order] = np.arange(len(order))
    stream = renumbered[stream]
    known_before = np.concatenate([[0], np.cumsum(stream >= 0)])
    return (
        tuple(seen[i] for i in order),
        stream[stream >= 0],
        known_before[np.frombuffer(ends, np.int64)] if ends else np.empty(0, np.int64),
    )


@njit(cache=True, nogil=True)
def _idf(stream: NDArray[np.int32], ends: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """log(sentences / sentences with the word)."""
    holding = np.zeros(size)
    last_in = np.full(size, -1)
    start = 0
    for sentence in range(len(ends)):
        for at in range(start, ends[sentence]):
            if last_in[stream[at]] != sentence:
                last_in[stream[at]] = sentence
                holding[stream[at]] += 1
        start = ends[sentence]
    return np.log(max(len(ends), 2) / np.maximum(holding, 1.0))


@njit(cache=True, nogil=True, fastmath=True)
def _learn(
    stream: NDArray[np.int32],
    ends: NDArray[np.int64],
    first: int,
    last: int,
    inside: NDArray[np.float32],
    outside: NDArray[np.float32],
    table: NDArray[np.int32],
    learned: NDArray[np.float64],
    rate: float,
    seed: int,
) -> None:
    """One pass over sentences first..last−1."""
    np.random.seed(seed)
    dimension = inside.shape[1]
    total = np.empty(dimension, np.float32)
    mean = np.empty(dimension, np.float32)
    step = np.empty(dimension, np.float32)
    steps = np.empty(dimension, np.float32)
    step_rate = np.float32(rate)
    for sentence in range(first, last):
        start = ends[sentence - 1] if sentence else 0
        size = ends[sentence] - start
        if size < 2:
            continue
        total[:] = 0
        steps[:] = 0
        for at in range(start, start + size):
            total += inside[stream[at]]
        share = np.float32(1.0 / (size - 1))
        for at in range(start, start + size):
            word = stream[at]
            if np.random.random() > learned[word]:
                continue
            own = inside[word]
            for i in range(dimension):
                mean[i] = (total[i] - own[i]) * share
                step[i] = 0
            for draw in range(_NEGATIVES + 1):
                other = word if draw == 0 else table[np.random.randint(_TABLE)]
                if draw and other == word:
                    continue
                row = outside[other]
                dot = np.float32(0)
                for i in range(dimension):
                    dot += mean[i] * row[i]
                wanted = np.float32(1.0 if draw == 0 else 0.0)
                error = step_rate * (wanted - np.float32(1) / (np.float32(1) + np.exp(-dot)))
                for i in range(dimension):
                    step[i] += error * row[i]
                    row[i] += error * mean[i]
            for i in range(dimension):
                steps[i] += step[i]
                own[i] -= step[i]  # it is no context of its own
        for at in range(start, start + size):
            inside[stream[at]] += steps
