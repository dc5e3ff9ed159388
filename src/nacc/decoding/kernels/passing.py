"""How probably paths over linked slots pass each of them."""

from __future__ import annotations

from nacc.compiled import kernel
from nacc.decoding.kernels.arrays import Values


@kernel
def passed(likely: Values) -> Values:
    """How probably a path passes each slot, given the probabilities of links."""
    S = len(likely) - 1
    passing = likely[0, :S].copy()
    for s in range(S):
        for later in range(s + 1, S):
            passing[later] += passing[s] * likely[s + 1, later]
    return passing
