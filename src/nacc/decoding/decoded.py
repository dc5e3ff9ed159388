"""What every decoder returns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Decoded:
    """The best path a decoder found through a lattice.

    tokens:    the reduced words Γ(w), as word ids.
    slots:     the symbol of every slot. ε is the `blank` id where the decoder was given an array
               of log-probabilities, and NO_WORD (−1) where it was given a Lattice.
    score:     the objective: Σ log-probability over slots, plus Coherence.value where it counts.
    weight:    the weight of the tokens, never above the budget; only a decoder that does not keep
               to whole words may leave that to its caller.
    optimal:   proven to be a best answer over the whole vocabulary, words left out included.
    exact:     proven to be a best answer over the candidates.
    floor_met: the weight is at least `at_least`.
    starts:    for each token, the first slot of the run of slots that produced it.
    """

    tokens: tuple[int, ...]
    slots: tuple[int, ...]
    score: float
    weight: int
    optimal: bool
    exact: bool
    floor_met: bool
    starts: tuple[int, ...]
