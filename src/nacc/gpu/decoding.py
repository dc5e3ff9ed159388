"""The linked decoder on a device: many lattices in, the words of their best paths out.

The same recursion as `nacc.decoding.linked`, with the same things left out as rare, and the same
answers but for the last digits. A word that may come once and came twice is marked, and decoded
again with its mark, in rounds over what is not settled: all on the device, so nobody waits for it.
What is not settled at the end (hardly any) is the CPU decoder's.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import triton
from torch import Tensor

from nacc.decoding.expected import Expected
from nacc.decoding.kernels.linked import SELDOM
from nacc.decoding.linked import RARE
from nacc.gpu.kernels.expected import expect
from nacc.gpu.kernels.table import NEW, NOTHING, SETTLED, TWICE, solve
from nacc.gpu.lattices import Lattices

MOST_MARKED = 3
"""Words that may come once and are remembered, so 2³ contexts."""
MOST_COMMON = 64
"""Words of a sentence that may make pairs: more than any had among thousands."""
_BEYOND = -1  # the state of what is left to the CPU
LONGEST = 64
"""Words of an answer."""
MOST_CANDIDATES = 30
"""Of a slot: they are bits of a number."""
PROGRAMS = 1056
WARPS = 1
"""Sentences at work at a time, eight for each of 132 multiprocessors, and warps of each: so many
that waiting for memory hurts little, and with one warp nobody waits for another."""


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
    B, _, K = given.words.shape
    if K > MOST_CANDIDATES:
        raise ValueError(f"{K} candidates a slot; at most {MOST_CANDIDATES} can be decoded")
    found = _expectations(given, expected)
    state = torch.where(found.fits, int(NEW), _BEYOND).to(torch.int32)
    device = given.words.device
    marks = torch.full((B, MOST_MARKED), -1, dtype=torch.int32, device=device)
    path = torch.zeros((B, LONGEST), dtype=torch.int32, device=device)
    length = torch.zeros(B, dtype=torch.int32, device=device)
    figures = torch.zeros((B, 2), dtype=given.values.dtype, device=device)
    answers = (state, marks, path, length, figures)
    # All there is, then what had no path without the rare; rounds for words that came twice.
    _solve(given, found, answers, expected, 1, RARE, int(NEW))
    twice = state == int(TWICE)
    _solve(given, found, answers, expected, 1, 0.0, int(NOTHING))
    rarely = (state == int(TWICE)) & ~twice
    state.masked_fill_(rarely, _BEYOND)
    for contexts in [2**m for m in range(1, MOST_MARKED + 1)]:
        _solve(given, found, answers, expected, contexts, RARE, int(TWICE))
    mean = figures[:, 1] / (2 * length - 1).clamp(min=1)
    return Answers(path, length, figures[:, 0], mean, state == int(SETTLED))


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
        U, K, MOST_COMMON, max(triton.next_power_of_2(U), 256), 64, num_warps=4, num_stages=1,
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


def _solve(
    given: Lattices,
    found: _Expectations,
    answers: tuple[Tensor, ...],
    expected: Expected,
    contexts: int,
    rare: float,
    wanted: int,
) -> None:
    """One round: those whose state is `wanted`, with so many contexts."""
    B, U, K = given.words.shape
    X = max(triton.next_power_of_2(given.high + 1), 16)
    programs = min(B, max(PROGRAMS // contexts, 1))
    like, whole = given.values.new_empty, given.words.new_empty
    room = (programs, U, contexts, X)
    solve[(programs,)](
        given.words, found.worth, found.chance, given.weights, given.flags, found.said,
        found.common, given.links, found.pairs, given.slots, given.lows, *answers,
        like((programs, U * K, contexts, X)), like(room),
        whole(room), like(room),
        whole((programs, U)),
        B, rare, expected.pairs, wanted, given.high,
        U, K, MOST_COMMON, triton.next_power_of_2(K), X, contexts, MOST_MARKED, LONGEST,
        triton.next_power_of_2(LONGEST), num_warps=WARPS, num_stages=1,
    )  # fmt: skip
