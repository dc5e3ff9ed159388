"""What every pair of one lattice's words is worth, as a small table over those words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from nacc.decoding.arrays import Bytes, Shorts, Values, Weights, Words
from nacc.decoding.candidates import Candidates
from nacc.decoding.coherence import Coherence
from nacc.ngrams.bigrams import BOUNDARY

ADJACENT = 256  # beyond what a model's steps reach


class Pairs(NamedTuple):
    """λ times the bigram value of every pair of words of a lattice, plus γ if it is adjacent.

    local:    (S, K) the candidates as numbers 0..M-1, M being the number of distinct words.
    members:  (M,) the word ids those numbers stand for; number M is the boundary.
    steps:    (M + 1, M + 1) how many units a pair (word, next word) lies above its row's base, in
              the low eight bits; the ninth (ADJACENT) is set if the words are so in the source.
    worth:    (512,) what so many units are worth, and γ more where the pair is adjacent.
    base, known: (M + 1,) a pair's value is base[word] · known[next word] + worth[steps[word, next
              word]]; known is 1 if the model knows the word, and 0 if not.
    spread:   (M + 1,) how far a word's column rises above its rows' back-off, at most: whatever
              comes before, putting another word in its place costs no more than this.
    row_top:  (M + 1,) the highest value of the word's row, at least 0.
    row_best: (M + 1,) the highest value of the word's row over the whole vocabulary, at least 0.
    """

    local: Words
    members: Words
    steps: Shorts
    worth: Values
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
        table = self.base[:, None] * self.known + self.worth[self.steps]
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
    row_best = np.maximum(np.where(ids >= 0, bigrams.row_best[ids], 0.0) * coherence.weight, 0.0)
    known = (ids >= 0).astype(np.float64)
    worth = _worth(unit, float(coherence.adjacency))
    if coherence.adjacency > 0:
        size = len(coherence.ids)
        _mark(coherence.adjacent, size, members, steps, worth, base, known, spread, row_top)
        row_best[:-1] += coherence.adjacency  # also before source words that are no candidates
    return Pairs(local, members, steps, worth, base, known, spread, row_top, row_best)


def no_pairs(found: Candidates) -> Pairs:
    """The same for words that do not mind their neighbours."""
    local, members = _number(found.words, found.counts)
    size = len(members) + 1
    zeros, steps = np.zeros(size), np.zeros((size, size), np.uint16)
    return Pairs(local, members, steps, np.zeros(1), zeros, zeros, zeros, zeros, zeros)


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
) -> tuple[Shorts, Values, Values]:
    """Steps of all pairs, spread and row_top, as in Pairs; none of them adjacent yet."""
    M = len(ids)
    table = np.zeros((M, M), np.uint16)
    highest, row_highest = np.zeros(M, np.uint16), np.zeros(M, np.uint16)
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


@njit(nogil=True, cache=True)
def _worth(unit: float, bonus: float) -> Values:
    """As in Pairs."""
    worth = np.empty(2 * ADJACENT)
    for units in range(ADJACENT):
        worth[units] = unit * units
        worth[ADJACENT + units] = unit * units + bonus
    return worth


@njit(nogil=True, cache=True)
def _mark(
    adjacent: Words,
    vocabulary: int,
    members: Words,
    steps: Shorts,
    worth: Values,
    base: Values,
    known: Values,
    spread: Values,
    row_top: Values,
) -> None:
    """Mark the adjacent pairs in `steps`, and raise the bounds that they exceed."""
    numbers = np.full(vocabulary, -1, np.int32)
    for number in range(len(members)):
        numbers[members[number]] = number
    for at in range(len(adjacent)):
        word, following = numbers[adjacent[at, 0]], numbers[adjacent[at, 1]]
        if word >= 0 and following >= 0:
            steps[word, following] |= ADJACENT
            value = base[word] * known[following] + worth[steps[word, following]]
            row_top[word] = max(row_top[word], value)
            spread[following] = max(spread[following], value - base[word])
