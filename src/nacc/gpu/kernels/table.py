"""The length-limited recursion over linked slots, one program a sentence: kernels.linked_table, in
Triton, over the lists that kernels.graph makes.

A context is the set of marked words said so far, as bits: words that may come once, and came twice
in an earlier round. So the first round has one context, and a later one twice as many for each
marked word. What stands below as one number is a vector over contexts and weights, Y = C · X long;
links and candidates are taken R at a time, so that R · Y loads are under way before one is waited
for.
"""

from __future__ import annotations

import triton
import triton.language as tl

from nacc.gpu.kernels.path import bits, follow, settle


@triton.jit(do_not_specialize=["U", "high"])
def solve(
    words, worth, weights, flags, said, common, links, pairs, slots, limits,
    state, marks, path, length, figures,
    held, leads, count, to, step, degree, sequel, ending, heavy, gain,
    after, best, which, other, queue, waiting, eta_pairs, high, U,
    K: tl.constexpr, KP: tl.constexpr, F: tl.constexpr, X: tl.constexpr, C: tl.constexpr,
    R: tl.constexpr, L: tl.constexpr, M: tl.constexpr, T: tl.constexpr, TP: tl.constexpr,
) -> None:  # fmt: skip
    """The best paths of the sentences in the queue, `waiting` of them, and their new state.

    limits: (B,) the least weight; high: the most. flags: (B, U, K), 1: may come last; 2: only once.
    pairs: (B, F, F) min(1, c(a, b)). marks: (B, M) words to be said once at most, or −1.
    path: (B, T) candidates by slot · K + column, `length` of them. figures: (B, 2) the score and
    the sum of what is expected of words and pairs. after, best, which, other: room to work in, for
    each program.
    """
    program = tl.program_id(0).to(tl.int64)
    after += program * U * K * C * X
    best += program * U * C * X
    which += program * U * C * X
    other += program * U * C * X
    for turn in range(tl.program_id(0), tl.load(waiting), tl.num_programs(0)):
        b = tl.load(queue + turn).to(tl.int64)
        at, rows = b * U * K, b * (U + 1)
        slack = high - tl.load(limits + b)
        _table(
            words + at, worth + at, weights + at, flags + at,
            links + rows * (U + 1), pairs + b * F * F, marks + b * M,
            held + at, leads + at, count + b * U * 2, to + rows * U, step + rows * U,
            degree + rows * 3, sequel, ending, heavy, gain,
            after, best, which, other, tl.load(slots + b), slack, eta_pairs, U, K, F, X, C, R, M,
        )  # fmt: skip
        follow(
            words + at, worth + at, weights + at, flags + at, said + at, common + at,
            links + rows * (U + 1), pairs + b * F * F, marks + b * M, held + at, count + b * U * 2,
            to + rows * U, step + rows * U, degree + rows * 3,
            after, path + b * T, length + b, figures + b * 2, slack, eta_pairs, high,
            U, K, KP, F, X, C, L, M, T,
        )  # fmt: skip
        tl.debug_barrier()
        settle(words + at, flags + at, marks + b * M, path + b * T, length + b, state + b, M, TP)
        tl.debug_barrier()


@triton.jit
def _table(
    words, worth, weights, flags, links, pairs, marks,
    held, leads, count, to, step, degree, sequel, ending, heavy, gain,
    after, best, which, other, S, slack, eta_pairs,
    U, K: tl.constexpr, F: tl.constexpr, X: tl.constexpr, C: tl.constexpr,
    R: tl.constexpr, M: tl.constexpr,
) -> None:  # fmt: skip
    y = tl.arange(0, C * X)
    for back in range(0, S):
        s = S - 1 - back
        kept = tl.load(count + s * 2)
        if kept > 0:
            row = s + 1
            leading = tl.load(count + s * 2 + 1)
            stop = tl.load(links + row * (U + 1) + U)
            top, first, second = _ways(best, which, other, to, step, degree, row, U, X, C, R)
            for begin in range(0, kept, R):
                r = begin + tl.arange(0, R)
                i = s * K + tl.load(held + s * K + r, mask=r < kept, other=0)
                word = tl.load(words + i, mask=r < kept, other=-1)
                may_end = (tl.load(flags + i, mask=r < kept, other=0) & 1) != 0
                tile = tl.where(first[None, :] == word[:, None], second[None, :], top[None, :])
                ends = may_end[:, None] & ((y % X) <= slack)[None, :]
                tile = tl.maximum(tile, tl.where(ends, stop, float("-inf")))
                if begin < leading:
                    tile = _paired(
                        tile, words, pairs, marks, leads + s * K, degree + row * 3, sequel, ending,
                        heavy, gain, after, begin, leading, eta_pairs, F, X, C, R, M,
                    )  # fmt: skip
                tl.store(after + i[:, None] * (C * X) + y[None, :], tile, mask=(r < kept)[:, None])
            tl.debug_barrier()
            top, first, second = _say(
                words, worth, weights, marks, held, after, s, kept, K, X, C, R, M
            )
            tl.store(best + s * (C * X) + y, top)
            tl.store(which + s * (C * X) + y, first)
            tl.store(other + s * (C * X) + y, second)
            tl.debug_barrier()


@triton.jit
def _join(top, first, second, values, firsts, others):
    """Of ways known so far and R more, by what comes first: the best, its first word, and the best
    with another first word."""
    most = tl.max(values, 0)
    leads = values == most[None, :]
    word = tl.max(tl.where(leads, firsts, -1), 0)
    rest = tl.max(tl.where(firsts == word[None, :], others, values), 0)
    wins = most > top
    # Of two ways the lesser is the second best, unless it begins as the better one does.
    loser = tl.where(wins, top, most)
    deeper = tl.where(wins, rest, second)
    second = tl.where(word == first, tl.maximum(rest, second), tl.maximum(loser, deeper))
    return tl.maximum(top, most), tl.where(wins, word, first), second


@triton.jit
def _ways(
    best, which, other, to, step, degree, row,
    U, X: tl.constexpr, C: tl.constexpr, R: tl.constexpr,
):  # fmt: skip
    """After any word of a slot, by the weight to come: the best way on, its first word, and the
    best with another first word."""
    y = tl.arange(0, C * X)
    dtype = best.dtype.element_ty
    top, second = tl.full([C * X], float("-inf"), dtype), tl.full([C * X], float("-inf"), dtype)
    first = tl.full([C * X], -1, tl.int32)
    number = tl.load(degree + row * 3)
    for begin in range(0, number, R):
        e = begin + tl.arange(0, R)
        there = (e < number)[:, None]
        t = tl.load(to + row * U + e, mask=e < number, other=0)
        link = tl.load(step + row * U + e, mask=e < number, other=float("-inf"))[:, None]
        cell = t[:, None] * (C * X) + y[None, :]
        values = tl.load(best + cell, mask=there, other=float("-inf")) + link
        firsts = tl.load(which + cell, mask=there, other=-1)
        others = tl.load(other + cell, mask=there, other=float("-inf")) + link
        top, first, second = _join(top, first, second, values, firsts, others)
    return top, first, second


@triton.jit
def _paired(
    tile, words, pairs, marks, leads, degree, sequel, ending, heavy, gain, after,
    begin, leading, eta_pairs,
    F: tl.constexpr, X: tl.constexpr, C: tl.constexpr, R: tl.constexpr, M: tl.constexpr,
):  # fmt: skip
    """What follows R candidates of a slot, by what is known and by the pairs that they begin."""
    y, r = tl.arange(0, C * X), begin + tl.arange(0, R)
    number, place = tl.load(degree + 1), tl.load(degree + 2)
    for start in range(0, number, R):
        e = start + tl.arange(0, R)
        there = e < number
        i = tl.load(sequel + place + e, mask=there, other=0)
        f = tl.load(ending + place + e, mask=there, other=0)
        weight = tl.load(heavy + place + e, mask=there, other=0)
        value = tl.load(gain + place + e, mask=there, other=0.0)
        values = _after(words, marks, after, i, weight, there, y, X, C, M) + value[:, None]
        for lead in range(begin, tl.minimum(leading, begin + R)):
            bonus = tl.load(pairs + tl.load(leads + lead) * F + f, mask=there, other=0.0)
            gained = tl.where(
                bonus[:, None] > 0, values + eta_pairs * bonus[:, None], float("-inf")
            )
            best = tl.max(gained, 0)
            tile = tl.where((r == lead)[:, None], tl.maximum(tile, best[None, :]), tile)
    return tile


@triton.jit
def _after(
    words, marks, after, i, weight, there, y,
    X: tl.constexpr, C: tl.constexpr, M: tl.constexpr,
):  # fmt: skip
    """What follows candidates, by the context before each and the weight with it; −inf where it
    may not be said."""
    weight = weight[:, None]
    bit = bits(tl.load(words + i, mask=there, other=-1), marks, M, C)[:, None]
    may = there[:, None] & ((y % X)[None, :] >= weight) & (((y // X)[None, :] & bit) == 0)
    # A bit that was not set is: so many contexts further on.
    cell = i[:, None] * (C * X) + y[None, :] + bit * X - weight
    return tl.load(after + cell, mask=may, other=float("-inf"))


@triton.jit
def _say(
    words, worth, weights, marks, held, after, s, kept,
    K: tl.constexpr, X: tl.constexpr, C: tl.constexpr, R: tl.constexpr, M: tl.constexpr,
):  # fmt: skip
    """The best that a slot can say, by the weight from there on; its first word, and the best with
    another."""
    y = tl.arange(0, C * X)
    dtype = after.dtype.element_ty
    top, second = tl.full([C * X], float("-inf"), dtype), tl.full([C * X], float("-inf"), dtype)
    first = tl.full([C * X], -1, tl.int32)
    for begin in range(0, kept, R):
        r = begin + tl.arange(0, R)
        i = s * K + tl.load(held + s * K + r, mask=r < kept, other=0)
        value = tl.load(worth + i, mask=r < kept, other=0.0)[:, None]
        word = tl.load(words + i, mask=r < kept, other=-1)[:, None]
        weight = tl.load(weights + i, mask=r < kept, other=0)
        values = _after(words, marks, after, i, weight, r < kept, y, X, C, M) + value
        firsts = tl.where(values > float("-inf"), word, -1)
        nothing = tl.full([R, C * X], float("-inf"), dtype)
        top, first, second = _join(top, first, second, values, firsts, nothing)
    return top, first, second
