"""What the searches are given of a sentence.

Positions are 1..n; 0 stands before and n + 1 after the sentence.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class SearchProblem(NamedTuple):
    """What to choose from, and how much.

    table:     (n + 2)³, the terms of windows of three positions.
    dots:      (n + 2)², dot products of the words' weighted vectors, 0 for positions 0 and n + 1.
    to_source: (n + 2,) the same with the source's sum, scaled to length 1.
    costs:     (n + 2,) the characters a word takes, a space included.
    words:     how many words to keep; 0 if the costs are to stay within `budget`.
    """

    table: NDArray[np.float64]
    dots: NDArray[np.float64]
    to_source: NDArray[np.float64]
    costs: NDArray[np.int64]
    words: int
    budget: int
    weight_lm: float
    weight_sim: float
