"""What every decoder returns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Decoded:
    """The best path a decoder found through a lattice.

    tokens:    the reduced words Γ(w), as word ids.
    slots:     the symbol of every slot. ε is the `blank` id where the decoder was given an array
               of log-probabilities, and NO_WORD (−1) where it was given a Lattice.
    score:     the objective: Σ log-probability over slots, plus Coherence.value where it counts;
               of linked slots, the log-probability of the path, plus what Expected adds.
    weight:    the weight of the tokens, never above the budget; only a decoder that does not keep
               to whole words may leave that to its caller.
    optimal:   proven to be a best answer over the whole vocabulary, words left out included.
    exact:     proven to be a best answer over the candidates.
    floor_met: the weight is at least `at_least`.
    starts:    for each token, the first slot of the run of slots that produced it.
    all_paths: of linked slots, the log of the sum over all paths that say the same words; the
               score, from decoders that do not sum.
    expected:  of linked slots, how much of the answer is to be expected, from 0 to 1: the mean of
               min(1, c) over its words and its pairs of neighbours (see Expected).
    """

    tokens: tuple[int, ...]
    slots: tuple[int, ...]
    score: float
    weight: int
    optimal: bool
    exact: bool
    floor_met: bool
    starts: tuple[int, ...]
    all_paths: float = None  # type: ignore[assignment]  # by __post_init__
    expected: float = 0.0

    def __post_init__(self) -> None:
        if self.all_paths is None:
            object.__setattr__(self, "all_paths", self.score)
