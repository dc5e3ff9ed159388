"""The room that a decoder has for words, in the units that it counts in.

A decoder's table is as wide as its room, and a line of pixels is thousands of units wide. There
the decoder counts in coarser units: words rounded up and the room down, so the promise holds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from nacc.lattice import NO_WORD, Lattice
from nacc.length.measures import NEVER, WeightPlan

Weights: TypeAlias = NDArray[np.int64]

WIDE = 1700
"""Rooms wider than this (some 400 px) are counted in coarser units, half as many at most …"""
FINE = 16
"""… of which a word still weighs this many or more, on average."""


@dataclass(frozen=True, eq=False)
class Room:
    """How much the words may weigh together, and how many of the measure's units are one of the
    decoder's."""

    weights: Weights
    size: int
    unit: int

    @classmethod
    def of(
        cls, plan: WeightPlan, pieces: Sequence[str], lattice: Lattice, *, coarsely: bool
    ) -> Room:
        """A plan's room for these pieces; coarsely: the decoder may be told to count so."""
        weights = plan.weigh(pieces)
        coarse = coarsely and plan.room > WIDE and (weights < NEVER).any()
        return cls(weights, plan.room, _unit(lattice, weights, plan.room) if coarse else 1)

    def counted(self, floor: int) -> tuple[Weights, int, int]:
        """Weights, floor and room in the decoder's units."""
        if self.unit == 1:
            return self.weights, floor, self.size
        usable = self.weights < NEVER
        weights, high = -(-self.weights // self.unit), self.size // self.unit
        grown = weights[usable].sum() / self.weights[usable].sum()  # so must the floor
        return weights, min(high, math.ceil(floor * grown)), high


def _unit(lattice: Lattice, weights: Weights, room: int) -> int:
    """How many of the measure's units the decoder takes for one, in a wide room."""
    fitting = np.where(weights <= room, weights, 0)
    heaviest = int(np.where(lattice.words == NO_WORD, 0, fitting[lattice.words]).max(1).sum())
    usual = int(weights[weights < NEVER].mean())
    if heaviest <= WIDE:
        return 1
    return max(1, min(-(-min(room, heaviest) // (WIDE // 2)), usual // FINE))
