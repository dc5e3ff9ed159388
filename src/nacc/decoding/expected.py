"""What words and pairs of words are worth that the whole lattice expects."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from nacc.errors import InvalidInput


@dataclass(frozen=True)
class Expected:
    """Minimum risk inside the recursion: the answer is to share much with all that is likely.

    With p(u) the probability that a path passes slot u, c(w) = Σ p(u) P(w|u) is how often the word
    w is expected, and c(a, b) = Σ p(u) P(a|u) E[u, v] P(b|v) how often b comes right after a.

    words: η; each word said adds η · min(1, c(w)) to the score.
    pairs: η₂; two neighbours add η₂ · min(1, c(a, b)), unless c(a, b), c(a) or c(b) is below
           kernels.linked.SELDOM.
    """

    words: float = 2.0
    pairs: float = 3.0

    def __post_init__(self) -> None:
        for name in ("words", "pairs"):
            value = getattr(self, name)
            if not (isfinite(value) and value >= 0):
                raise InvalidInput(f"Expected.{name} = {value} must be a number of at least 0")
