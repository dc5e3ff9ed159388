"""What the paths that a coherent decoder did not look at could have scored, at most."""

from __future__ import annotations

import numpy as np
from numba import njit

from nacc.decoding.arrays import Values, Weights, Words
from nacc.decoding.candidates import Candidates
from nacc.decoding.coherence import Coherence
from nacc.decoding.pairs import Pairs
from nacc.lattice import Lattice


def best_elsewhere(
    found: Candidates, lattice: Lattice, pairs: Pairs, coherence: Coherence
) -> float:
    """No path with a word that is not among the candidates scores higher than this."""
    return _elsewhere(
        found.values, found.counts, lattice.blank, lattice.rest, pairs.local, pairs.row_best,
        coherence.weight * max(coherence.bigrams.best, 0.0) + coherence.adjacency,
    )  # fmt: skip


def best_cut_off(found: Candidates, pairs: Pairs, lattice: Lattice, cut: Values) -> float:
    """No path through a state that the beam cut off scores higher than this."""
    if cut.max(initial=-np.inf) == -np.inf:
        return -np.inf
    return _cut_off(found.values, found.counts, lattice.blank, pairs.local, pairs.row_top, cut)


@njit(nogil=True, cache=True)
def _elsewhere(
    values: Values,
    counts: Weights,
    blank: Values,
    rest: Values,
    local: Words,
    row_best: Values,
    pair_best: float,
) -> float:
    """As Candidates.elsewhere, every word being followed as well as it can be anywhere."""
    ceiling, loss = row_best[-1], np.inf
    for s in range(len(blank)):
        other = rest[s] + pair_best
        top = max(blank[s], other)
        for k in range(counts[s]):
            top = max(top, values[s, k] + row_best[local[s, k]])
        ceiling += top
        if other > -np.inf:
            loss = min(loss, top - other)
    return ceiling - loss if loss < np.inf else -np.inf


@njit(nogil=True, cache=True)
def _cut_off(
    values: Values, counts: Weights, blank: Values, local: Words, row_top: Values, cut: Values
) -> float:
    """Every slot before the state at its best, every word followed as well as it can be here."""
    before, most = row_top[-1], -np.inf
    for s in range(len(blank)):
        if cut[s] > -np.inf:
            most = max(most, cut[s] + before)
        top = blank[s]
        for k in range(counts[s]):
            top = max(top, values[s, k] + row_top[local[s, k]])
        before += top
    return most
