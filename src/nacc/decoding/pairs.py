"""What every pair of one lattice's words is worth, as a small table over those words."""

from __future__ import annotations

import numpy as np

from nacc.decoding.coherence import Coherence
from nacc.decoding.kernels.arrays import Candidates, Pairs, Values
from nacc.decoding.kernels.pairs import look_up, mark_adjacent, worth_of_steps
from nacc.ngrams.bigrams import BOUNDARY


def pair_table(found: Candidates, coherence: Coherence) -> Pairs:
    """Look up every pair of the lattice's words."""
    bigrams = coherence.bigrams
    ids = np.append(coherence.ids[found.members], BOUNDARY)
    unit = coherence.weight * bigrams.step
    base = coherence.weight * np.where(ids >= 0, bigrams.backoff[ids].astype(np.float64), 0.0)
    steps, spread, row_top = look_up(
        ids, bigrams.rows, bigrams.nexts, bigrams.steps, *bigrams.long_rows, unit, base
    )
    row_best = np.maximum(np.where(ids >= 0, bigrams.row_best[ids], 0.0) * coherence.weight, 0.0)
    worth = worth_of_steps(unit, float(coherence.adjacency))
    pairs = Pairs(steps, worth, base, (ids >= 0).astype(np.float64), spread, row_top, row_best)
    if coherence.adjacency > 0:
        mark_adjacent(pairs, coherence.adjacent, found.members, len(coherence.ids))
        row_best[:-1] += coherence.adjacency  # also before source words that are no candidates
    return pairs


def pair_values(pairs: Pairs) -> Values:
    """(M + 1, M + 1) all values; none for the boundary after itself, where nothing was emitted."""
    values: Values = pairs.base[:, None] * pairs.known + pairs.worth[pairs.steps]
    values[-1, -1] = 0.0
    return values
