"""Dynamic programming: the best words when the score is a sum.

For a given number of words, log LM is a sum of table entries. What the similarity adds is not, but
near any summary it is nearly one: its gradient gives every word a bonus. The state is the last two
kept positions and the number of words kept. So one pass yields a best chain for every last two
words and every length, hundreds of summaries, and of these the true score may prefer another one
than the sum does.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nacc.compiled import kernel
from nacc.search.kernels.objective import score
from nacc.search.kernels.problem import SearchProblem

_NEVER = -1e30


@kernel
def best_chains(
    table: NDArray[np.float64], bonus: NDArray[np.float64], least: int, most: int
) -> tuple[NDArray[np.float64], NDArray[np.int16]]:
    """The highest LM total + sum of bonuses of m positions, for every last two of them.

    Of m, least..most are wanted. Returns values[m, b, c], the end not yet counted (_NEVER or lower
    where there is no chain), and the way back: before[m, b, c] is the position before b and c.
    """
    n = len(bonus) - 2
    values = np.full((most + 1, n + 1, n + 1), _NEVER)
    before = np.zeros((most + 1, n + 1, n + 1), np.int16)
    for b in range(1, n - max(least - 1, 0) + 1):
        values[1, 0, b] = table[0, 0, b] + bonus[b]
    for m in range(2, most + 1):
        value, reached = values[m - 1], values[m]
        end = n - max(least - m, 0) + 1  # leaves room for the words still to come
        for a in range(m - 2, n):
            for b in range(a + 1, n):
                so_far = value[a, b]
                if so_far < _NEVER / 2:
                    continue
                for c in range(b + 1, end):
                    new = so_far + table[a, b, c]
                    if new > reached[b, c]:
                        reached[b, c] = new
                        before[m, b, c] = a
            if m == 2:
                break
        for b in range(1, n):
            for c in range(b + 1, end):
                reached[b, c] += bonus[c]
    return values, before


@kernel
def _trace(before: NDArray[np.int16], m: int, a: int, b: int, chain: NDArray[np.int64]) -> None:
    """Write the m positions that end with a and b into chain[:m]."""
    for at in range(m - 1, -1, -1):
        chain[at] = b
        if at:
            a, b = int(before[at + 1, a, b]), a


@kernel
def best_by_score(
    problem: SearchProblem,
    bonus: NDArray[np.float64],
    least: int,
    most: int,
    found: NDArray[np.bool_],
) -> int:
    """Of the best chains for every last two words and every length in least..most, those within
    the budget with the highest true score.

    found: (R, n + 2) flags; filled with up to R summaries, best first. Returns how many.
    """
    n, ranks, table = len(bonus) - 2, len(found), problem.table
    values, before = best_chains(table, bonus, least, most)
    scores = np.full(ranks, -np.inf)
    chain = np.empty(most, np.int64)
    count = 0
    for m in range(least, most + 1):
        for a in range(n):
            for b in range(a + 1, n + 1):
                if values[m, a, b] < _NEVER / 2:
                    continue
                _trace(before, m, a, b, chain)
                total = values[m, a, b] + table[a, b, n + 1] + table[b, n + 1, n + 1]
                new = true_score(problem, bonus, chain[:m], total)
                if new <= scores[ranks - 1]:
                    continue
                at = ranks - 1
                while at > 0 and scores[at - 1] < new:
                    scores[at] = scores[at - 1]
                    found[at] = found[at - 1]
                    at -= 1
                scores[at] = new
                found[at] = False
                for i in range(m):
                    found[at, chain[i]] = True
                count = min(count + 1, ranks)
    return count


@kernel
def true_score(
    problem: SearchProblem, bonus: NDArray[np.float64], chain: NDArray[np.int64], total: float
) -> float:
    """The score of a chain whose LM total and bonuses add up to `total`; −∞ beyond the budget."""
    along, square, used = 0.0, 0.0, 0
    for i in range(len(chain)):
        word = chain[i]
        used += problem.costs[word]
        total -= bonus[word]
        along += problem.to_source[word]
        square += problem.dots[word, word]
        for j in range(i):
            square += 2.0 * problem.dots[word, chain[j]]
    if problem.words == 0 and used > problem.budget:
        return -np.inf
    return score(problem, len(chain), total, along, square)
