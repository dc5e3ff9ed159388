"""What workers and device hand each other: rows of numbers, and the words that were chosen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nacc.gpu.candidates import Numbers

BUCKETS = (
    (16, 24), (20, 32), (24, 32), (28, 40), (32, 48), (36, 48), (40, 56), (44, 56), (48, 64),
    (56, 72), (64, 88), (80, 136), (80, 512),
)  # fmt: skip
"""Words and pieces that sentences are padded to: batches of a few shapes, known beforehand, and
chosen so that news sentences are padded little."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Sentences of one shape: which of a lot they are, and their numbers, a row each. Below 0 are
    windows (`article`), which are read to choose a sentence: no answer to them is asked for."""

    bucket: int
    which: list[int]
    packed: Numbers


@dataclass(frozen=True, eq=False)
class Chosen:
    """What came of some sentences of a lot: (n, T) words and their slots, −1 past the end, and
    (n, 2) score and expected share; a row whose first word is −1 was not settled."""

    which: list[int]
    symbols: Numbers
    slots: Numbers
    figures: NDArray[np.float32]
