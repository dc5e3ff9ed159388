"""The length-limited recursion over linked slots, one program a sentence: kernels.linked_table and
its `follow`, in Triton.

A context is the set of marked words said so far, as bits: words that may come once, and came twice
in an earlier round. So the first round has one context, and a later one twice as many for each
marked word.
"""

from __future__ import annotations

import triton
import triton.language as tl

NEW = tl.constexpr(0)
SETTLED = tl.constexpr(3)
NOTHING = tl.constexpr(1)
"""No path is as heavy as it has to be."""
TWICE = tl.constexpr(2)
"""A word came twice that may not; it is marked now."""


@triton.jit(do_not_specialize=["wanted"])
def solve(
    words, worth, chance, weights, flags, said, common, links, pairs, slots, limits,
    state, marks, path, length, figures, after, best, which, other, opened,
    B, rare, eta_pairs, wanted, high, U,
    K: tl.constexpr, F: tl.constexpr, KP: tl.constexpr, X: tl.constexpr,
    C: tl.constexpr, M: tl.constexpr, T: tl.constexpr, TP: tl.constexpr,
) -> None:  # fmt: skip
    """The best paths of all sentences whose state is `wanted`, and their new state.

    limits: (B,) the least weight; high: the most. flags: (B, U, K), 1: may come last; 2: only once.
    pairs: (B, F, F) min(1, c(a, b)). marks: (B, M) words to be said once at most, or −1.
    path: (B, T) candidates by slot · K + column, `length` of them. figures: (B, 2) the score and
    the sum of what is expected of words and pairs. after, best, which, other, opened: room to work
    in, for each program.
    """
    program = tl.program_id(0).to(tl.int64)
    after += program * U * K * C * X
    best += program * U * C * X
    which += program * U * C * X
    other += program * U * C * X
    opened += program * U
    for row in range(tl.program_id(0), B, tl.num_programs(0)):
        b = program * 0 + row  # in 64 bits
        now = tl.load(state + b)
        if now == wanted:
            at = b * U * K
            S = tl.load(slots + b)
            slack = high - tl.load(limits + b)
            _table(
                words + at, worth + at, chance + at, weights + at, flags + at, common + at,
                links + b * (U + 1) * (U + 1), pairs + b * F * F, marks + b * M,
                after, best, which, other, opened, S, slack, rare, eta_pairs,
                U, K, F, KP, X, C, M,
            )  # fmt: skip
            _follow(
                words + at, worth + at, chance + at, weights + at, flags + at, said + at,
                common + at, links + b * (U + 1) * (U + 1), pairs + b * F * F, marks + b * M,
                after, opened, path + b * T, length + b, figures + b * 2, S, slack, rare,
                eta_pairs, high, U, K, F, KP, X, C, M, T,
            )  # fmt: skip
            tl.debug_barrier()
            _settle(words + at, flags + at, marks + b * M, path + b * T, length + b, state + b,
                    M, TP)  # fmt: skip
            tl.debug_barrier()


@triton.jit
def _bits(word, marks, M: tl.constexpr, C: tl.constexpr):
    """The bit of a word that is marked, 0 for others."""
    bit = word * 0
    if C > 1:
        for m in tl.static_range(M):
            if (1 << m) < C:
                bit += tl.where(word == tl.load(marks + m), 1 << m, 0)
    return bit


@triton.jit
def _table(
    words, worth, chance, weights, flags, common, links, pairs, marks,
    after, best, which, other, opened, S, slack, rare, eta_pairs,
    U, K: tl.constexpr, F: tl.constexpr, KP: tl.constexpr, X: tl.constexpr,
    C: tl.constexpr, M: tl.constexpr,
) -> None:  # fmt: skip
    k, x = tl.arange(0, KP), tl.arange(0, X)
    for back in range(0, S):
        s = S - 1 - back
        i = s * K + k
        word = tl.load(words + i, mask=k < K, other=-1)
        value = tl.load(worth + i, mask=k < K, other=float("-inf"))
        likely = tl.load(chance + i, mask=k < K, other=-1.0)
        kept = (value > float("-inf")) & (likely >= rare)
        mine = tl.load(common + i, mask=(k < K) & kept, other=-1)
        # Which candidates may make a pair, as bits; below 0 where the slot has none at all.
        pairing = tl.sum(tl.where(mine >= 0, 1 << k, 0), 0)
        is_open = tl.sum(kept.to(tl.int32), 0) > 0
        tl.store(opened + s, tl.where(is_open, pairing, -1))
        if is_open:
            weight = tl.load(weights + i, mask=k < K, other=0)
            flag = tl.load(flags + i, mask=k < K, other=0)
            bit = _bits(word, marks, M, C)
            stop = tl.load(links + (s + 1) * (U + 1) + U)
            ends = ((flag & 1) != 0)[:, None] & (x <= slack)[None, :]
            for c in range(0, C):
                top, first, second = _ways(
                    links, best, which, other, opened, s, S, rare, c, U, X, C
                )
                same = first[None, :] == word[:, None]
                tile = tl.where(same, second[None, :], top[None, :])
                tile = tl.maximum(tile, tl.where(ends, stop, float("-inf")))
                if eta_pairs > 0:
                    tile = _add_pairs(
                        tile, mine, words, worth, weights, common, links, pairs, marks, after,
                        opened, s, S, rare, eta_pairs, c, U, K, F, KP, X, C, M,
                    )  # fmt: skip
                cell = (i[:, None] * C + c) * X + x[None, :]
                tl.store(after + cell, tile, mask=(k < K)[:, None])
            tl.debug_barrier()
            for c in range(0, C):
                left = x[None, :] - weight[:, None]
                may = (kept & ((bit & c) == 0))[:, None] & (left >= 0)
                cell = (i * C + (c | bit))[:, None] * X + left
                gained = tl.load(after + cell, mask=may, other=float("-inf")) + value[:, None]
                gained = tl.where(may, gained, float("-inf"))
                top = tl.max(gained, 0)
                at = tl.argmax(gained, 0)
                chosen = k[:, None] == at[None, :]
                second = tl.max(tl.where(chosen, float("-inf"), gained), 0)
                first = tl.sum(tl.where(chosen, word[:, None], 0), 0)
                cell = (s * C + c) * X + x
                tl.store(best + cell, top)
                tl.store(which + cell, tl.where(top > float("-inf"), first, -1))
                tl.store(other + cell, second)
        tl.debug_barrier()


@triton.jit
def _ways(
    links, best, which, other, opened, s, S, rare, c,
    U, X: tl.constexpr, C: tl.constexpr,
):  # fmt: skip
    """After any word of a slot, by the weight to come: the best way on, its first word, and the
    best with another first word."""
    x = tl.arange(0, X)
    dtype = best.dtype.element_ty
    top, second = tl.full([X], float("-inf"), dtype), tl.full([X], float("-inf"), dtype)
    first = tl.full([X], -1, tl.int32)
    for t in range(s + 1, S):
        link = tl.load(links + (s + 1) * (U + 1) + t)
        if (tl.load(opened + t) >= 0) & (tl.exp(link) >= rare) & (link > float("-inf")):
            cell = (t * C + c) * X + x
            new, word = tl.load(best + cell) + link, tl.load(which + cell)
            next_best = tl.load(other + cell) + link
            same, wins = word == first, new > top
            loser = tl.where(wins, top, new)
            loser = tl.where(same | (wins & (next_best > loser)), next_best, loser)
            second = tl.maximum(second, loser)
            first = tl.where(wins, word, first)
            top = tl.maximum(top, new)
    return top, first, second


@triton.jit
def _add_pairs(
    tile, mine, words, worth, weights, common, links, pairs, marks, after, opened,
    s, S, rare, eta_pairs, c,
    U, K: tl.constexpr, F: tl.constexpr, KP: tl.constexpr, X: tl.constexpr,
    C: tl.constexpr, M: tl.constexpr,
):  # fmt: skip
    """Let the words that are expected right after each candidate compete, at every weight."""
    x = tl.arange(0, X)
    for t in range(s + 1, S):
        link = tl.load(links + (s + 1) * (U + 1) + t)
        pairing = tl.load(opened + t)
        if (pairing > 0) & (tl.exp(link) >= rare) & (link > float("-inf")):
            for j in range(0, K):
                if ((pairing >> j) & 1) != 0:
                    at = t * K + j
                    following = tl.load(common + at)
                    bonus = tl.load(pairs + mine * F + following, mask=mine >= 0, other=0.0)
                    bit = _bits(tl.load(words + at), marks, M, C)
                    if (tl.max(bonus, 0) > 0) & ((bit & c) == 0):
                        left = x - tl.load(weights + at)
                        cell = (at * C + (c | bit)) * X + left
                        way = tl.load(after + cell, mask=left >= 0, other=float("-inf"))
                        way += link + tl.load(worth + at)
                        gained = way[None, :] + eta_pairs * bonus[:, None]
                        tile = tl.maximum(tile, tl.where(bonus[:, None] > 0, gained, float("-inf")))
    return tile


@triton.jit
def _follow(
    words, worth, chance, weights, flags, said, common, links, pairs, marks, after, opened,
    path, length, figures, S, slack, rare, eta_pairs, high,
    U, K: tl.constexpr, F: tl.constexpr, KP: tl.constexpr, X: tl.constexpr,
    C: tl.constexpr, M: tl.constexpr, T: tl.constexpr,
) -> None:  # fmt: skip
    """The candidates of the best path that is as heavy as it has to be; of equals the first."""
    k = tl.arange(0, KP)
    none = S * 0  # a number of the device's kind, whatever runs this
    row, last, last_common, c, x, n = none, none - 1, none - 1, none, none + high, none
    may_end, going = none, none + 1
    score = tl.sum(tl.zeros([KP], worth.dtype.element_ty), 0)
    counted = score
    while going != 0:
        top, chosen = score * 0 + float("-inf"), -1
        stop = tl.load(links + row * (U + 1) + U)
        if (may_end != 0) & (x <= slack):
            top = stop
        for t in range(row, S):
            link = tl.load(links + row * (U + 1) + t)
            if (tl.load(opened + t) >= 0) & (tl.exp(link) >= rare) & (link > float("-inf")):
                i = t * K + k
                word = tl.load(words + i, mask=k < K, other=-1)
                value = tl.load(worth + i, mask=k < K, other=float("-inf"))
                likely = tl.load(chance + i, mask=k < K, other=-1.0)
                weight = tl.load(weights + i, mask=k < K, other=0)
                bit = _bits(word, marks, M, C)
                may = (value > float("-inf")) & (likely >= rare) & (word != last) & (weight <= x)
                may &= (bit & c) == 0
                mine = tl.where(last_common >= 0, tl.load(common + i, mask=k < K, other=-1), -1)
                pair = tl.load(pairs + last_common * F + mine, mask=mine >= 0, other=0.0)
                cell = (i * C + (c | bit)) * X + x - weight
                total = tl.load(after + cell, mask=may, other=float("-inf"))
                total += link + value + eta_pairs * pair
                total = tl.where(may, total, float("-inf"))
                most = tl.max(total, 0)
                if most > top:
                    top = most
                    chosen = t * K + tl.argmax(total, 0)
        if (chosen < 0) | (n >= T):
            going = none
            n = tl.where(chosen < 0, n, 0)  # longer than there is room for
            score += tl.where(may_end != 0, stop, float("-inf"))
        else:
            tl.store(path + n, chosen)
            n += 1
            word, mine = tl.load(words + chosen), tl.load(common + chosen)
            pair = tl.load(
                pairs + last_common * F + mine, mask=(last_common >= 0) & (mine >= 0), other=0.0
            )
            link = tl.load(links + row * (U + 1) + chosen // K)
            score += link + tl.load(worth + chosen) + eta_pairs * pair
            counted += tl.load(said + chosen) + pair
            x -= tl.load(weights + chosen)
            c |= _bits(word, marks, M, C)
            row, last, last_common = chosen // K + 1, word, mine
            may_end = tl.load(flags + chosen) & 1
    tl.store(length, n)
    tl.store(figures, score)
    tl.store(figures + 1, counted)


@triton.jit
def _settle(words, flags, marks, path, length, state, M: tl.constexpr, TP: tl.constexpr) -> None:
    """Whether the path stands; if a word came twice that may not, it is marked."""
    t = tl.arange(0, TP)
    n = tl.load(length)
    chosen = tl.load(path + t, mask=t < n, other=0)
    word = tl.load(words + chosen, mask=t < n, other=-1)
    once = (tl.load(flags + chosen, mask=t < n, other=0) & 2) != 0
    again = (word[:, None] == word[None, :]) & (t[None, :] < t[:, None]) & once[:, None]
    came = tl.sum(again.to(tl.int32), 1) > 0
    at = tl.min(tl.where(came, t, TP), 0)
    free = t * 0
    for m in tl.static_range(M):
        free += (tl.load(marks + m) >= 0).to(tl.int32)
    repeated = tl.sum(tl.where(t == at, word, 0), 0)
    found = tl.where(t == 0, at, TP) < TP
    tl.store(marks + free, repeated, mask=found & (free < M))
    new = tl.where(n == 0, NOTHING, SETTLED)
    tl.store(state, tl.where(at < TP, TWICE, new))
