"""The bigram values that one lattice can need, as a small table over its own words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from nacc.decoding.arrays import Bytes, Shorts, Values, Weights, Words
from nacc.decoding.bigrams import BOUNDARY, Coherence
from nacc.decoding.candidates import Candidates


class Pairs(NamedTuple):
    """λ times the value of every pair of words of a lattice.

    local:    (S, K) the candidates as numbers 0..M-1, M being the number of distinct words.
    members:  (M,) the word ids those numbers stand for; number M is the boundary.
    steps:    (M + 1, M + 1) how many units a pair (word, next word) lies above its row's base.
    unit, base: the pair's value is base[word] + unit · steps[word, next word], …
    known:    (M + 1,) … if the model knows the next word (1), and 0 if not (0).
    spread:   (M + 1,) how far a word's column rises above its rows' back-off, at most: whatever
              comes before, putting another word in its place costs no more than this.
    row_top:  (M + 1,) the highest value of the word's row, at least 0.
    row_best: (M + 1,) the highest value of the word's row over the whole vocabulary, at least 0.
    """

    local: Words
    members: Words
    steps: Bytes
    unit: float
    base: Values
    known: Values
    spread: Values
    row_top: Values
    row_best: Values

    @property
    def boundary(self) -> int:
        return len(self.members)

    @property
    def table(self) -> Values:
        """All values; none for the boundary after itself, where nothing was emitted."""
        table = self.base[:, None] * self.known + self.unit * self.steps
        table[-1, -1] = 0.0
        return table


def pair_table(found: Candidates, coherence: Coherence) -> Pairs:
    """Look up every pair of the lattice's words."""
    bigrams = coherence.bigrams
    local, members = _number(found.words, found.counts)
    ids = np.append(coherence.ids[members], BOUNDARY)
    unit = coherence.weight * bigrams.step
    base = coherence.weight * np.where(ids >= 0, bigrams.backoff[ids].astype(np.float64), 0.0)
    steps, spread, row_top = _look_up(
        ids, bigrams.rows, bigrams.nexts, bigrams.steps, *bigrams.long_rows, unit, base
    )
    row_best = np.where(ids >= 0, bigrams.row_best[ids], 0.0) * coherence.weight
    known = (ids >= 0).astype(np.float64)
    return Pairs(
        local, members, steps, unit, base, known, spread, row_top, np.maximum(row_best, 0.0)
    )


def no_pairs(found: Candidates) -> Pairs:
    """The same for words that do not mind their neighbours."""
    local, members = _number(found.words, found.counts)
    size = len(members) + 1
    zeros, steps = np.zeros(size), np.zeros((size, size), np.uint8)
    return Pairs(local, members, steps, 0.0, zeros, zeros, zeros, zeros, zeros)


@njit(nogil=True, cache=True)
def _number(words: Words, counts: Weights) -> tuple[Words, Words]:
    """Number distinct words in order of appearance, by a hash table of their own size."""
    S, K = words.shape
    size = 16
    while size < 2 * S * K:
        size *= 2
    table = np.full(size, -1, np.int32)
    local = np.zeros((S, K), np.int32)
    members = np.empty(S * K, np.int32)
    count = 0
    for s in range(S):
        for k in range(counts[s]):
            word = words[s, k]
            at = (word * 40503) & (size - 1)
            while table[at] >= 0 and members[table[at]] != word:
                at = (at + 1) & (size - 1)
            if table[at] < 0:
                table[at] = count
                members[count] = word
                count += 1
            local[s, k] = table[at]
    return local, members[:count]


@njit(nogil=True, cache=True)
def _look_up(
    ids: Words,
    rows: Weights,
    nexts: Shorts,
    steps: Bytes,
    which: Words,
    long_steps: Bytes,
    unit: float,
    base: Values,
) -> tuple[Bytes, Values, Values]:
    """Steps of all pairs, spread and row_top, as in Pairs."""
    M = len(ids)
    table = np.zeros((M, M), np.uint8)
    highest, row_highest = np.zeros(M, np.uint8), np.zeros(M, np.uint8)
    # Lattice words by the model's id: the last one, and before each the next with the same id.
    last, same = np.full(len(which), -1, np.int32), np.full(M, -1, np.int32)
    for column in range(M):
        if ids[column] >= 0:
            same[column], last[ids[column]] = last[ids[column]], column
    for row in range(M):
        word, line = ids[row], table[row]
        if word < 0:
            continue
        if which[word] >= 0:
            unpacked = long_steps[which[word]]
            for column in range(M):
                if ids[column] >= 0:
                    line[column] = unpacked[ids[column]]
        else:
            for at in range(rows[word], rows[word + 1]):
                column = last[nexts[at]]
                while column >= 0:
                    line[column] = steps[at]
                    column = same[column]
        for column in range(M):
            highest[column] = max(highest[column], line[column])
        row_highest[row] = line.max()
    spread: Values = unit * highest.astype(np.float64)
    row_top: Values = np.maximum(base + unit * row_highest, 0.0)
    for column in range(M):
        if ids[column] < 0:  # 0 in every row, hence above it by its base
            spread[column] = -base.min()
    spread[-1] = max(spread[-1], -base[-1])  # nothing emitted: 0 in the boundary's row
    return table, spread, row_top
