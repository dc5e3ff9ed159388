"""The best symbol of every slot, reduced, cut at the last whole word that fits."""

from __future__ import annotations

import numpy as np

from nacc.compiled import kernel
from nacc.decoding.kernels.arrays import Candidates, Path
from nacc.decoding.kernels.paths import path_along


@kernel
def greedy_path(found: Candidates, high: int) -> Path:
    """From the first word that does not fit on, every slot is ε, so that slots, tokens and score
    agree."""
    S = len(found.blank)
    columns, weight, before = np.full(S, -1, np.int32), 0, -1
    for s in range(S):
        best, chosen = found.blank[s], -1
        for k in range(found.counts[s]):
            if found.values[s, k] > best:
                best, chosen = found.values[s, k], k
        word = found.numbers[s, chosen] if chosen >= 0 else -1
        if chosen >= 0 and not (found.merge and word == before):
            weight += found.weights[s, chosen]
            if weight > high:
                weight -= found.weights[s, chosen]
                break
        columns[s], before = chosen, word
    return path_along(found, columns, weight)
