"""Looking up every pair of a lattice's words in a bigram model, and marking the adjacent ones."""

from __future__ import annotations

import numpy as np

from nacc.compiled import kernel
from nacc.decoding.kernels.arrays import Bytes, Pairs, Shorts, Values, Weights, Words

ADJACENT = 256  # beyond what a model's steps reach


@kernel
def look_up(
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


@kernel
def worth_of_steps(unit: float, bonus: float) -> Values:
    """Pairs.worth, given what one step is worth and what an adjacent pair is."""
    worth = np.empty(2 * ADJACENT)
    for units in range(ADJACENT):
        worth[units] = unit * units
        worth[ADJACENT + units] = unit * units + bonus
    return worth


@kernel
def mark_adjacent(pairs: Pairs, adjacent: Words, members: Words, vocabulary: int) -> None:
    """Mark the adjacent pairs in `steps`, and raise the bounds that they exceed.

    adjacent: (pairs, 2) word ids below `vocabulary`; members: as in Candidates.
    """
    numbers = np.full(vocabulary, -1, np.int32)
    for number in range(len(members)):
        numbers[members[number]] = number
    for at in range(len(adjacent)):
        word, following = numbers[adjacent[at, 0]], numbers[adjacent[at, 1]]
        if word >= 0 and following >= 0:
            pairs.steps[word, following] |= ADJACENT
            worth = pairs.worth[pairs.steps[word, following]]
            value = pairs.base[word] * pairs.known[following] + worth
            pairs.row_top[word] = max(pairs.row_top[word], value)
            pairs.spread[following] = max(pairs.spread[following], value - pairs.base[word])
