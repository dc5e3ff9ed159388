"""The bigram values that one lattice can need, as a small table over its own words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from nacc.decoding.arrays import Bytes, Floats, Shorts, Values, Weights, Words
from nacc.decoding.bigrams import BOUNDARY, Coherence
from nacc.decoding.candidates import Candidates


class Pairs(NamedTuple):
    """λ times the value of every pair of words of a lattice.

    local:    (S, K) the candidates as numbers 0..M-1, M being the number of distinct words.
    members:  (M,) the word ids those numbers stand for.
    table:    (M + 1, M + 1) value of (word, next word); number M is the boundary.
    spread:   (M + 1,) how far a word's column rises above its rows' back-off, at most: whatever
              comes before, putting another word in its place costs no more than this.
    row_top:  (M + 1,) the highest value of the word's row, at least 0.
    row_best: (M + 1,) the highest value of the word's row over the whole vocabulary, at least 0.
    """

    local: Words
    members: Words
    table: Values
    spread: Values
    row_top: Values
    row_best: Values

    @property
    def boundary(self) -> int:
        return len(self.members)


def pair_table(found: Candidates, coherence: Coherence) -> Pairs:
    """Look up every pair of the lattice's words."""
    bigrams = coherence.bigrams
    local, members = _number(found.words, found.counts)
    ids = np.append(coherence.ids[members], BOUNDARY)
    table, spread, row_top = _look_up(
        ids, bigrams.rows, bigrams.nexts, bigrams.steps, bigrams.backoff, *bigrams.long_rows,
        bigrams.step, coherence.weight,
    )  # fmt: skip
    row_best = np.where(ids >= 0, bigrams.row_best[ids], 0.0) * coherence.weight
    return Pairs(local, members, table, spread, row_top, np.maximum(row_best, 0.0))


def no_pairs(found: Candidates) -> Pairs:
    """The same for words that do not mind their neighbours."""
    local, members = _number(found.words, found.counts)
    zeros = np.zeros(len(members) + 1)
    return Pairs(local, members, np.zeros((len(zeros), len(zeros))), zeros, zeros, zeros)


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
    backoff: Floats,
    which: Words,
    long_steps: Bytes,
    step: float,
    weight: float,
) -> tuple[Values, Values, Values]:
    M = len(ids)
    table = np.zeros((M, M))
    spread, row_top = np.zeros(M), np.zeros(M)
    # Lattice words by the model's id: the last one, and before each the next with the same id.
    last, same = np.full(len(backoff), -1, np.int32), np.full(M, -1, np.int32)
    lowest = 0.0
    for column in range(M):
        if ids[column] >= 0:
            same[column], last[ids[column]] = last[ids[column]], column
            lowest = min(lowest, weight * backoff[ids[column]])
    for row in range(M):
        word = ids[row]
        if word < 0:
            continue
        line, base, top = table[row], weight * backoff[word], 0.0
        if which[word] >= 0:
            unpacked = long_steps[which[word]]
            for column in range(M):
                above = weight * step * unpacked[max(ids[column], 0)]
                line[column] = base + above
                spread[column] = max(spread[column], above)
                top = max(top, above)
        else:
            line[:] = base
            for at in range(rows[word], rows[word + 1]):
                column = last[nexts[at]]
                while column >= 0:
                    above = weight * step * steps[at]
                    line[column] += above
                    spread[column] = max(spread[column], above)
                    top = max(top, above)
                    column = same[column]
        row_top[row] = max(base + top, 0.0)
    for column in range(M):
        if ids[column] < 0:
            table[:, column] = 0.0
            spread[column] = -lowest
    spread[M - 1] = max(spread[M - 1], -table[M - 1, M - 1])
    table[M - 1, M - 1] = 0.0  # nothing emitted, no pair
    return table, spread, row_top
