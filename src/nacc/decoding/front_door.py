"""The decoders' front door: a lattice or log-probabilities, weights and a budget in, words out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Unpack, cast

import numpy as np
from numpy.typing import ArrayLike

from nacc.decoding.decoded import Decoded
from nacc.decoding.how import How, HowEach
from nacc.decoding.problem import RULES, DecodingProblem, amount
from nacc.errors import InvalidInput
from nacc.lattice import Lattice
from nacc.parallel import cores, spread


@dataclass(frozen=True, eq=False)
class Question:
    """A problem, and the weights between which an answer is to lie. Asked for more answers, it is
    not worked out anew."""

    problem: DecodingProblem
    low: int
    high: int

    @classmethod
    def of(
        cls, source: Lattice | ArrayLike, weights: ArrayLike, budget: int, at_least: int, how: How
    ) -> Question:
        return cls(DecodingProblem.of(source, weights, how), *_limits(budget, at_least))

    def best(self) -> Decoded:
        return self.problem.decoder.solve(self.problem, [self.low], [self.high])[0]

    def ranked(self, n: int) -> list[Decoded]:
        """The n best, or as many as there are."""
        return self.problem.decoder.rank(self.problem, self.low, self.high, n)


def decode(
    log_probs: Lattice | ArrayLike,
    weights: ArrayLike,
    budget: int,
    *,
    at_least: int = 0,
    **how: Unpack[How],
) -> Decoded:
    """The best word sequence whose weight lies in [at_least, budget].

    `log_probs` is a (slots × vocabulary) array, of which the `top_k` best words of each slot are
    tried and `blank` is ε; or a Lattice, whose candidates are taken as they are. `weights` holds
    the integer weight of every word id. `how`: see `nacc.decoding.problem.How`.

    If nothing lies in [at_least, budget], the answer is the heaviest reachable below, and
    `floor_met` is False. If no path at all is possible, it is the empty answer; but required
    words that cannot be had raise InvalidInput, or BudgetTooSmall with the budget that would do.
    """
    return Question.of(log_probs, weights, budget, at_least, how).best()


def decode_budgets(
    log_probs: Lattice | ArrayLike,
    weights: ArrayLike,
    budgets: Sequence[int],
    *,
    at_least: int | Sequence[int] = 0,
    **how: Unpack[How],
) -> list[Decoded]:
    """`decode` for each of several budgets, from one pass; of equally good answers it may take
    another. `at_least`: one floor or one each."""
    problem = DecodingProblem.of(log_probs, weights, how)
    floors = at_least if isinstance(at_least, Sequence) else [at_least] * len(budgets)
    if len(floors) != len(budgets):
        raise InvalidInput(f"{len(floors)} floors at_least for {len(budgets)} budgets")
    limits = [_limits(budget, floor) for budget, floor in zip(budgets, floors, strict=True)]
    return problem.decoder.solve(problem, [low for low, _ in limits], [high for _, high in limits])


def alternatives(
    log_probs: Lattice | ArrayLike,
    weights: ArrayLike,
    budget: int,
    n: int,
    *,
    at_least: int = 0,
    **how: Unpack[How],
) -> list[Decoded]:
    """The n best distinct word sequences `decode` could have given, best first.

    Fewer if there are no more. With method="coherent" the beam is not used: nothing is left out.
    """
    question = Question.of(log_probs, weights, budget, at_least, how)
    return question.ranked(amount("n", n, least=1))


def decode_batch(
    lattices: Sequence[Lattice | ArrayLike],
    weights: ArrayLike | Sequence[ArrayLike],
    budget: int | Sequence[int],
    *,
    at_least: int | Sequence[int] = 0,
    threads: int | None = None,
    **how: Unpack[HowEach],
) -> list[Decoded]:
    """`decode` for every lattice of a batch, over `threads` threads (default: one per core).

    Weights, budget, floor, constraints and coherence are one for all or a sequence with one per
    lattice.
    """
    n = len(lattices)
    vectors = _each("weights", weights, n, _is_vector)
    budgets = _each("budget", budget, n, _is_number)
    floors = _each("at_least", at_least, n, _is_number)
    hows = _hows(how, n)

    def work(parts: Sequence[range]) -> list[list[Decoded]]:
        return [
            [
                decode(lattices[i], vectors[i], budgets[i], at_least=floors[i], **hows[i])
                for i in part
            ]
            for part in parts
        ]

    workers = min(amount("threads", cores() if threads is None else threads, least=1), n)
    parts = [range(n * part // workers, n * (part + 1) // workers) for part in range(workers)]
    return [answer for part in spread(work, parts, workers=workers) for answer in part]


def _hows(how: HowEach, n: int) -> Sequence[How]:
    """What is asked of each of n lattices."""
    kinds = {**dict.fromkeys(RULES, _is_set), "phrases": _is_phrases, "coherence": _is_number}
    each = {
        name: _each(name, value, n, kinds[name])
        for name, value in how.items()
        if name in kinds and not kinds[name](value)
    }
    if not each:
        return [cast("How", how)] * n
    return [
        cast("How", {**how, **{name: values[i] for name, values in each.items()}}) for i in range(n)
    ]


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


def _is_phrases(value: Any) -> bool:
    return not isinstance(value, (list, tuple)) or not value or any(map(_is_phrase, value))


def _is_phrase(value: Any) -> bool:
    return len(value) > 0 and np.ndim(value[0]) == 0


def _limits(budget: int, at_least: int) -> tuple[int, int]:
    """The weights, low and high, between which an answer is to lie."""
    high, low = amount("budget", budget), amount("at_least", at_least)
    if low > high:
        raise InvalidInput(f"at_least = {low} is above the budget of {high}")
    return low, high
