"""What the paths that a coherent decoder did not look at could have scored, at most."""

from __future__ import annotations

import numpy as np

from nacc.compiled import kernel
from nacc.decoding.kernels.arrays import Candidates, Pairs, Values


@kernel
def best_elsewhere(found: Candidates, pairs: Pairs, rest: Values, pair_best: float) -> float:
    """No path with a word that is not among the candidates scores higher than this.

    As Candidates.elsewhere, every word being followed as well as it can be anywhere; no pair is
    worth more than `pair_best`.
    """
    total, loss = pairs.row_best[-1], np.inf
    for s in range(len(found.blank)):
        other = rest[s] + pair_best
        top = max(found.blank[s], other)
        for k in range(found.counts[s]):
            top = max(top, found.values[s, k] + pairs.row_best[found.numbers[s, k]])
        total += top
        if other > -np.inf:
            loss = min(loss, top - other)
    return total - loss if loss < np.inf else -np.inf


@kernel
def best_cut_off(found: Candidates, pairs: Pairs, cut: Values) -> float:
    """No path through a state that the beam cut off scores higher than this.

    Every slot before the state at its best, every word followed as well as it can be here.
    """
    before, most = pairs.row_top[-1], -np.inf
    for s in range(len(found.blank)):
        if cut[s] > -np.inf:
            most = max(most, cut[s] + before)
        top = found.blank[s]
        for k in range(found.counts[s]):
            top = max(top, found.values[s, k] + pairs.row_top[found.numbers[s, k]])
        before += top
    return most
