"""The best path through a table of kernels.table, and whether it stands.

A context is a set of marked words, as bits.
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


@triton.jit
def bits(word, marks, M: tl.constexpr, C: tl.constexpr):
    """The bit of a word that is marked, 0 for others."""
    bit = word * 0
    if C > 1:
        for m in tl.static_range(M):
            if (1 << m) < C:
                bit += tl.where(word == tl.load(marks + m), 1 << m, 0)
    return bit


@triton.jit
def follow(
    words, worth, weights, flags, said, common, links, pairs, marks, held, count, to, step, degree,
    after, path, length, figures, slack, eta_pairs, high,
    U, K: tl.constexpr, KP: tl.constexpr, F: tl.constexpr, X: tl.constexpr,
    C: tl.constexpr, L: tl.constexpr, M: tl.constexpr, T: tl.constexpr,
) -> None:  # fmt: skip
    """The candidates of the best path that is as heavy as it has to be; of equals the first."""
    none = slack * 0  # a number of the device's kind, whatever runs this
    row, last, last_common, c, x, n = none, none - 1, none - 1, none, none + high, none
    may_end, going = none, none + 1
    score = tl.sum(tl.zeros([KP], worth.dtype.element_ty), 0)
    counted = score
    while going != 0:
        top = score * 0 + float("-inf")
        stop = tl.load(links + row * (U + 1) + U)
        if (may_end != 0) & (x <= slack):
            top = stop
        most, first = _next(
            words, worth, weights, common, pairs, marks, held, count, to, step, degree, after,
            row, last, last_common, c, x, eta_pairs, U, K, KP, F, X, C, L, M,
        )  # fmt: skip
        chosen = tl.where(most > top, first, -1)
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
            c |= bits(word, marks, M, C)
            row, last, last_common = chosen // K + 1, word, mine
            may_end = tl.load(flags + chosen) & 1
    tl.store(length, n)
    tl.store(figures, score)
    tl.store(figures + 1, counted)


@triton.jit
def _next(
    words, worth, weights, common, pairs, marks, held, count, to, step, degree, after,
    row, last, last_common, c, x, eta_pairs,
    U, K: tl.constexpr, KP: tl.constexpr, F: tl.constexpr, X: tl.constexpr,
    C: tl.constexpr, L: tl.constexpr, M: tl.constexpr,
):  # fmt: skip
    """The best way on from a word and what it is worth, L links at a time."""
    k = tl.arange(0, KP)
    top = tl.max(tl.full([KP], float("-inf"), worth.dtype.element_ty), 0)
    chosen = x * 0 - 1
    number = tl.load(degree + row * 3)
    for begin in range(0, number, L):
        e = begin + tl.arange(0, L)
        t = tl.load(to + row * U + e, mask=e < number, other=0)
        link = tl.load(step + row * U + e, mask=e < number, other=float("-inf"))
        there = k[None, :] < tl.load(count + t * 2, mask=e < number, other=0)[:, None]
        i = t[:, None] * K + tl.load(held + t[:, None] * K + k[None, :], mask=there, other=0)
        word = tl.load(words + i, mask=there, other=-1)
        weight = tl.load(weights + i, mask=there, other=0)
        bit = bits(word, marks, M, C)
        may = there & (word != last) & (weight <= x) & ((bit & c) == 0)
        led = i * 0 + last_common >= 0  # as wide as `may`: the interpreter joins no others
        mine = tl.load(common + i, mask=may & led, other=-1)
        pair = tl.load(pairs + last_common * F + mine, mask=mine >= 0, other=0.0)
        total = tl.load(after + (i * C + (c | bit)) * X + x - weight, mask=may, other=float("-inf"))
        total += link[:, None] + tl.load(worth + i, mask=may, other=0.0) + eta_pairs * pair
        total = tl.where(may, total, float("-inf"))
        most = tl.max(tl.max(total, 1), 0)
        at = tl.min(tl.min(tl.where(may & (total == most), i, 2**30), 1), 0)
        chosen = tl.where(most > top, at, chosen)
        top = tl.maximum(top, most)
    return top, chosen


@triton.jit
def settle(words, flags, marks, path, length, state, M: tl.constexpr, TP: tl.constexpr) -> None:
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
