"""What is not rare, as short lists: kernels.linked's graph, in Triton, one program a slot.

Most candidates and links of a lattice are rare and are left out of the recursion. It would spend
its time on finding that out, one by one and again for every context, so it is found out once, by
as many programs as there are slots.
"""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit(do_not_specialize=["wanted", "U"])
def keep(
    worth, chance, common, pairs, state, held, leads, count, holds, rare, eta_pairs, wanted, U,
    K: tl.constexpr, KP: tl.constexpr, F: tl.constexpr,
) -> None:  # fmt: skip
    """The candidates of a slot that are not rare, of sentences whose state is `wanted`.

    held:  (B, U, K) their columns, those that may be the first of a pair before the others.
    leads: (B, U, K) of those that may, in the same order, the place among the common words.
    count: (B, U, 2) how many there are, and how many of these may.
    holds: (B, U, F) by common word the candidate, as slot · K + column, or −1.
    """
    s, b = tl.program_id(0), tl.program_id(1).to(tl.int64)
    if tl.load(state + b) == wanted:
        slot = b * U + s
        k, f = tl.arange(0, KP), tl.arange(0, F)
        value = tl.load(worth + slot * K + k, mask=k < K, other=float("-inf"))
        likely = tl.load(chance + slot * K + k, mask=k < K, other=-1.0)
        kept = (value > float("-inf")) & (likely >= rare)
        mine = tl.load(common + slot * K + k, mask=kept, other=-1)
        near = tl.load(pairs + (b * F + mine[:, None]) * F + f[None, :], mask=(mine >= 0)[:, None],
                       other=0.0)  # fmt: skip
        first = (tl.max(near, 1) > 0) & (eta_pairs > 0)
        follows = kept & (first == 0)
        leading = tl.sum(first.to(tl.int32), 0)
        place = tl.where(
            first, tl.cumsum(first.to(tl.int32), 0), leading + tl.cumsum(follows.to(tl.int32), 0)
        )
        tl.store(held + slot * K + place - 1, k, mask=kept)
        tl.store(leads + slot * K + place - 1, mine, mask=first)
        tl.store(count + slot * 2, tl.sum(kept.to(tl.int32), 0))
        tl.store(count + slot * 2 + 1, leading)
        here = mine[:, None] == f[None, :]
        tl.store(holds + slot * F + f, tl.max(tl.where(here, s * K + k[:, None], -1), 0))


@triton.jit(do_not_specialize=["wanted", "U", "room"])
def join(
    worth, weights, links, pairs, slots, state, holds, taken,
    leads, count, to, step, degree, sequel, ending, heavy, gain, rare, wanted, room, U,
    K: tl.constexpr, KP: tl.constexpr, F: tl.constexpr, UP: tl.constexpr, R: tl.constexpr,
) -> None:  # fmt: skip
    """The links that are not rare, of the begin and of each slot, and the candidates that may come
    after one and end a pair.

    to, step: (B, U + 1, U) the slots that the links of a row go to, and their values.
    sequel, ending, heavy, gain: (room,) such candidates, as slot · K + column, the place among the
              common words, the weight, the value with the link's; `taken` of them are in use. A
              sentence that finds no room is nobody's (its state is −1).
    degree:   (B, U + 1, 3) how many links, how many sequels, and where these begin.
    """
    row, b = tl.program_id(0), tl.program_id(1).to(tl.int64)
    if tl.load(state + b) == wanted:
        at = b * (U + 1) + row
        t = tl.arange(0, UP)
        S = tl.load(slots + b)
        here = b * U + tl.maximum(row - 1, 0)  # the slot of the row
        kept, leading = tl.load(count + here * 2), tl.load(count + here * 2 + 1)
        last = tl.where((row == 0) | (kept > 0), S, 0)
        usable = (t >= row) & (t < last)
        opened = tl.load(count + (b * U + t) * 2, mask=usable, other=0) > 0
        link = tl.load(links + at * (U + 1) + t, mask=usable & opened, other=float("-inf"))
        joined = (link > float("-inf")) & (tl.exp(link) >= rare)
        place = at * U + tl.cumsum(joined.to(tl.int32), 0) - 1
        tl.store(to + place, t, mask=joined)
        tl.store(step + place, link, mask=joined)
        number = tl.sum(joined.to(tl.int32), 0)
        tl.store(degree + at * 3, number)
        tl.store(degree + at * 3 + 1, 0)
        if (row > 0) & (leading > 0) & (number > 0):
            tl.debug_barrier()  # `to` and `step` were written by others
            follow = _followers(leads + here * K, pairs + b * F * F, leading, KP, F)
            many = _ahead(holds + b * U * F, to + at * U, follow, number, F, R)
            begin = tl.atomic_add(taken, many)
            if begin + many > room:
                tl.store(state + b, -1)
            else:
                tl.store(degree + at * 3 + 1, many)
                tl.store(degree + at * 3 + 2, begin)
                _list(
                    worth + b * U * K, weights + b * U * K, holds + b * U * F, to + at * U,
                    step + at * U, sequel, ending, heavy, gain, follow, number, begin, F, R,
                )  # fmt: skip


@triton.jit
def _followers(leads, pairs, leading, KP: tl.constexpr, F: tl.constexpr):
    """Which common words end a pair that a candidate of the slot begins."""
    k, f = tl.arange(0, KP), tl.arange(0, F)
    mine = tl.load(leads + k, mask=k < leading, other=-1)
    near = tl.load(pairs + mine[:, None] * F + f[None, :], mask=(mine >= 0)[:, None], other=0.0)
    return tl.max(near, 0) > 0


@triton.jit
def _found(holds, to, follow, begin, number, F: tl.constexpr, R: tl.constexpr):
    """Of R links the candidates that end a pair, by common word, or −1."""
    e, f = begin + tl.arange(0, R), tl.arange(0, F)
    slot = tl.load(to + e, mask=e < number, other=0)
    asked = (e < number)[:, None] & follow[None, :]
    return tl.load(holds + slot[:, None] * F + f[None, :], mask=asked, other=-1)


@triton.jit
def _ahead(holds, to, follow, number, F: tl.constexpr, R: tl.constexpr):
    """How many candidates after any of the links end a pair."""
    many = tl.zeros([R], tl.int32)
    for begin in range(0, number, R):
        found = _found(holds, to, follow, begin, number, F, R)
        many += tl.sum((found >= 0).to(tl.int32), 1)
    return tl.sum(many, 0)


@triton.jit
def _list(
    worth, weights, holds, to, step, sequel, ending, heavy, gain, follow, number, place,
    F: tl.constexpr, R: tl.constexpr,
) -> None:  # fmt: skip
    """Write them down, from `place` on."""
    f = tl.arange(0, F)
    for begin in range(0, number, R):
        found = _found(holds, to, follow, begin, number, F, R)
        there = found >= 0
        each = tl.sum(there.to(tl.int32), 1)
        before = tl.cumsum(each, 0) - each
        at = place + before[:, None] + tl.cumsum(there.to(tl.int32), 1) - 1
        e = begin + tl.arange(0, R)
        link = tl.load(step + e, mask=e < number, other=0.0)[:, None]
        value = tl.load(worth + found, mask=there, other=0.0) + link
        tl.store(sequel + at, found, mask=there)
        tl.store(ending + at, found * 0 + f[None, :], mask=there)
        tl.store(heavy + at, tl.load(weights + found, mask=there, other=0), mask=there)
        tl.store(gain + at, value, mask=there)
        place += tl.sum(each, 0)
