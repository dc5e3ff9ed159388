"""One decoding problem, checked: everything the caller may get wrong is refused here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import index
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nacc.decoding.coherence import Coherence
from nacc.decoding.constraints import MOST_REQUIRED, Constraints
from nacc.errors import InvalidInput
from nacc.lattice import NO_WORD, Lattice

MOST_CANDIDATES = 2**15 - 1
MOST_WEIGHT = 2**62 - 1
METHODS = ("greedy", "bucketed", "exact", "coherent")
CONSTRAINED = ("exact", "coherent")


@dataclass(frozen=True, eq=False)
class Problem:
    """What to decode and how. `epsilon` is the id that ε has in the answer's slots."""

    lattice: Lattice
    weights: NDArray[np.int64]
    epsilon: int
    method: str
    bucket: int
    merge: bool
    constraints: Constraints
    coherence: Coherence | None


def pose(
    source: Lattice | ArrayLike,
    weights: ArrayLike,
    *,
    method: str,
    bucket: int,
    top_k: int,
    blank: int,
    merge_repeats: bool,
    required: Iterable[int],
    forbidden: Iterable[int],
    no_dangling: Iterable[int],
    once: Iterable[int],
    coherence: Coherence | None,
) -> Problem:
    """Check the caller's arguments and select candidates where an array was given."""
    if method not in METHODS:
        raise InvalidInput(f"unknown method {method!r}: use one of {', '.join(METHODS)}")
    if (coherence is None) is (method == "coherent"):
        raise InvalidInput('coherence goes with method="coherent", and that method needs it')
    bucket = amount("bucket", bucket, least=1)
    vector = weight_vector(weights)
    constraints = Constraints(
        tuple(dict.fromkeys(_words("required", required, vector))),
        _words("forbidden", forbidden, vector),
        frozenset(_words("no_dangling", no_dangling, vector)),
        frozenset(_words("once", once, vector)),
    )
    if constraints:
        _check(constraints, method)
    if isinstance(source, Lattice):
        lattice, epsilon = source, NO_WORD
    else:
        table = np.asarray(source, dtype=np.float64)
        epsilon = index(blank)
        if table.ndim == 2 and len(vector) != table.shape[1]:
            raise InvalidInput(
                f"there are {len(vector)} weights for a vocabulary of {table.shape[1]} words"
            )
        if epsilon in constraints.required:
            raise InvalidInput(f"required word {epsilon} is the blank symbol ε")
        lattice = Lattice.from_log_probs(
            table,
            blank=epsilon,
            top_k=amount("top_k", top_k, least=1),
            always=constraints.required,
            never=constraints.forbidden,
        )
    if lattice.words.shape[1] > MOST_CANDIDATES:
        raise InvalidInput(
            f"{lattice.words.shape[1]} candidates a slot; at most {MOST_CANDIDATES} can be tried"
        )
    if coherence is not None and len(coherence.ids) < len(vector):
        raise InvalidInput(f"coherence.ids has {len(coherence.ids)} ids for {len(vector)} weights")
    return Problem(
        lattice, vector, epsilon, method, bucket, bool(merge_repeats), constraints, coherence
    )


def amount(name: str, value: SupportsIndex, least: int = 0) -> int:
    """An integer argument of at least `least`."""
    try:
        number = index(value)
    except TypeError:
        raise InvalidInput(f"{name} = {value!r} must be an integer") from None
    if number < least:
        raise InvalidInput(f"{name} = {number} must be at least {least}")
    return number


def weight_vector(weights: ArrayLike) -> NDArray[np.int64]:
    """A vector of word weights: whole numbers, none negative."""
    vector = np.asarray(weights)
    if vector.ndim != 1 or (vector.size and vector.dtype.kind not in "iu"):
        raise InvalidInput(
            "weights must be a vector of integers, one per word, "
            f"got {vector.dtype} of shape {vector.shape}"
        )
    checked = np.ascontiguousarray(vector, dtype=np.int64)
    seen_as = checked.view(np.uint64)  # negative ones look large
    if vector.size and seen_as.max() > MOST_WEIGHT:
        word = int(seen_as.argmax())
        raise InvalidInput(f"weights[{word}] = {vector[word]} is not a usable weight")
    return checked


def _words(name: str, words: Iterable[int], weights: NDArray[np.int64]) -> tuple[int, ...]:
    try:
        found = tuple(map(index, words))
    except TypeError:
        raise InvalidInput(f"{name} must hold word ids, got {words!r}") from None
    for word in (min(found), max(found)) if found else ():
        if not 0 <= word < len(weights):
            raise InvalidInput(f"{name} word {word} has no weight: there are {len(weights)}")
    return found


def _check(constraints: Constraints, method: str) -> None:
    if method not in CONSTRAINED:
        raise InvalidInput(
            f'constraints need method="exact" or "coherent"; "{method}" cannot keep them'
        )
    if len(constraints.required) > MOST_REQUIRED:
        raise InvalidInput(
            f"{len(constraints.required)} required words; at most {MOST_REQUIRED} can be required"
        )
    for word in constraints.required:
        if word in constraints.forbidden:
            raise InvalidInput(f"word {word} is both required and forbidden")
