"""One decoding problem, checked: everything the caller may get wrong is refused here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import inf
from operator import index
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nacc.deadline import check
from nacc.decoding.coherence import Coherence
from nacc.decoding.constraints import MOST_REQUIRED, Constraints
from nacc.decoding.decoded import Decoded
from nacc.decoding.expected import Expected
from nacc.decoding.how import How
from nacc.decoding.kernels.arrays import Classes, Path, Paths
from nacc.decoding.registry import Decoder, alternatively, decoder
from nacc.errors import InvalidInput
from nacc.lattice import NO_WORD, Lattice
from nacc.lattice.lattice import numbers

MOST_CANDIDATES = 2**15 - 1
MOST_WEIGHT = 2**62 - 1
LONGEST_PHRASE = 12
RULES = frozenset({"required", "forbidden", "no_dangling", "once", "phrases", "in_order"})
_NORULES = Constraints()


_KNOWN = frozenset(How.__annotations__)


@dataclass(frozen=True, eq=False)
class DecodingProblem:
    """What to decode and how. `epsilon` is the id that ε has in the answer's slots.

    tries: where nothing fits, how often a budget that would do is tried out before it is named.
    """

    lattice: Lattice
    weights: NDArray[np.int64]
    epsilon: int
    decoder: Decoder
    bucket: int
    merge: bool
    constraints: Constraints
    coherence: Coherence | None
    expected: Expected | None = None
    tries: int = 8

    @classmethod
    def of(cls, source: Lattice | ArrayLike, weights: ArrayLike, how: How) -> DecodingProblem:
        """Check the caller's arguments and select candidates where an array was given."""
        check()
        if not _KNOWN.issuperset(how):
            name = next(name for name in how if name not in _KNOWN)
            raise TypeError(f"decode() got an unexpected keyword argument {name!r}")
        chosen = decoder(how.get("method", "exact"))
        coherence, expected = how.get("coherence"), how.get("expected")
        vector = weight_vector(weights)
        constraints = _constraints(how, chosen, len(vector))
        epsilon = NO_WORD
        if not isinstance(source, Lattice):
            epsilon = index(how.get("blank", 0))
            source = _selected(source, epsilon, how, constraints, len(vector))
        if expected is not None:
            _for_links("expected", chosen)
        _check(source, chosen)
        if (coherence is None) is ("bigrams" in chosen.needs):
            takers = alternatively(lambda other: "bigrams" in other.needs)
            raise InvalidInput(f"coherence goes with method={takers}, and that method needs it")
        if coherence is not None and len(coherence.ids) < len(vector):
            raise InvalidInput(
                f"coherence.ids has {len(coherence.ids)} ids for {len(vector)} weights"
            )
        bucket = amount("bucket", how.get("bucket", 4), least=1)
        merge = bool(how.get("merge_repeats", True))
        return cls(source, vector, epsilon, chosen, bucket, merge, constraints, coherence, expected)

    @property
    def no_rules(self) -> Classes:
        """The classes of words that no constraint knows."""
        return np.zeros(len(self.weights), np.int8)

    @cached_property
    def tables(self) -> dict[Any, Any]:
        """What its decoder has worked out: asked for more answers, it goes on from there."""
        return {}

    def answer(
        self,
        path: Path,
        low: int,
        missed: float,
        elsewhere: float,
        all_paths: float | None = None,
        expected: float = 0.0,
    ) -> Decoded:
        """What a decoder found, as the caller gets it.

        missed:    no path over the candidates that it did not look at scores higher than this,
        elsewhere: nor any with other words than this.
        """
        symbols, starts, emitted, score, weight = path
        slots, first = symbols.tolist(), starts[:emitted].tolist()
        tokens = tuple([slots[slot] for slot in first])
        if self.epsilon >= 0:
            slots = [self.epsilon if word < 0 else word for word in slots]
        met = weight >= low
        return Decoded(
            tokens=tokens,
            slots=tuple(slots),
            score=score,
            weight=weight,
            optimal=_not_beaten(elsewhere, score, met),
            exact=_not_beaten(missed, score, met),
            floor_met=met,
            starts=tuple(first),
            all_paths=score if all_paths is None else all_paths,
            expected=expected,
        )

    def answers(
        self, paths: Paths, lows: Sequence[int], missed: float, elsewhere: float
    ) -> list[Decoded]:
        """The same for several lower limits."""
        symbols, starts, *numbers, _ = paths
        rows = zip(symbols, starts, *(each.tolist() for each in numbers), strict=True)
        return [
            self.answer(Path(*row), low, missed, elsewhere)
            for row, low in zip(rows, lows, strict=True)
        ]


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
    vector = numbers("weights", weights)
    if vector.ndim != 1 or (vector.size and vector.dtype.kind not in "iu"):
        raise InvalidInput(
            "weights must be a vector of integers, one per word, "
            f"got {vector.dtype} of shape {vector.shape}"
        )
    checked = np.ascontiguousarray(vector, dtype=np.int64)
    if not 0 <= np.bitwise_or.reduce(checked) <= MOST_WEIGHT:  # all of them in one go: 2^n - 1
        word = int(checked.view(np.uint64).argmax())  # negative ones look large
        raise InvalidInput(f"weights[{word}] = {vector[word]} is not a usable weight")
    return checked


def _not_beaten(bound: float, score: float, floor_met: bool) -> bool:
    """Whether an answer is at least as good as anything with a score up to `bound` could be.

    Where the floor was missed, a score is no argument: anything at all might have met it.
    """
    return bound <= score if floor_met else bound == -inf


def _constraints(how: How, chosen: Decoder, weights: int) -> Constraints:
    if RULES.isdisjoint(how):
        return _NORULES
    required = dict.fromkeys(_words("required", how.get("required", ()), weights))
    phrases = dict.fromkeys(
        _words("a phrase", phrase, weights) for phrase in how.get("phrases", ())
    )
    required.update((phrase[0], None) for phrase in phrases if len(phrase) == 1)
    source = how.get("in_order")
    constraints = Constraints(
        tuple(required),
        _words("forbidden", how.get("forbidden", ()), weights),
        frozenset(_words("no_dangling", how.get("no_dangling", ()), weights)),
        frozenset(_words("once", how.get("once", ()), weights)),
        tuple(phrase for phrase in phrases if len(phrase) != 1),
        None if source is None else _words("in_order", source, weights),
    )
    if source is not None:
        _for_links("in_order", chosen)
    if constraints and not chosen.keeps_rules:
        keepers = alternatively(lambda other: other.keeps_rules)
        raise InvalidInput(f'constraints need method={keepers}; "{chosen.name}" cannot keep them')
    wanted = constraints.wanted
    if len(wanted) > MOST_REQUIRED:
        raise InvalidInput(f"{len(wanted)} required words; at most {MOST_REQUIRED} can be required")
    for phrase in constraints.phrases:
        if not 0 < len(phrase) <= LONGEST_PHRASE:
            raise InvalidInput(
                f"a phrase of {len(phrase)} words; 1 to {LONGEST_PHRASE} can be required in a row"
            )
    for word in chain(*wanted):
        if word in constraints.forbidden:
            raise InvalidInput(f"word {word} is both required and forbidden")
    return constraints


def _for_links(name: str, chosen: Decoder) -> None:
    if "links" not in chosen.needs:
        takers = alternatively(lambda other: "links" in other.needs)
        raise InvalidInput(f"{name} goes with method={takers}, got {chosen.name!r}")


def _words(name: str, words: Iterable[int], weights: int) -> tuple[int, ...]:
    try:
        found = tuple(map(index, words))
    except TypeError:
        raise InvalidInput(f"{name} must hold word ids, got {words!r}") from None
    for word in (min(found), max(found)) if found else ():
        if not 0 <= word < weights:
            raise InvalidInput(f"{name} word {word} has no weight: there are {weights}")
    return found


def _selected(
    source: ArrayLike, epsilon: int, how: How, constraints: Constraints, weights: int
) -> Lattice:
    """The lattice of the best words of every slot, and of those that are required."""
    table = numbers("log_probs", source, np.float64)
    if table.ndim == 2 and weights != table.shape[1]:
        raise InvalidInput(
            f"there are {weights} weights for a vocabulary of {table.shape[1]} words"
        )
    always = tuple(dict.fromkeys(chain(*constraints.wanted)))
    if epsilon in always:
        raise InvalidInput(f"required word {epsilon} is the blank symbol ε")
    return Lattice.from_log_probs(
        table,
        blank=epsilon,
        top_k=amount("top_k", how.get("top_k", 20), least=1),
        always=always,
        never=constraints.forbidden,
    )


def _check(lattice: Lattice, chosen: Decoder) -> None:
    """Whether the decoder can make something of the lattice."""
    if lattice.words.shape[1] > MOST_CANDIDATES:
        raise InvalidInput(
            f"{lattice.words.shape[1]} candidates a slot; at most {MOST_CANDIDATES} can be tried"
        )
    if lattice.links is None:
        if "links" in chosen.needs:
            raise InvalidInput(f"method {chosen.name!r} needs a lattice with links")
    elif "blank" in chosen.needs and lattice.slots and np.isneginf(lattice.blank).all():
        raise InvalidInput(
            f"method {chosen.name!r} needs ε, and this lattice has links instead of it"
        )
