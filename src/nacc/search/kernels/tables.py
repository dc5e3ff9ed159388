"""A sentence as the searches see it: every term of every summary, looked up once.

A trigram's term depends on three kept words and nothing else. So all terms of a sentence fit into
a table, T[a, b, c] for positions a < b < c (30 words: 4,500 entries), forward and backward added,
and any candidate after that is a sum of table entries; exchanging a word changes six of them. With
the Gram matrix of the word vectors the similarity changes in constant time too. This is why one
core does here what took a GPU with recurrent language models.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from nacc.compiled import kernel
from nacc.ngrams.kneser_ney import TrigramArrays
from nacc.search.kernels.lookup import find, find_pair

_APART = -100.0
"""Added where an ending is kept without the word before it: lower than any headline scores."""


@kernel
def window_table(
    models: TrigramArrays,
    words: NDArray[np.int32],
    penalties: NDArray[np.float64],
    endings: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """T: forward and backward log probability of every window of three positions.

    words: (n,) ids. penalties: (n,) what each word's log probability is lowered by.
    endings: (n,) whether a word is kept only with the one before it.
    """
    n = len(words)
    size = n + 2
    ids = np.zeros(size, np.int32)
    ids[1 : n + 1] = words
    penalty = np.zeros(size)
    penalty[1 : n + 1] = penalties
    pairs, forward, backward = _pair_terms(models, ids)
    table = np.zeros((size, size, size))
    for b in range(1, n + 1):
        table[0, 0, b] = forward[0, b] - penalty[b] + (_APART if endings[b - 1] else 0.0)
        table[b, n + 1, n + 1] = backward[b, n + 1] - penalty[b]
    for a in range(n):
        for b in range(a + 1, n + 1):
            left = pairs[a, b]
            start, end, left_over = 0, 0, 0.0
            if left >= 0:
                start, end = models.window_rows[left], models.window_rows[left + 1]
                left_over = models.pair_left[left, 0]
            for c in range(b + 1, size):
                right = pairs[b, c]
                at = find(models.window_next, start, end, ids[c]) if right >= 0 else -1
                if at >= 0:
                    value = np.float64(models.window[at, 0]) + models.window[at, 1]
                else:
                    value = left_over + forward[b, c] + backward[a, b]
                    if right >= 0:
                        value += models.pair_left[right, 1]
                if c <= n and endings[c - 1] and b != c - 1:
                    value += _APART
                table[a, b, c] = value - penalty[a] - penalty[c]
    return table


@kernel
def _pair_terms(
    models: TrigramArrays, ids: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Of every two positions: which pair they are (−1: not seen), log p(second | first) and
    log p(first | second), backed off where need be."""
    size = len(ids)
    pairs = np.full((size, size), -1, np.int64)
    forward = np.zeros((size, size))
    backward = np.zeros((size, size))
    for i in range(size):
        x = ids[i]
        for j in range(i + 1, size):
            y = ids[j]
            at = find_pair(models, x, y)
            pairs[i, j] = at
            if at >= 0:
                forward[i, j] = models.pair[at, 0]
                backward[i, j] = models.pair[at, 1]
            else:
                forward[i, j] = np.float64(models.unigram_left[x, 0]) + models.unigram[y, 0]
                backward[i, j] = np.float64(models.unigram_left[y, 1]) + models.unigram[x, 1]
    return pairs, forward, backward


@partial(kernel, fastmath=True)
def dot_products(
    weighted: NDArray[np.float32], rows: NDArray[np.int32], unknown_length: float, likeness: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """`dots` and `to_source` of a SearchProblem.

    rows: (n,) the words' vectors; below 0, a number for each word without one. Such a vector is at
    right angles to all others and `unknown_length` long. likeness: the search model's.
    """
    n = len(rows)
    dots = np.zeros((n + 2, n + 2))
    for i in range(n):
        for j in range(i, n):
            dot = np.float32(0)
            if rows[i] >= 0 and rows[j] >= 0:
                for at in range(weighted.shape[1]):
                    dot += weighted[rows[i], at] * weighted[rows[j], at]
            elif rows[i] == rows[j]:
                dot = np.float32(unknown_length * unknown_length)
            share = 1.0 if rows[i] == rows[j] else likeness
            dots[i + 1, j + 1] = dots[j + 1, i + 1] = share * dot
    to_source = dots.sum(axis=1)
    whole = to_source.sum()
    if whole > 0:
        to_source /= np.sqrt(whole)
    return dots, to_source
