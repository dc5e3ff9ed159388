"""Decoding linked slots: the n best answers whose weight lies within bounds, exactly.

What counts is the log-probability of the best path, plus η for each expected word and η₂ for each
expected pair of neighbours: minimum risk inside the same recursion. No word stands beside itself,
no content word comes twice, no function word comes last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nacc.decoding import linked_kernels as kernels
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.punctuation import NEVER_SAID
from nacc.text.words import UNKNOWN

_RARE = 1e-4
"""A slot that paths pass, a link or a word less often than this is left out."""


@dataclass(frozen=True, eq=False)
class LinkedLattice:
    """words, values: (U, K) candidates of each slot, as ids into `keys`, and log-probabilities;
    links: (U + 1, U + 1) probabilities from BEGIN and each slot to each slot and END."""

    words: NDArray[np.int32]
    values: NDArray[np.float32]
    links: NDArray[np.float32]
    keys: tuple[str, ...]


@dataclass(frozen=True)
class Taste:
    """η, η₂; the weight of bigrams of the caller's own; how far below the best the search looks."""

    words: float = 2.0
    pairs: float = 3.0
    slack: float = 15.0
    most: int = 20_000


@dataclass(frozen=True, eq=False)
class Answers:
    """Word ids of each answer, best first; `values` what the search maximised; `paths` the
    log-probability of all an answer's paths; `bonus` its expected words and pairs, weighted."""

    words: list[list[int]]
    values: NDArray[np.float64]
    paths: NDArray[np.float64]
    bonus: NDArray[np.float64]
    complete: bool


class Problem:
    """A lattice without what hardly ever happens, as the kernels read it."""

    def __init__(self, lattice: LinkedLattice) -> None:
        self.keys = lattice.keys
        links = lattice.links.astype(np.float64)
        through = kernels.passing(links)
        kept = through >= _RARE
        barred = np.array([key in NEVER_SAID or key in UNKNOWN for key in self.keys])
        good = kept[:, None] & (lattice.values >= np.log(_RARE)) & ~barred[lattice.words]
        self.first = np.concatenate([[0], np.cumsum(good.sum(1))]).astype(np.int64)
        self.slot = np.nonzero(good)[0].astype(np.int64)
        self.word = lattice.words[good].astype(np.int64)
        self.value = lattice.values[good].astype(np.float64)
        there = (links[:, :-1] >= _RARE) & (good.any(1) & kept)[None, :]
        there[1:] &= kept[:, None]
        self.start = np.concatenate([[0], np.cumsum(there.sum(1))]).astype(np.int64)
        self.to = np.nonzero(there)[1].astype(np.int64)
        self.log_link = np.log(links[:, :-1][there])
        self.stop = np.log(np.maximum(links[:, -1], 1e-30))
        self.through = through

    @cached_property
    def expected(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return kernels.expected(
            *(self.first, self.word, self.value, self.start, self.to, self.log_link),
            *(self.through, len(self.keys)),
        )

    @cached_property
    def function(self) -> NDArray[np.bool_]:
        return np.array([key in FUNCTION_WORDS or not key[:1].isalnum() for key in self.keys])


def solve(
    problem: Problem,
    weights: Sequence[int],
    low: int,
    high: int,
    taste: Taste,
    count: int = 1,
) -> Answers:
    """The `count` best answers whose weights add up to `low`..`high`."""
    once, twice = problem.expected
    gain = problem.value + taste.words * once[problem.word]
    pair = taste.pairs * twice
    weight = np.asarray(weights, dtype=np.int64)
    function = problem.function
    links = (problem.start, problem.to, problem.log_link)
    shared = (pair, weight, ~function)
    table = kernels.ahead(
        problem.first, problem.word, gain, *links, problem.stop, *shared, low, high
    )
    answers, values, complete = kernels.n_best(
        *(problem.first, problem.slot, problem.word, gain, *links, problem.stop, *shared),
        *(function, low, high, table, count, taste.most, taste.slack),
    )
    paths = np.array(
        [
            kernels.all_paths(
                *(answer, problem.first, problem.word, problem.value, *links, problem.stop)
            )
            for answer in answers
        ]
    )
    words = [[int(w) for w in answer if w >= 0] for answer in answers]
    bonus = np.array(
        [
            taste.words * once[said].sum() + pair[said[:-1], said[1:]].sum()
            for said in map(np.array, words)
        ]
    )
    return Answers(words, values, paths, bonus, bool(complete))
