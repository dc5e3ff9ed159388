"""Looking up pairs and windows of trigram models: binary search in a row of rising ids."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nacc.compiled import kernel
from nacc.ngrams.kneser_ney import TrigramArrays


@kernel
def find(ids: NDArray[np.int32], start: int, end: int, wanted: int) -> int:
    """Where `wanted` lies in the rising ids[start:end], or −1."""
    low, high = start, end
    while low < high:
        middle = (low + high) >> 1
        if ids[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < end and ids[low] == wanted else -1


@kernel
def find_pair(models: TrigramArrays, x: int, y: int) -> int:
    """Which pair x y is, −1 if it was not seen."""
    return find(models.pair_next, models.pair_rows[x], models.pair_rows[x + 1], y)
