"""The decoders' front door: a lattice or log-probabilities, weights and a budget in, words out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from nacc.decoding.coherence import Coherence
from nacc.decoding.decoded import Decoded
from nacc.decoding.problem import CONSTRAINED, amount, pose
from nacc.decoding.ranking import ranked
from nacc.decoding.solve import solve
from nacc.errors import InvalidInput
from nacc.lattice import Lattice

T = TypeVar("T")
Each: TypeAlias = T | Sequence[T]


def decode(
    log_probs: Lattice | ArrayLike,
    weights: ArrayLike,
    budget: int,
    *,
    at_least: int = 0,
    method: str = "exact",
    bucket: int = 4,
    top_k: int = 20,
    blank: int = 0,
    merge_repeats: bool = True,
    required: Iterable[int] = (),
    forbidden: Iterable[int] = (),
    no_dangling: Iterable[int] = (),
    once: Iterable[int] = (),
    coherence: Coherence | None = None,
) -> Decoded:
    """The best word sequence whose weight lies in [at_least, budget].

    `log_probs` is a (slots × vocabulary) array, of which the `top_k` best words of each slot are
    tried and `blank` is ε; or a Lattice, whose candidates are taken as they are (`top_k` and
    `blank` then mean nothing). `weights` holds the integer weight of every word id.

    method: "greedy", "bucketed" (the paper's, buckets of `bucket`), "exact", or "coherent", which
    adds what `coherence` says about neighbouring words to the score.
    merge_repeats: a word in several slots in a row is one word; if False, as many.
    required, forbidden: words that must appear (up to 3), and must not.
    no_dangling: words that may not end the answer. once: words that may come only once.
    Constraints go with "exact" and "coherent", and the answer is still the best that meets them.

    If nothing lies in [at_least, budget], the answer is the heaviest reachable below, and
    `floor_met` is False. If no path at all is possible, it is the empty answer; but required
    words that cannot be had raise InvalidInput, or BudgetTooSmall with the budget that would do.
    """
    problem = pose(
        log_probs, weights, method=method, bucket=bucket, top_k=top_k, blank=blank,
        merge_repeats=merge_repeats, required=required, forbidden=forbidden,
        no_dangling=no_dangling, once=once, coherence=coherence,
    )  # fmt: skip
    return solve(problem, *_limits([budget], at_least))[0]


def decode_budgets(
    log_probs: Lattice | ArrayLike,
    weights: ArrayLike,
    budgets: Sequence[int],
    *,
    at_least: int | Sequence[int] = 0,
    method: str = "exact",
    bucket: int = 4,
    top_k: int = 20,
    blank: int = 0,
    merge_repeats: bool = True,
    required: Iterable[int] = (),
    forbidden: Iterable[int] = (),
    no_dangling: Iterable[int] = (),
    once: Iterable[int] = (),
    coherence: Coherence | None = None,
) -> list[Decoded]:
    """`decode` for each of several budgets, from one pass. `at_least`: one floor or one each."""
    problem = pose(
        log_probs, weights, method=method, bucket=bucket, top_k=top_k, blank=blank,
        merge_repeats=merge_repeats, required=required, forbidden=forbidden,
        no_dangling=no_dangling, once=once, coherence=coherence,
    )  # fmt: skip
    return solve(problem, *_limits(budgets, at_least))


def alternatives(
    log_probs: Lattice | ArrayLike,
    weights: ArrayLike,
    budget: int,
    n: int,
    *,
    at_least: int = 0,
    method: str = "exact",
    top_k: int = 20,
    blank: int = 0,
    merge_repeats: bool = True,
    required: Iterable[int] = (),
    forbidden: Iterable[int] = (),
    no_dangling: Iterable[int] = (),
    once: Iterable[int] = (),
    coherence: Coherence | None = None,
) -> list[Decoded]:
    """The n best distinct word sequences `decode` could have given, best first.

    Fewer if there are no more. With method="coherent" the beam is not used: nothing is left out.
    """
    if method not in CONSTRAINED:
        raise InvalidInput(f'alternatives need method="exact" or "coherent", got {method!r}')
    problem = pose(
        log_probs, weights, method=method, bucket=1, top_k=top_k, blank=blank,
        merge_repeats=merge_repeats, required=required, forbidden=forbidden,
        no_dangling=no_dangling, once=once, coherence=coherence,
    )  # fmt: skip
    (low,), (high,) = _limits([budget], at_least)
    return ranked(problem, low, high, amount("n", n, least=1))


def decode_batch(
    lattices: Sequence[Lattice | ArrayLike],
    weights: ArrayLike | Sequence[ArrayLike],
    budget: int | Sequence[int],
    *,
    at_least: int | Sequence[int] = 0,
    method: str = "exact",
    bucket: int = 4,
    top_k: int = 20,
    blank: int = 0,
    merge_repeats: bool = True,
    required: Each[Iterable[int]] = (),
    forbidden: Each[Iterable[int]] = (),
    no_dangling: Each[Iterable[int]] = (),
    once: Each[Iterable[int]] = (),
    coherence: Coherence | Sequence[Coherence] | None = None,
    threads: int | None = None,
) -> list[Decoded]:
    """`decode` for every lattice of a batch, over `threads` threads (default: one per core).

    Weights, budget, floor and constraints are one for all or a sequence with one per lattice.
    """
    n = len(lattices)
    vectors = _each("weights", weights, n, _is_vector)
    budgets = _each("budget", budget, n, _is_number)
    floors = _each("at_least", at_least, n, _is_number)
    sets = [
        _each(name, value, n, _is_set)
        for name, value in [
            ("required", required), ("forbidden", forbidden),
            ("no_dangling", no_dangling), ("once", once),
        ]
    ]  # fmt: skip
    models = _each("coherence", coherence, n, _is_number)

    def one(i: int) -> Decoded:
        return decode(
            lattices[i], vectors[i], budgets[i], at_least=floors[i], method=method, bucket=bucket,
            top_k=top_k, blank=blank, merge_repeats=merge_repeats, required=sets[0][i],
            forbidden=sets[1][i], no_dangling=sets[2][i], once=sets[3][i],
            coherence=models[i],
        )  # fmt: skip

    return _spread(one, n, threads)


def _spread(one: Callable[[int], T], n: int, threads: int | None) -> list[T]:
    """[one(0), …, one(n-1)], worked out by up to `threads` threads, each on a stretch of its own.

    Threads of our own, because Numba's default threading layer aborts the process when two
    threads enter it.
    """
    workers = min(amount("threads", _cores() if threads is None else threads, least=1), n)
    if workers <= 1:
        return [one(i) for i in range(n)]
    stretches = [range(n * w // workers, n * (w + 1) // workers) for w in range(workers)]
    with ThreadPoolExecutor(workers) as pool:
        parts = list(pool.map(lambda stretch: [one(i) for i in stretch], stretches))
    return [answer for part in parts for answer in part]


def _cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _each(name: str, value: Any, n: int, is_one: Callable[[Any], bool]) -> Sequence[Any]:
    """`value` for each of n lattices: itself n times if it is one value."""
    if is_one(value):
        return [value] * n
    if len(value) != n:
        raise InvalidInput(f"{name}: {len(value)} values for {n} lattices; give one, or one each")
    return cast("Sequence[Any]", value)


def _is_number(value: Any) -> bool:
    return not isinstance(value, (Sequence, np.ndarray))


def _is_vector(value: Any) -> bool:
    return len(value) == 0 or np.ndim(value[0]) == 0


def _is_set(value: Any) -> bool:
    return not isinstance(value, (list, tuple)) or all(np.ndim(v) == 0 for v in value[:1])


def _limits(budgets: Sequence[int], at_least: int | Sequence[int]) -> tuple[list[int], list[int]]:
    highs = [amount("budget", budget) for budget in budgets]
    floors = at_least if isinstance(at_least, Sequence) else [at_least] * len(highs)
    lows = [amount("at_least", floor) for floor in floors]
    if len(lows) != len(highs):
        raise InvalidInput(f"{len(lows)} floors at_least for {len(highs)} budgets")
    for low, high in zip(lows, highs, strict=True):
        if low > high:
            raise InvalidInput(f"at_least = {low} is above the budget of {high}")
    return lows, highs
