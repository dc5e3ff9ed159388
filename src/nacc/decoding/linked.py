"""Decoding linked slots: the n best answers whose weight lies within bounds, exactly.

What counts is the log-probability of the best path, plus η for each expected word and η₂ for each
expected pair of neighbours: minimum risk inside the same recursion. No word stands beside itself,
no content word comes twice, no function word comes last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nacc.decoding import linked_kernels as kernels
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.punctuation import NEVER_SAID
from nacc.text.words import UNKNOWN

_RARE = 1e-3
"""A slot that paths pass, a link or a word less often than this is left out."""
_MOST = 100_000
_ROUNDS = 8
_NEVER = -1e300


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
    """η and η₂; how far below the best the search looks, and how many states it looks at."""

    words: float = 2.0
    pairs: float = 3.0
    slack: float = 15.0
    most: int = 4_000


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
    """The `count` best answers whose weights add up to `low`..`high`.

    The search's bound does not know of repeated words: where they keep it from ending, words that
    the best answer repeats are left out on one side of it (`_without_repeats`), and the answers
    are the best of what remains (`complete` is then false).
    """
    once, twice = problem.expected
    function = problem.function
    links = (problem.start, problem.to, problem.log_link, problem.stop)
    shared = (taste.pairs * twice, np.asarray(weights, dtype=np.int64), ~function)
    gain = problem.value + taste.words * once[problem.word]
    room = (low, high)

    def search(gain: NDArray[np.float64]) -> tuple[Any, Any, bool]:
        table = kernels.ahead(problem.first, problem.word, gain, *links, *shared, *room)
        places = (problem.first, problem.slot, problem.word, gain)
        limits = (table, count, min(taste.most, _MOST), taste.slack)
        answers, values, ended = kernels.n_best(*places, *links, *shared, function, *room, *limits)
        return answers, values, bool(ended)

    answers, values, complete = search(gain)
    if not complete:
        reduced = _without_repeats(problem, gain, (*links, *shared, *room))
        again = search(reduced)
        if len(again[1]) > len(values):
            answers, values, _ = again
    paths = np.array(
        [
            kernels.all_paths(answer, problem.first, problem.word, problem.value, *links)
            for answer in answers
        ]
    )
    words = [[int(w) for w in answer if w >= 0] for answer in answers]
    bonus = np.array(
        [
            taste.words * once[said].sum() + taste.pairs * twice[said[:-1], said[1:]].sum()
            for said in map(np.array, words)
        ]
    )
    return Answers(words, values, paths, bonus, complete)


def _without_repeats(
    problem: Problem, gain: NDArray[np.float64], rest: tuple[Any, ...]
) -> NDArray[np.float64]:
    """The gains with words struck out until the best answer repeats no content word: each time on
    the side, before or after, where less is lost by it."""

    def best(gain: NDArray[np.float64]) -> tuple[NDArray[np.int64], float]:
        table = kernels.ahead(problem.first, problem.word, gain, *rest)
        path, value = kernels.follow(problem.first, problem.slot, problem.word, gain, *rest, table)
        return path, float(value)

    path, _ = best(gain)
    for _ in range(_ROUNDS):
        twice = _repeated(problem, path)
        if twice is None:
            break
        early, late = twice
        same = problem.word == problem.word[early]
        sides = (problem.slot > problem.slot[early], problem.slot < problem.slot[late])
        choices = [np.where(same & side, _NEVER, gain) for side in sides]
        found = [(*best(choice), choice) for choice in choices]
        path, _, gain = max(found, key=lambda one: one[1])
    return gain


def _repeated(problem: Problem, path: NDArray[np.int64]) -> tuple[int, int] | None:
    """The first content word that a path says twice: both candidates."""
    seen: dict[int, int] = {}
    for i in path.tolist():
        word = int(problem.word[i])
        if word in seen and not problem.function[word]:
            return seen[word], i
        seen[word] = i
    return None
