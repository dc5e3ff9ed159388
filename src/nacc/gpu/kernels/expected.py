"""What a lattice expects, one program a sentence: kernels.linked's first half, in Triton."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit(do_not_specialize=["U"])
def expect(
    words, values, links, slots, worth, chance, said, common, shares, numbers, passing, table, size,
    eta, seldom, U,
    K: tl.constexpr, F: tl.constexpr, UP: tl.constexpr, BLOCK: tl.constexpr,
) -> None:  # fmt: skip
    """Of every candidate min(1, c(w)) and its place among the common words, −1 for none; of every
    slot the words that are common, as probabilities (`table`); and how many are common.

    words, values: (B, U, K), −inf where there is none that can be used. links: (B, U+1, U+1).
    worth:  (B, U, K) the value with η · min(1, c(w)).
    chance: (B, U, K) the lesser of the slot's probability and the candidate's.
    shares, numbers, passing: room to work in.
    table:  (B, U, F) zeros. size: (B,).
    """
    b = tl.program_id(0).to(tl.int64)
    S = tl.load(slots + b)
    n = S * K
    words, values = words + b * U * K, values + b * U * K
    worth, chance, said = worth + b * U * K, chance + b * U * K, said + b * U * K
    common, shares, numbers = common + b * U * K, shares + b * U * K, numbers + b * U * K
    links, passing, table = links + b * (U + 1) * (U + 1), passing + b * U, table + b * U * F
    _pass(links, passing, S, U, UP)
    tl.debug_barrier()
    lane = tl.arange(0, BLOCK)
    for begin in range(0, n, BLOCK):
        i = begin + lane
        here = i < n
        likely = tl.exp(tl.load(values + i, mask=here, other=float("-inf")))
        through = tl.load(passing + i // K, mask=here, other=0.0)
        tl.store(shares + i, through * likely, mask=here)
        tl.store(chance + i, tl.minimum(through, likely), mask=here)
    tl.debug_barrier()
    known = 0
    for begin in range(0, n, BLOCK):
        i = begin + lane
        here = i < n
        word = tl.load(words + i, mask=here, other=-1)
        value = tl.load(values + i, mask=here, other=float("-inf"))
        counts = tl.zeros([BLOCK, BLOCK], values.dtype.element_ty)
        firsts = tl.full([BLOCK, BLOCK], 2**30, tl.int32)
        for start in range(0, n, BLOCK):
            j = start + lane
            other = tl.load(words + j, mask=j < n, other=-2)
            share = tl.load(shares + j, mask=j < n, other=0.0)
            same = (word[:, None] == other[None, :]) & (share[None, :] > 0)
            counts += tl.where(same, share[None, :], 0.0)
            firsts = tl.minimum(firsts, tl.where(same, j[None, :], 2**30))
        count, first = tl.sum(counts, 1), tl.min(firsts, 1)
        usable = here & (value > float("-inf"))
        leads = usable & (first == i) & (count >= seldom)
        number = known + tl.cumsum(leads.to(tl.int32), 0) - 1
        known += tl.sum(leads.to(tl.int32), 0)
        count = tl.minimum(count, 1.0)
        tl.store(numbers + i, tl.where(leads, number, -1), mask=here)
        tl.store(common + i, tl.where(usable, first, 2**30), mask=here)
        tl.store(said + i, count, mask=here)
        tl.store(worth + i, tl.where(usable, value + eta * count, float("-inf")), mask=here)
    tl.store(size + b, known)
    tl.debug_barrier()
    _place(values, common, numbers, table, n, K, F, BLOCK)


@triton.jit
def _pass(links, passing, S, U, UP: tl.constexpr) -> None:
    """How probable it is that a path passes each slot."""
    at = tl.arange(0, UP)
    through = tl.exp(tl.load(links + at, mask=at < S, other=float("-inf")))
    for s in range(0, S):
        here = tl.sum(tl.where(at == s, through, 0.0), 0)
        later = (at > s) & (at < S)
        row = tl.load(links + (s + 1) * (U + 1) + at, mask=later, other=float("-inf"))
        through += here * tl.exp(row)
    tl.store(passing + at, through, mask=at < S)


@triton.jit
def _place(
    values, common, numbers, table, n,
    K: tl.constexpr, F: tl.constexpr, BLOCK: tl.constexpr,
) -> None:  # fmt: skip
    """From where each candidate's word stands first to its place among the common ones."""
    lane = tl.arange(0, BLOCK)
    for begin in range(0, n, BLOCK):
        i = begin + lane
        first = tl.load(common + i, mask=i < n, other=2**30)
        number = tl.load(numbers + first, mask=first < n, other=-1)
        number = tl.where(number < F, number, -1)
        tl.store(common + i, number, mask=i < n)
        likely = tl.exp(tl.load(values + i, mask=i < n, other=float("-inf")))
        tl.store(table + (i // K) * F + number, likely, mask=(i < n) & (number >= 0))
