"""The score of a summary.

score = weight_lm · log LM + weight_sim · log SIM, the logarithm of LM^weight_lm · SIM^weight_sim:

- LM is the geometric mean of the inverse perplexities of the forward and the backward model:
  with k words, exp of the mean of 2 (k + 1) log probabilities, those of the words and of the
  boundary that ends the headline, read from the left and from the right.
- SIM = (cos + 1) / 2 of the sums of the idf-weighted word vectors of summary and source.

A summary is (n + 2,) flags of the kept positions, or its chain «0 0 w1 … wk n+1 n+1», whose windows
of three are the table entries that add up to 2 (k + 1) · log LM, its LM total.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nacc.compiled import kernel
from nacc.search.kernels.problem import SearchProblem


@kernel
def score(problem: SearchProblem, k: int, total: float, along: float, square: float) -> float:
    """From the word count, the LM total, and the summed vector's part along the source and its
    squared length."""
    cosine = along / np.sqrt(square) if square > 1e-12 else 0.0
    similar = max((1.0 + cosine) / 2.0, 1e-9)
    return problem.weight_lm * total / (2.0 * (k + 1)) + problem.weight_sim * np.log(similar)


@kernel
def lm_total(problem: SearchProblem, chain: NDArray[np.int64], k: int) -> float:
    total = 0.0
    for i in range(k + 2):
        total += problem.table[chain[i], chain[i + 1], chain[i + 2]]
    return total


@kernel
def chain_of(kept: NDArray[np.bool_], chain: NDArray[np.int64]) -> int:
    """Write the chain of the kept positions; returns their number."""
    n = len(kept) - 2
    k = 0
    chain[0] = chain[1] = 0
    for i in range(1, n + 1):
        if kept[i]:
            chain[k + 2] = i
            k += 1
    chain[k + 2] = chain[k + 3] = n + 1
    return k


@kernel
def vector_sums(
    problem: SearchProblem, kept: NDArray[np.bool_], toward: NDArray[np.float64]
) -> tuple[float, float]:
    """(along, square) of the kept words; `toward` becomes every word's dot product with their
    sum."""
    size = len(kept)
    toward[:] = 0.0
    along = square = 0.0
    for i in range(size):
        if kept[i]:
            along += problem.to_source[i]
            for j in range(size):
                toward[j] += problem.dots[i, j]
    for i in range(size):
        if kept[i]:
            square += toward[i]
    return along, square


@kernel
def score_parts(problem: SearchProblem, kept: NDArray[np.bool_]) -> tuple[float, float, float]:
    """(score, log LM, SIM) of the kept words, at least one."""
    chain = np.empty(len(kept) + 2, np.int64)
    k = chain_of(kept, chain)
    along, square = vector_sums(problem, kept, np.empty(len(kept)))
    total = lm_total(problem, chain, k)
    log_lm = total / (2.0 * (k + 1))
    whole = score(problem, k, total, along, square)
    cosine = along / np.sqrt(square) if square > 1e-12 else 0.0
    return whole, log_lm, (1.0 + cosine) / 2.0
