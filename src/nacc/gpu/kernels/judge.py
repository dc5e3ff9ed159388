"""What a budget makes of a sentence's candidates, one program a sentence."""

from __future__ import annotations

import triton
import triton.language as tl

ONCE, NOT_SAID = tl.constexpr(2), tl.constexpr(4)


@triton.jit(do_not_specialize=["stride", "n", "room"])
def judge(
    words, values, symbols, heavy, kinds, bases, length, style,
    known_weights, known_flags, known_bases,
    said, worth, weights, flags, total,
    stride, size, novelty, room, too_heavy, n,
    K: tl.constexpr, TIDY: tl.constexpr, SP: tl.constexpr, BLOCK: tl.constexpr,
) -> None:  # fmt: skip
    """Words, values, weights and flags of the first K of K + 1 candidates of each slot, and what
    those words of the source weigh together that are candidates.

    symbols, heavy, kinds, bases: of the source's words; its rows are `stride` apart.
    known_…: of the `size` words of the vocabulary, the weights by style. n: candidates a sentence.
    """
    b = tl.program_id(0).to(tl.int64)
    S = tl.load(length + b * stride)
    table = known_weights + tl.load(style + b * stride) * size
    place = tl.arange(0, SP)
    real = place < S
    source = tl.load(symbols + b * stride + place, mask=real, other=-1)
    own_base = tl.load(bases + b * stride + place, mask=real, other=-1)
    seen = tl.zeros([SP], tl.int32)
    for begin in range(0, n, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        here = i < n
        at = (b * n + i) // K * (K + 1) + i % K
        word = tl.load(words + at, mask=here, other=-1)
        same = (word[:, None] == source[None, :]) & real[None, :] & here[:, None]
        where = tl.min(tl.where(same, place[None, :], SP), 1)
        seen = tl.maximum(seen, tl.max(same.to(tl.int32), 0))
        own, other = here & (where < SP), here & (where == SP)
        known = tl.minimum(word, size - 1)
        weight = tl.load(heavy + b * stride + where, mask=own, other=0)
        weight += tl.load(table + known, mask=other, other=0)
        flag = tl.load(kinds + b * stride + where, mask=own, other=0)
        flag += tl.load(known_flags + known, mask=other, other=0)
        base = tl.load(known_bases + known, mask=other, other=-2)
        alike = (base[:, None] == own_base[None, :]) & real[None, :]
        new = other & ((flag & ONCE) != 0) & (tl.max(alike.to(tl.int32), 1) == 0)
        unsaid = ((flag & NOT_SAID) != 0) | (weight > room)
        value = tl.load(values + at, mask=here, other=0.0) - tl.where(new, novelty, 0.0)
        value = tl.where(unsaid, float("-inf"), value)
        if not TIDY:
            flag = tl.full([BLOCK], 1, tl.int32)
        tl.store(said + b * n + i, word, mask=here)
        tl.store(worth + b * n + i, value, mask=here)
        tl.store(weights + b * n + i, weight, mask=here)
        tl.store(flags + b * n + i, flag, mask=here)
    mine = tl.load(heavy + b * stride + place, mask=real & (seen > 0), other=0)
    tl.store(total + b, tl.sum(tl.where(mine < too_heavy, mine, 0), 0))
