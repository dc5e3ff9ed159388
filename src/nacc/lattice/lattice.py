"""The seam between models and decoders.

A model turns a sentence into a `Lattice`; a decoder turns a `Lattice` into words. Models know
nothing of lengths, decoders nothing of neural networks.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nacc.errors import InvalidInput

NO_WORD = -1


@dataclass(frozen=True, eq=False)
class Lattice:
    """Per slot, the K most probable words, and ε; or links from slot to slot.

    words:   (S, K) int32, word ids; NO_WORD where a slot has fewer than K candidates.
             Ids are whatever the caller's weight vector is indexed by. No word twice in a slot.
    values:  (S, K) float64, log-probabilities, -inf where the word is NO_WORD.
    blank:   (S,) float64, ε's log-probability.
    rest:    (S,) float64, an upper bound on the value of any word left out of `words` in that
             slot (the (K+1)-th best value); -inf when nothing was left out.
    places:  (S,) int32, which word of the source each slot belongs to, -1 for none. Unless given,
             slot i belongs to word i.
    links:   None, or (S + 1, S + 1) float64, log-probabilities of what a path goes on to. Row 0
             is the begin and row i + 1 slot i; column j is slot j and column S the end. So
             links[0, j] begins in slot j, links[i + 1, j] goes from slot i to slot j, and
             links[i + 1, S] ends after slot i. Paths lead onward and say something: links[i + 1, j]
             with j ≤ i and links[0, S] mean nothing.
             Slots that a path goes past say nothing; where a model has no ε at all, `blank` is
             -inf.

    Shapes are checked and arrays brought to these types on construction; what is in them (NaN,
    word ids without a weight, a word twice in a slot) is checked by the decoders.
    """

    words: NDArray[np.int32]
    values: NDArray[np.float64]
    blank: NDArray[np.float64]
    rest: NDArray[np.float64]
    places: NDArray[np.int32] = None  # type: ignore[assignment]  # by __post_init__
    links: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        if self.places is None:
            object.__setattr__(self, "places", np.arange(len(self.words), dtype=np.int32))
        for name in ("words", "values", "blank", "rest", "places", "links"):
            given = getattr(self, name)
            if given is not None:
                array = _typed(name, numbers(f"Lattice.{name}", given))
                object.__setattr__(self, name, array)
        if self.words.ndim != 2 or self.values.shape != self.words.shape:
            raise InvalidInput(
                "Lattice.words and Lattice.values must be two (slots × candidates) arrays of the "
                f"same shape, got {self.words.shape} and {self.values.shape}"
            )
        for name in ("blank", "rest", "places"):
            shape = getattr(self, name).shape
            if shape != self.words.shape[:1]:
                raise InvalidInput(
                    f"Lattice.{name} must have one value for each of {self.slots} slots, "
                    f"got shape {shape}"
                )
        square = (self.slots + 1, self.slots + 1)
        if self.links is not None and self.links.shape != square:
            raise InvalidInput(
                f"Lattice.links must be a {square} array for {self.slots} slots, "
                f"got shape {self.links.shape}"
            )

    @property
    def slots(self) -> int:
        return int(self.words.shape[0])

    def without(self, words: Collection[int]) -> Lattice:
        """The lattice less some words: what every decoder can do, whether it keeps rules or not."""
        if not words or not self.words.size:
            return self
        gone = np.zeros(max(int(self.words.max()), *words) + 1, np.bool_)
        gone[list(words)] = True
        out = gone[self.words]
        return replace(
            self,
            words=np.where(out, NO_WORD, self.words),
            values=np.where(out, -np.inf, self.values),
        )

    def with_word(self, word: int, places: Collection[int]) -> Lattice:
        """The lattice with a new word, in the slots that belong to some words of the source.

        There it is as likely as the likeliest word left out.
        """
        if (self.words == word).any():
            raise InvalidInput(f"word {word} is a candidate already")
        here = np.isin(self.places, list(places))
        column = np.where(here, np.int32(word), np.int32(NO_WORD))
        values = np.where(here, self.rest, -np.inf)
        return replace(
            self,
            words=np.column_stack([self.words, column]),
            values=np.column_stack([self.values, values]),
        )

    @classmethod
    def from_log_probs(
        cls,
        log_probs: ArrayLike,
        *,
        blank: int = 0,
        top_k: int = 20,
        always: Sequence[int] = (),
        never: Sequence[int] = (),
    ) -> Lattice:
        """Select the `top_k` best words of every slot from a (slots × vocabulary) array.

        Words in `always` are candidates of every slot besides, words in `never` of none. Ties are
        broken by the smaller word id, so the selection does not depend on the platform. Words of
        probability zero (-inf) are never candidates.
        """
        table = _checked(log_probs)
        slots, vocabulary = table.shape
        if not 0 <= blank < vocabulary:
            raise InvalidInput(f"blank = {blank} is outside the vocabulary of {vocabulary}")
        if top_k < 1:
            raise InvalidInput(f"top_k = {top_k} must be at least 1")
        blank_values = table[:, blank].copy()
        table = table.copy()
        table[:, [blank, *never]] = -np.inf
        k = min(top_k, vocabulary)
        words = np.full((slots, k + len(always)), NO_WORD, dtype=np.int32)
        rest = np.full(slots, -np.inf)
        for slot, row in enumerate(table):
            best = _best(row, k + 1)
            if len(best) > k:
                rest[slot] = row[best[k]]
            chosen = best[:k]
            chosen = np.concatenate([chosen, np.setdiff1d(always, chosen).astype(np.int64)])
            words[slot, : len(chosen)] = chosen
        values = np.take_along_axis(table, np.maximum(words, 0).astype(np.int64), axis=1)
        words[np.isneginf(values)] = NO_WORD
        values[words == NO_WORD] = -np.inf
        return cls(words, values, blank_values, rest)


def numbers(name: str, given: Any, dtype: Any = None) -> NDArray[Any]:
    """What is given as an array."""
    try:
        return np.asarray(given, dtype)
    except (TypeError, ValueError) as error:  # rows of several lengths, what is no number
        raise InvalidInput(f"{name} must be an array of numbers: {error}") from None


def _typed(name: str, given: NDArray[Any]) -> NDArray[Any]:
    """The array as Lattice documents it."""
    whole = name in ("words", "places")
    dtype = np.int32 if whole else np.float64
    if given.dtype.kind not in ("iu" if whole else "iuf") and given.size:
        raise InvalidInput(f"Lattice.{name} must hold {dtype.__name__}, got {given.dtype}")
    if whole and given.size and given.dtype != np.int32:
        limits = np.iinfo(np.int32)
        for number in (int(given.min()), int(given.max())):
            if not limits.min <= number <= limits.max:
                what = "word id" if name == "words" else "place"
                raise InvalidInput(f"Lattice.{name} holds {number}, which is no 32-bit {what}")
    return np.ascontiguousarray(given, dtype=dtype)


def _checked(log_probs: ArrayLike) -> NDArray[np.float64]:
    table = numbers("log_probs", log_probs, np.float64)
    if table.ndim != 2 or table.shape[1] < 1:
        raise InvalidInput(
            f"log_probs must be a (slots × vocabulary) array, got shape {table.shape}"
        )
    wrong = np.isnan(table) | np.isposinf(table)
    if wrong.any():
        slot, word = np.argwhere(wrong)[0]
        raise InvalidInput(f"log_probs[{slot}, {word}] is {table[slot, word]}")
    return table


def _best(row: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """The ids of the `count` highest values, best first, the smaller id first among equals."""
    ids = np.arange(len(row))
    if count < len(row):
        threshold = np.partition(row, len(row) - count)[len(row) - count]
        ids = np.flatnonzero(row >= threshold)
    return ids[np.argsort(-row[ids], kind="stable")][:count]
