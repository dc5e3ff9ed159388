"""The published search: first-choice hill climbing from random starts.

With the number of words k fixed, a move exchanges a kept word for a dropped one, both drawn at
random, and is kept if the score does not fall: 0.1·n·k² moves from each of 0.035·n·k² starts, n the
number of words that may be kept.

With a character budget instead, the budget is checked at every step: a start takes words in random
order as long as they fit; a move exchanges a word (half of the time), takes one, or drops one (a
quarter each), and is kept if the result fits and the score does not fall. k is then the number of
words of the first start.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nacc.compiled import kernel
from nacc.search.kernels.objective import chain_of, lm_total, score, vector_sums
from nacc.search.kernels.problem import SearchProblem

STARTS = 0.035
STEPS = 0.1


@kernel
def climb(problem: SearchProblem, seed: int, number: int, share: float) -> NDArray[np.bool_]:
    """The best summary found.

    seed, number: the run's, the sentence's. share: of the published number of starts.
    """
    n = len(problem.costs) - 2
    state = np.empty(1, np.uint64)
    state[0] = np.uint64(seed) * np.uint64(0xD1342543DE82EF95) + np.uint64(number)
    _draw(state, 2)
    order = np.arange(1, n + 1)
    kept = np.zeros(n + 2, np.bool_)
    best_kept = kept.copy()
    best = -np.inf
    count = _begin(problem, state, order)
    starts = max(1, round(share * STARTS * n * count * count))
    steps = max(1, round(STEPS * n * count * count))
    for start in range(starts):
        if start:
            count = _begin(problem, state, order)
        if count == 0:
            break
        new = _climb_from(problem, state, order, count, steps, kept)
        if new > best:
            best = new
            best_kept[:] = kept
    return best_kept


@kernel
def _draw(state: NDArray[np.uint64], below: int) -> int:
    """A number in 0..below−1 by splitmix64; `state` is an array of one."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return int(np.int64((z >> np.uint64(33)) % np.uint64(below)))


@kernel
def _begin(problem: SearchProblem, state: NDArray[np.uint64], order: NDArray[np.int64]) -> int:
    """Shuffle `order`, the kept words to its front; returns their number."""
    n = len(order)
    for i in range(n - 1):
        j = i + _draw(state, n - i)
        order[i], order[j] = order[j], order[i]
    if problem.words > 0:
        return problem.words
    count, used = 0, 0
    for i in range(n):
        if used + problem.costs[order[i]] <= problem.budget:
            used += problem.costs[order[i]]
            order[i], order[count] = order[count], order[i]
            count += 1
    return count


@kernel
def _climb_from(
    problem: SearchProblem,
    state: NDArray[np.uint64],
    order: NDArray[np.int64],
    count: int,
    steps: int,
    kept: NDArray[np.bool_],
) -> float:
    """Climb from the first `count` words of `order`; returns the score, flags the summary.

    Position 0 stands for no word where a move only takes or only drops one.
    """
    n, costs, fixed = len(order), problem.costs, problem.words > 0
    chain, toward = np.empty(n + 4, np.int64), np.empty(n + 2)
    kept[:] = False
    kept[order[:count]] = True
    used = costs[order[:count]].sum()
    chain_of(kept, chain)
    along, square = vector_sums(problem, kept, toward)
    current = score(problem, count, lm_total(problem, chain, count), along, square)
    for _ in range(steps):
        kind = 0 if fixed else _draw(state, 4)  # 0, 1: exchange; 2: take; 3: drop
        if (kind < 3 and count == n) or (kind == 3 and count == 1):
            continue
        i = _draw(state, count) if kind != 2 else 0
        j = count + _draw(state, n - count) if kind != 3 else 0
        out = order[i] if kind != 2 else 0
        into = order[j] if kind != 3 else 0
        new_used = used - costs[out] + costs[into]
        if not fixed and new_used > problem.budget:
            continue
        kept[out], kept[into] = False, True
        kept[0] = False
        size = chain_of(kept, chain)
        new_along = along - problem.to_source[out] + problem.to_source[into]
        new_square = square + problem.dots[out, out] + problem.dots[into, into]
        new_square += 2.0 * (toward[into] - toward[out] - problem.dots[out, into])
        new = score(problem, size, lm_total(problem, chain, size), new_along, new_square)
        if new < current:
            kept[out], kept[into] = True, False
            kept[0] = False
            continue
        current, used, along, square = new, new_used, new_along, new_square
        toward += problem.dots[into] - problem.dots[out]
        if kind == 2:
            i = count
        elif kind == 3:
            j = count - 1
        order[i], order[j] = order[j], order[i]
        count = size
    return current
