"""A text the model has read: what every way of decoding starts from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from nacc.decoding import Bigrams
from nacc.errors import InvalidInput
from nacc.lattice.words import WordLattice
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.words import Sentence


@dataclass(frozen=True, eq=False)
class Reading:
    """A text the model has read: all that decoding needs, for any budget and wishes."""

    sentence: Sentence
    truncated: bool
    found: WordLattice
    usual: Mapping[str, str]
    bigrams: Bigrams | None

    @cached_property
    def ids(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.found.keys)}

    @cached_property
    def coherence_ids(self) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        if self.bigrams is None:
            raise InvalidInput('this model has no bigrams.npz: use method="exact"')
        return self.bigrams.ids(self.found.keys)

    @cached_property
    def adjacent(self) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
        """(pairs, 2) the words that the source says one right after the other."""
        pairs = {
            (self.ids[word], self.ids[following])
            for word, following in pairwise(self.sentence.keys)
            if word != following and word in self.ids and following in self.ids
        }
        return np.array(sorted(pairs), np.int32).reshape(len(pairs), 2)

    @cached_property
    def places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for i, word in enumerate(self.sentence.keys):
            places.setdefault(word, []).append(i)
        return places

    def place(self, slot: int) -> int:
        """The place of the source that a slot belongs to, -1 for none."""
        return int(self.found.lattice.places[slot])

    def nearest(self, word: str, place: int) -> int | None:
        """The place of the source that holds the word, nearest to another; None if it is new."""
        places = self.places.get(word)
        return min(places, key=lambda found: abs(found - place)) if places else None

    @cached_property
    def dangling(self) -> set[int]:
        """The words no summary should end on."""
        return {i for i, word in enumerate(self.found.keys) if dangles(word)}

    @cached_property
    def content(self) -> set[int]:
        """All others: the words no summary should say twice."""
        return set(range(len(self.found.keys))) - self.dangling


@lru_cache(maxsize=50_000)
def dangles(word: str) -> bool:
    return word in FUNCTION_WORDS or not any(c.isalnum() or c == "#" for c in word)
