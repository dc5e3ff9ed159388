"""Slow, plain decoders that try everything: what the kernels must agree with."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from nacc.lattice import NO_WORD, Lattice


@dataclass(frozen=True)
class Rules:
    """What an answer must satisfy, and how it is scored beyond Σ log-probability."""

    merge: bool = True
    required: frozenset[int] = frozenset()
    forbidden: frozenset[int] = frozenset()
    no_dangling: frozenset[int] = frozenset()
    once: frozenset[int] = frozenset()
    phrases: tuple[tuple[int, ...], ...] = ()
    in_order: tuple[int, ...] | None = None
    bonus: Callable[[tuple[int, ...]], float] = field(default=lambda tokens: 0.0)

    def allow(self, tokens: tuple[int, ...]) -> bool:
        return (
            self.required <= set(tokens)
            and not self.forbidden & set(tokens)
            and not (tokens and tokens[-1] in self.no_dangling)
            and all(tokens.count(word) == 1 for word in self.once & set(tokens))
            and all(contains(tokens, phrase) for phrase in self.phrases)
            and (self.in_order is None or is_subsequence(tokens, self.in_order))
        )


def contains(tokens: tuple[int, ...], phrase: tuple[int, ...]) -> bool:
    """Whether the phrase's words come one right after another."""
    size = len(phrase)
    return any(tokens[i : i + size] == tuple(phrase) for i in range(len(tokens) - size + 1))


def is_subsequence(tokens: tuple[int, ...], source: Sequence[int]) -> bool:
    left = iter(source)
    return all(word in left for word in tokens)


def reduce(path: Sequence[int], merge: bool = True) -> tuple[int, ...]:
    """Γ: merge repeats that no ε separates, then drop ε. Γ′ (no merging) only drops ε."""
    runs = [word for word, _ in itertools.groupby(path)] if merge else path
    return tuple(word for word in runs if word != NO_WORD)


def paths(lattice: Lattice) -> Iterator[tuple[tuple[int, ...], float]]:
    """Every way to give each slot a candidate or ε, with its Σ log-probability."""
    options = [
        [(NO_WORD, lattice.blank[s])]
        + [
            (int(word), value)
            for word, value in zip(lattice.words[s], lattice.values[s], strict=True)
            if word != NO_WORD and value > -math.inf
        ]
        for s in range(lattice.slots)
    ]
    for path in itertools.product(*options):
        yield tuple(word for word, _ in path), float(sum(value for _, value in path))


def sequences(
    lattice: Lattice, weights: Sequence[int], rules: Rules
) -> dict[tuple[int, ...], tuple[float, int]]:
    """Every allowed reduced sequence of finite score: its best score and its weight."""
    found: dict[tuple[int, ...], tuple[float, int]] = {}
    for path, value in paths(lattice):
        tokens = reduce(path, rules.merge)
        if value > -math.inf and rules.allow(tokens):
            score = value + rules.bonus(tokens)
            if score > found.get(tokens, (-math.inf, 0))[0]:
                found[tokens] = (score, sum(int(weights[word]) for word in tokens))
    return found


def ranked(
    lattice: Lattice, weights: Sequence[int], low: int, high: int, rules: Rules
) -> list[tuple[float, int]]:
    """(score, weight) of all sequences to be ranked, best first.

    Those with weight in [low, high]; if there are none, those of the heaviest weight below.
    """
    found = [pair for pair in sequences(lattice, weights, rules).values() if pair[1] <= high]
    inside = [pair for pair in found if pair[1] >= low]
    if not inside and found:
        heaviest = max(weight for _, weight in found)
        inside = [pair for pair in found if pair[1] == heaviest]
    return sorted(inside, reverse=True)


def path_score(lattice: Lattice, path: Sequence[int]) -> float:
    """Σ log-probability of a path given by its symbols (NO_WORD for ε)."""
    total = 0.0
    for s, word in enumerate(path):
        if word == NO_WORD:
            total += lattice.blank[s]
        else:
            total += lattice.values[s][np.flatnonzero(lattice.words[s] == word)[0]]
    return float(total)
