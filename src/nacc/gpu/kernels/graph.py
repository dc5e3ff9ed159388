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
    worth, chance, common, pairs, state, held, count, holds, rare, eta_pairs, wanted, U,
    K: tl.constexpr, KP: tl.constexpr, F: tl.constexpr,
) -> None:  # fmt: skip
    """The candidates of a slot that are not rare, of sentences whose state is `wanted`.

    held:  (B, U, K) their columns, those that may be the first of a pair before the others.
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
        leads = (tl.max(near, 1) > 0) & (eta_pairs > 0)
        follows = kept & (leads == 0)
        leading = tl.sum(leads.to(tl.int32), 0)
        place = tl.where(
            leads, tl.cumsum(leads.to(tl.int32), 0), leading + tl.cumsum(follows.to(tl.int32), 0)
        )
        tl.store(held + slot * K + place - 1, k, mask=kept)
        tl.store(count + slot * 2, tl.sum(kept.to(tl.int32), 0))
        tl.store(count + slot * 2 + 1, leading)
        here = mine[:, None] == f[None, :]
        tl.store(holds + slot * F + f, tl.max(tl.where(here, s * K + k[:, None], -1), 0))


@triton.jit(do_not_specialize=["wanted", "U"])
def join(
    common, links, pairs, slots, state, held, count, holds, to, step, degree, need, rare, wanted, U,
    K: tl.constexpr, KP: tl.constexpr, F: tl.constexpr, UP: tl.constexpr, R: tl.constexpr,
) -> None:  # fmt: skip
    """The links that are not rare, of the begin and of each slot, and whom pairs may lead to.

    to, step: (B, U + 1, U) the slots that the links of a row go to, and their values.
    need:     (B, U + 1, F) the common words that come after a link and end a pair.
    degree:   (B, U + 1, 2) how many links, and how many such words.
    """
    row, b = tl.program_id(0), tl.program_id(1).to(tl.int64)
    if tl.load(state + b) == wanted:
        at = b * (U + 1) + row
        t, f, k = tl.arange(0, UP), tl.arange(0, F), tl.arange(0, KP)
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
        tl.store(degree + at * 2, number)
        needs = number * 0
        if (row > 0) & (leading > 0):
            first = tl.load(held + here * K + k, mask=k < leading, other=0)
            mine = tl.load(common + here * K + first, mask=k < leading, other=-1)
            near = tl.load(pairs + (b * F + mine[:, None]) * F + f[None, :],
                           mask=(mine >= 0)[:, None], other=0.0)  # fmt: skip
            ahead = tl.full([F], -1, tl.int32)
            tl.debug_barrier()  # `to` was written by others
            for begin in range(0, number, R):
                e = begin + tl.arange(0, R)
                slot = tl.load(to + at * U + e, mask=e < number, other=0)
                found = tl.load(holds + (b * U + slot)[:, None] * F + f[None, :],
                                mask=(e < number)[:, None], other=-1)  # fmt: skip
                ahead = tl.maximum(ahead, tl.max(found, 0))
            wants = (tl.max(near, 0) > 0) & (ahead >= 0)
            tl.store(need + at * F + tl.cumsum(wants.to(tl.int32), 0) - 1, f, mask=wants)
            needs = tl.sum(wants.to(tl.int32), 0)
        tl.store(degree + at * 2 + 1, needs)
