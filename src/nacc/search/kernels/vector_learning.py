"""Learning word vectors: the inner loops."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nacc.compiled import kernel

_NEGATIVES = 10


class WordStream(NamedTuple):
    """Known words one after the other, and where each sentence ends among them."""

    stream: NDArray[np.int32]
    ends: NDArray[np.int64]


class Lesson(NamedTuple):
    """What is learnt and how.

    inside:  (words, dimension) the vectors; outside: (words, dimension) what tells a word's place
             from its context's vectors.
    drawn:   words in the proportion in which they are drawn at random.
    learned: (words,) how likely an occurrence of a word is to be learnt from.
    """

    inside: NDArray[np.float32]
    outside: NDArray[np.float32]
    drawn: NDArray[np.int32]
    learned: NDArray[np.float64]


@kernel
def inverse_document_frequency(words: WordStream, size: int) -> NDArray[np.float64]:
    """log(sentences / sentences with the word)."""
    stream, ends = words
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


@partial(kernel, fastmath=True)
def learn(words: WordStream, lesson: Lesson, first: int, last: int, rate: float, seed: int) -> None:
    """One pass over sentences first..last−1."""
    np.random.seed(seed)
    stream, ends = words
    inside, outside, drawn, learned = lesson
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
                other = word if draw == 0 else drawn[np.random.randint(len(drawn))]
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
