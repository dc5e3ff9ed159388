"""What all decoders do at the end: pick a weight, and write down the path that has it."""

from __future__ import annotations

import numpy as np

from nacc.compiled import kernel
from nacc.decoding.kernels.arrays import Candidates, Path, Paths, Values, Words
from nacc.lattice import NO_WORD


@kernel
def no_paths(n: int, slots: int) -> Paths:
    """Room for n paths: all ε, and none reached yet."""
    return Paths(
        np.full((n, slots), NO_WORD, np.int32),
        np.zeros((n, slots), np.int32),
        np.zeros(n, np.int64),
        np.zeros(n),
        np.zeros(n, np.int64),
        np.zeros(n, np.bool_),
    )


@kernel
def path_along(found: Candidates, columns: Words, weight: int) -> Path:
    """The path that takes these candidates (-1: ε), given what its words weigh."""
    S = len(columns)
    symbols, starts = np.full(S, NO_WORD, np.int32), np.empty(S, np.int32)
    emitted, score, before = 0, 0.0, -1
    for s in range(S):
        k = columns[s]
        word = found.numbers[s, k] if k >= 0 else -1
        score += found.values[s, k] if k >= 0 else found.blank[s]
        if k >= 0:
            symbols[s] = found.members[word]
            if not (found.merge and word == before):
                starts[emitted] = s
                emitted += 1
        before = word
    return Path(symbols, starts, emitted, score, weight)


@kernel
def pick(totals: Values, low: int, high: int) -> int:
    """The best weight in [low, high] (the lightest of equals), else the heaviest below, else -1.

    totals: the score of the best path of every weight.
    """
    best, at = -np.inf, -1
    for x in range(min(low, len(totals)), min(high + 1, len(totals))):
        if totals[x] > best:
            best, at = totals[x], x
    if at < 0:
        for x in range(min(low, len(totals)) - 1, -1, -1):
            if totals[x] > -np.inf:
                return x
    return at
