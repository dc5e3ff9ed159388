"""The linked decoder on a device: many lattices in, the words of their best paths out.

The same recursion as `nacc.decoding.linked`, with the same things left out as rare, and the same
answers but for the last digits. A word that may come once and came twice is marked, and decoded
again with its mark, in rounds over what is not settled: all on the device, so nobody waits for it.
What is not settled at the end (hardly any) is the CPU decoder's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import torch
import triton
from torch import Tensor

from nacc.decoding.expected import Expected
from nacc.decoding.kernels.linked import SELDOM
from nacc.decoding.linked import RARE
from nacc.gpu.kernels.expected import expect
from nacc.gpu.kernels.graph import join, keep
from nacc.gpu.kernels.path import NEW, NOTHING, SETTLED, TWICE
from nacc.gpu.kernels.table import solve
from nacc.gpu.lattices import Lattices

MOST_MARKED = 3
"""Words that may come once and are remembered, so 2³ contexts."""
MOST_COMMON = 64
"""Words of a sentence that may make pairs: more than any had among thousands."""
SEQUELS = 128
"""Of a slot, on average, that there is room for in a batch: five times what there are."""
_BEYOND = -1  # the state of what is left to the CPU
LONGEST = 64
"""Words of an answer."""
MOST_CANDIDATES = 32
"""Of a slot: a warp's width."""
LINKS = 16
"""That are looked at at a time where a path is followed."""
LISTED = 4
"""Links whose sequels are listed at a time: more take registers that others could use."""
ROWS = 16
"""Links and candidates that the recursion takes at a time."""
EACH = 16
"""Cells of these for each lane of a warp, which says how many warps a program has."""
MOST_WARPS = 8
PROGRAMS = 4224
"""Sentences at work at a time, in the first round."""
HURRY = 4
"""Times the rows and warps, for what has to look at all links: hardly any, and all wait for it."""


@dataclass(frozen=True, eq=False)
class Answers:
    """Of each sentence its best path, where one was settled on.

    path:     (B, LONGEST) int32 candidates, as slot · K + column; the first `length` (B,) count.
    score:    (B,) as Decoded.score. expected: (B,) as Decoded.expected.
    settled:  (B,) bool.
    """

    path: Tensor
    length: Tensor
    score: Tensor
    expected: Tensor
    settled: Tensor


def decode(given: Lattices, worth: Expected | None = None) -> Answers:
    """The best paths. Runs without waiting for the device."""
    expected = worth or Expected(0.0, 0.0)
    K = given.words.shape[2]
    if K > MOST_CANDIDATES:
        raise ValueError(f"{K} candidates a slot; at most {MOST_CANDIDATES} can be decoded")
    run = _Rounds(given, expected)
    state, figures, length = run.state, run.figures, run.length
    # All there is, then what had no path without the rare; rounds for words that came twice.
    run.prune(RARE, int(NEW))
    run.solve(1, int(NEW))
    twice = state == int(TWICE)
    run.prune(0.0, int(NOTHING))
    run.solve(1, int(NOTHING), HURRY)
    rarely = (state == int(TWICE)) & ~twice
    state.masked_fill_(rarely, _BEYOND)
    for contexts in [2**m for m in range(1, MOST_MARKED + 1)]:
        run.solve(contexts, int(TWICE))
    mean = figures[:, 1] / (2 * length - 1).clamp(min=1)
    return Answers(run.path, length, figures[:, 0], mean, state == int(SETTLED))


@dataclass(frozen=True, eq=False)
class _Expectations:
    """What kernels.expected.expect finds, and (B, F, F) min(1, c(a, b)) of the common words."""

    worth: Tensor
    chance: Tensor
    said: Tensor
    common: Tensor
    pairs: Tensor
    fits: Tensor


def _expectations(given: Lattices, expected: Expected) -> _Expectations:
    values, (B, U, K) = given.values, given.words.shape
    device = values.device
    worth, chance, said, shares = (torch.zeros_like(values) for _ in range(4))
    common, numbers = (torch.full_like(given.words, -1) for _ in range(2))
    passing = torch.zeros((B, U), dtype=values.dtype, device=device)
    table = torch.zeros((B, U, MOST_COMMON), dtype=values.dtype, device=device)
    size = torch.zeros(B, dtype=torch.int32, device=device)
    expect[(B,)](
        given.words, values, given.links, given.slots, worth, chance, said, common, shares,
        numbers, passing, table, size, expected.words, SELDOM,
        U, K, MOST_COMMON, _lanes(U), 64, num_warps=4, num_stages=1,
    )  # fmt: skip
    # c(a, b): p(u) P(a|u), times E[u, v] P(b|v).
    place = torch.arange(U, device=device)
    later = (place[None, :] > place[:, None]) & (place < given.slots[:, None])[:, None, :]
    steps = given.links[:, 1:, :U].exp().masked_fill(~later, 0.0)
    pairs = (passing[:, :, None] * table).transpose(1, 2) @ (steps @ table)
    alike = torch.eye(MOST_COMMON, dtype=torch.bool, device=device)
    pairs = pairs.clamp(max=1.0).masked_fill((pairs < SELDOM) | alike, 0.0)
    fits = size <= MOST_COMMON if expected.pairs > 0 else torch.ones_like(size, dtype=torch.bool)
    return _Expectations(worth, chance, said, common, pairs.contiguous(), fits)


@dataclass(frozen=True, eq=False)
class _Graph:
    """What kernels.graph makes: see there."""

    held: Tensor
    leads: Tensor
    count: Tensor
    to: Tensor
    step: Tensor
    degree: Tensor
    sequel: Tensor
    ending: Tensor
    heavy: Tensor
    gain: Tensor

    @classmethod
    def room(cls, given: Lattices) -> _Graph:
        B, U, K = given.words.shape
        whole, real = given.words.new_empty, given.values.new_empty
        sequels = (SEQUELS * B * U,)
        return cls(
            whole((B, U, K)), whole((B, U, K)), whole((B, U, 2)), whole((B, U + 1, U)),
            real((B, U + 1, U)), whole((B, U + 1, 3)),
            whole(sequels), whole(sequels), whole(sequels), real(sequels),
        )  # fmt: skip

    def __iter__(self) -> Iterator[Tensor]:
        return (getattr(self, field.name) for field in fields(self))


class _Rounds:
    """Sentences, how far each has come, and rounds over those of one state."""

    def __init__(self, given: Lattices, expected: Expected) -> None:
        self.given, self.expected = given, expected
        self.found = _expectations(given, expected)
        self.graph = _Graph.room(given)
        (B, U, _), whole = given.words.shape, given.words.new_zeros
        self.holds, self.taken = given.words.new_empty((B, U, MOST_COMMON)), whole(1)
        self.state = torch.where(self.found.fits, int(NEW), _BEYOND).to(torch.int32)
        self.marks = torch.full_like(whole((B, MOST_MARKED)), -1)
        self.path, self.length = whole((B, LONGEST)), whole(B)
        self.figures = given.values.new_zeros((B, 2))

    def prune(self, rare: float, wanted: int) -> None:
        """The graph of what is not rarer, of those whose state is `wanted`."""
        given, found, graph = self.given, self.found, self.graph
        B, U, K = given.words.shape
        KP = triton.next_power_of_2(K)
        held, leads, count, *lists = graph
        keep[(U, B)](
            found.worth, found.chance, found.common, found.pairs, self.state, held, leads, count,
            self.holds, rare, self.expected.pairs, wanted, U, K, KP, MOST_COMMON, num_warps=1,
        )  # fmt: skip
        join[(U + 1, B)](
            found.worth, given.weights, given.links, found.pairs, given.slots, self.state,
            self.holds, self.taken, leads, count, *lists, rare, wanted, len(graph.gain),
            U, K, KP, MOST_COMMON, _lanes(U), LISTED, num_warps=1,
        )  # fmt: skip

    def solve(self, contexts: int, wanted: int, hurry: int = 1) -> None:
        """Those whose state is `wanted`, with so many contexts; hurry: as many times the rows at a
        time, and the warps."""
        given, found = self.given, self.found
        B, U, K = given.words.shape
        X = max(triton.next_power_of_2(given.high + 1), 16)
        programs = min(B, max(PROGRAMS // contexts, 1))
        like, whole = given.values.new_empty, given.words.new_empty
        room = (programs, U, contexts * X)
        rows, warps = shape(contexts * X, hurry * ROWS)
        solve[(programs,)](
            given.words, found.worth, given.weights, given.flags, found.said, found.common,
            given.links, found.pairs, given.slots, given.lows,
            self.state, self.marks, self.path, self.length, self.figures, *self.graph,
            like((programs, U * K, contexts * X)), like(room), whole(room), like(room),
            *_queue(self.state == wanted), self.expected.pairs, given.high, U,
            K, triton.next_power_of_2(K), MOST_COMMON, X, contexts, rows, LINKS, MOST_MARKED,
            LONGEST, triton.next_power_of_2(LONGEST), num_warps=warps, num_stages=1,
        )  # fmt: skip


def shape(cells: int, most: int) -> tuple[int, int]:
    """Rows at a time, at most so many, and warps, where a row has so many cells."""
    lane = 32 * EACH
    warps = min(max(most * cells // lane, 1), MOST_WARPS)
    return min(max(warps * lane // cells, 1), most), warps


def _lanes(slots: int) -> int:
    """A vector over the slots: of two lengths alone, for each is compiled."""
    return max(int(triton.next_power_of_2(slots)), 128)


def _queue(asked: Tensor) -> tuple[Tensor, Tensor]:
    """The numbers of those that are asked for, side by side, and how many these are."""
    place = asked.cumsum(0)
    rows = torch.arange(len(asked), dtype=torch.int32, device=asked.device)
    queue = rows.new_empty(len(asked) + 1)
    queue.scatter_(0, torch.where(asked, place - 1, len(asked)), rows)
    return queue, place[-1:].to(torch.int32)
