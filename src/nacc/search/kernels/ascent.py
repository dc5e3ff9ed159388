"""Our search: dynamic programming for where to start, steepest ascent from there.

The similarity is made a sum by its gradient at a summary. Of the best chains under that sum the
ones of the highest true score are taken up, and every single exchange (with a character budget
also every word taken or dropped) is scored from the table, the best one made, until none helps.
At the summary this leads to the gradient is taken anew, as long as the score rises. The first
bonuses, before there is any summary, are every word's part along the source, in several strengths;
with a character budget also less a price per character. Nothing is drawn at random.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nacc.compiled import kernel
from nacc.search.kernels.chains import best_by_score
from nacc.search.kernels.objective import chain_of, lm_total, score, vector_sums
from nacc.search.kernels.problem import SearchProblem

STRENGTHS = (0.15, 0.3, 0.6, 1.0, 1.6)
PRICES = (0.0, 0.3)
_FEWER, _MORE = 3, 4  # words than a summary of words of mean length
_ROUNDS = 8
_CHAINS = 6
_RISE = 1e-7


@kernel
def ascent(problem: SearchProblem) -> NDArray[np.bool_]:
    """The best summary found."""
    n = len(problem.costs) - 2
    least = most = likely = problem.words
    if likely == 0:
        likely = max(1, min(n, round(problem.budget * n / problem.costs.sum())))
        least, most = max(1, likely - _FEWER), min(n, likely + _MORE)
    kept = np.zeros(n + 2, np.bool_)
    best_kept = kept.copy()
    best = -np.inf
    for strength in STRENGTHS:
        for price in PRICES:
            if price > 0.0 and problem.words > 0:
                continue
            new = _rise(
                problem, least, most, _first_bonuses(problem, likely, strength), price, kept
            )
            if new > best:
                best = new
                best_kept[:] = kept
    return best_kept


@kernel
def _rise(
    problem: SearchProblem,
    least: int,
    most: int,
    bonus: NDArray[np.float64],
    price: float,
    best_kept: NDArray[np.bool_],
) -> float:
    """Chains under the bonuses, moves from the best of them, new bonuses where these led, as long
    as the score rises. Returns it; flags the summary."""
    size = len(bonus)
    found = np.zeros((_CHAINS, size), np.bool_)
    best = -np.inf
    for _ in range(_ROUNDS):
        risen = False
        priced = bonus - price * problem.costs
        for rank in range(best_by_score(problem, priced, least, most, found)):
            new = ascend(problem, found[rank])
            if new > best + _RISE:
                best, risen = new, True
                best_kept[:] = found[rank]
        if not risen:
            break
        bonus = _bonuses(problem, best_kept)
    return best


@kernel
def _first_bonuses(problem: SearchProblem, k: int, strength: float) -> NDArray[np.float64]:
    """As the gradient would be for words of the source's mean vector, at right angles to it."""
    n = len(problem.costs) - 2
    length = np.sqrt(max(problem.dots.sum(), 1e-12)) * k / n
    scale = strength * problem.weight_sim / length * (k + 1) / problem.weight_lm
    return scale * problem.to_source


@kernel
def _bonuses(problem: SearchProblem, kept: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The gradient of weight_sim · log SIM by how much of each word is kept, in units of the LM
    total."""
    toward = np.empty(len(kept))
    along, square = vector_sums(problem, kept, toward)
    k = kept.sum()
    length = np.sqrt(max(square, 1e-12))
    cosine = along / length
    scale = problem.weight_sim / (1.0 + cosine) / length * 2.0 * (k + 1) / problem.weight_lm
    return scale * (problem.to_source - cosine / length * toward)


@kernel
def ascend(problem: SearchProblem, kept: NDArray[np.bool_]) -> float:
    """Make the best move until none raises the score; returns the score."""
    n = len(kept) - 2
    chain, toward = np.empty(n + 4, np.int64), np.empty(n + 2)
    while True:
        k = chain_of(kept, chain)
        along, square = vector_sums(problem, kept, toward)
        total = lm_total(problem, chain, k)
        current = score(problem, k, total, along, square)
        best, out, into = _best_move(problem, chain, k, toward, total, along, square)
        if best <= current + _RISE:
            return current
        kept[out] = False
        kept[into] = True
        kept[0] = False  # out or into is 0 where no word is dropped or taken


@kernel
def _best_move(
    problem: SearchProblem,
    chain: NDArray[np.int64],
    k: int,
    toward: NDArray[np.float64],
    total: float,
    along: float,
    square: float,
) -> tuple[float, int, int]:
    """The highest score one move away, the word it drops and the word it takes (0: none)."""
    table, dots, fixed = problem.table, problem.dots, problem.words > 0
    room = problem.budget
    for i in range(2, k + 2):
        room -= problem.costs[chain[i]]
    best, best_out, best_in = -np.inf, 0, 0
    rest = np.empty(k + 4, np.int64)
    for at in range(2 if fixed else 1, k + 2):
        rest[:] = chain[: k + 4]
        out, size, lm = 0, k, total
        if at > 1:
            out, size = chain[at], k - 1
            l2, l1, r1, r2 = chain[at - 2], chain[at - 1], chain[at + 1], chain[at + 2]
            lm += table[l2, l1, r1] + table[l1, r1, r2]
            lm -= table[l2, l1, out] + table[l1, out, r1] + table[out, r1, r2]
            rest[at : k + 3] = chain[at + 1 : k + 4]
        near = along - problem.to_source[out]
        far = square + dots[out, out] - 2.0 * toward[out]
        if not fixed and out > 0 and size > 0:
            new = score(problem, size, lm, near, far)
            if new > best:
                best, best_out, best_in = new, out, 0
        for gap in range(1, size + 2):
            l2, l1, r1, r2 = rest[gap - 1], rest[gap], rest[gap + 1], rest[gap + 2]
            without = lm - table[l2, l1, r1] - table[l1, r1, r2]
            for c in range(l1 + 1, r1):
                if c == out or (not fixed and problem.costs[c] > room + problem.costs[out]):
                    continue
                new = score(
                    problem,
                    size + 1,
                    without + table[l2, l1, c] + table[l1, c, r1] + table[c, r1, r2],
                    near + problem.to_source[c],
                    far + dots[c, c] + 2.0 * (toward[c] - dots[out, c]),
                )
                if new > best:
                    best, best_out, best_in = new, out, c
    return best, best_out, best_in
