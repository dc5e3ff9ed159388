"""Linked slots, slowly: every path, and what is expected by the formulas as they are written."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from nacc.decoding.expected import Expected
from nacc.lattice import NO_WORD, Lattice

from .oracle import Rules

RARE, SELDOM = 1e-3, 0.01


def candidates(lattice: Lattice, slot: int) -> Iterator[tuple[int, float]]:
    for word, value in zip(lattice.words[slot].tolist(), lattice.values[slot], strict=True):
        if word != NO_WORD and value > -math.inf:
            yield word, float(value)


def passing(lattice: Lattice) -> list[float]:
    """The probability that a path passes each slot."""
    found: list[float] = []
    for slot in range(lattice.slots):
        before = sum(found[u] * math.exp(lattice.links[u + 1, slot]) for u in range(slot))
        found.append(math.exp(lattice.links[0, slot]) + before)
    return found


def considered(lattice: Lattice) -> Lattice:
    """The lattice less the slots, words and links that are rare."""
    words, links, rest = lattice.words.copy(), lattice.links.copy(), lattice.rest.copy()
    rare = [p < RARE for p in passing(lattice)]
    words[(np.exp(lattice.values) < RARE) | np.array(rare, bool)[:, None]] = NO_WORD
    links[:, :-1][np.exp(links[:, :-1]) < RARE] = -math.inf
    values = np.where(words == NO_WORD, -math.inf, lattice.values)
    return Lattice(words, values, lattice.blank, rest, links=links)


@dataclass(frozen=True)
class Counts:
    """min(1, c(w)) and min(1, c(a, b)), and what they are worth."""

    words: dict[int, float]
    pairs: dict[tuple[int, int], float]
    worth: Expected

    @classmethod
    def of(cls, lattice: Lattice, expected: Expected | None) -> Counts:
        words: dict[int, float] = defaultdict(float)
        pairs: dict[tuple[int, int], float] = defaultdict(float)
        through = passing(lattice)
        for u in range(lattice.slots):
            for a, value in candidates(lattice, u):
                words[a] += through[u] * math.exp(value)
                for v in range(u + 1, lattice.slots):
                    for b, later in candidates(lattice, v):
                        link = lattice.links[u + 1, v]
                        pairs[a, b] += through[u] * math.exp(value + link + later)
        counted = {
            (a, b): min(1.0, c)
            for (a, b), c in pairs.items()
            if a != b and min(c, words[a], words[b]) >= SELDOM
        }
        once = {word: min(1.0, c) for word, c in words.items()}
        return cls(once, counted, expected or Expected(0.0, 0.0))

    def parts(self, tokens: Sequence[int]) -> tuple[list[float], list[float]]:
        neighbours = pairwise(tokens)
        return [self.words[w] for w in tokens], [self.pairs.get(pair, 0.0) for pair in neighbours]

    def bonus(self, tokens: Sequence[int]) -> float:
        words, pairs = self.parts(tokens)
        return self.worth.words * sum(words) + self.worth.pairs * sum(pairs)

    def mean(self, tokens: Sequence[int]) -> float:
        words, pairs = self.parts(tokens)
        return sum(words + pairs) / len(words + pairs) if tokens else 0.0


@dataclass
class Said:
    """What is known of a word sequence: its best path and the sum over all of them."""

    best: float = -math.inf
    slots: tuple[int, ...] = ()
    total: float = 0.0


def sequences(lattice: Lattice, rules: Rules) -> dict[tuple[int, ...], Said]:
    """Every allowed word sequence that a path of finite score says."""
    found: dict[tuple[int, ...], Said] = defaultdict(Said)

    def walk(row: int, tokens: tuple[int, ...], slots: tuple[int, ...], value: float) -> None:
        whole = value + lattice.links[row, lattice.slots]
        if tokens and whole > -math.inf and rules.allow(tokens):
            said = found[tokens]
            said.total += math.exp(whole)
            if whole > said.best:
                said.best, said.slots = whole, slots
        for slot in range(row, lattice.slots):
            for word, more in candidates(lattice, slot):
                step = value + lattice.links[row, slot] + more
                if step > -math.inf and tokens[-1:] != (word,):
                    walk(slot + 1, (*tokens, word), (*slots, slot), step)

    walk(0, (), (), 0.0)
    return dict(found)


def ranked(
    lattice: Lattice, weights: Sequence[int], low: int, high: int, rules: Rules, counts: Counts
) -> list[tuple[float, int, tuple[int, ...]]]:
    """(score, weight, words) of all sequences to be ranked, best first.

    Over what is considered; where nothing of that has a weight in [low, high], over everything;
    and where nothing of that has either, those of the heaviest weight below.
    """
    inside: list[tuple[float, int, tuple[int, ...]]] = []
    for part in (considered(lattice), lattice):
        found = [
            (said.best + counts.bonus(tokens), sum(weights[w] for w in tokens), tokens)
            for tokens, said in sequences(part, rules).items()
        ]
        fitting = [one for one in found if one[1] <= high]
        inside = [one for one in fitting if one[1] >= low]
        if inside:
            break
    else:
        heaviest = max((weight for _, weight, _ in fitting), default=0)
        inside = [one for one in fitting if one[1] == heaviest]
    return sorted(inside, reverse=True)
