"""A text the model has read: what every way of decoding starts from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress, count, pairwise

import numpy as np
import regex

from nacc.deadline import check
from nacc.errors import InvalidOption
from nacc.fitting.confidence import Calibration
from nacc.lattice.words import WordLattice
from nacc.length.budget import LARGEST, Budget
from nacc.length.measures import NEVER, Characters
from nacc.ngrams.bigrams import Bigrams
from nacc.runtime.folder import NOTHING, Told
from nacc.runtime.scorer import Scorer
from nacc.text.endings import may_end
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.memory import kept, remembered
from nacc.text.numbers import is_numeric
from nacc.text.stem import base
from nacc.text.surface import piece
from nacc.text.words import Sentence, split

LONGEST = 20_000
"""Characters of a text that are looked at: far more than a model reads."""
AIM = 0.95
"""The share of a budget's characters that is asked for: what fits is a little shorter than it."""

_SPACE = regex.compile(r"\s")


@dataclass(frozen=True)
class Prompt:
    """What a model is given: words of a text, and what it is told besides.

    text:      the whole text, as it came.
    sentence:  the words that the model sees; truncated: there would have been more.
    told:      a voice and a length. Budgets of the same length share a prompt, and its reading.
    start:     where the sentence begins among the text's words.
    """

    text: str
    sentence: Sentence
    truncated: bool
    told: Told = NOTHING
    start: int = 0

    def __hash__(self) -> int:
        """By what says the rest; a string keeps its hash."""
        return hash((self.text, self.told, self.start))


@dataclass(frozen=True, eq=False)
class Reading:
    """A text the model has read: all that decoding needs, for any budget and options.

    spellings: how words that are not the source's are usually written.
    scorer:    what compares whole answers, if the model has it.
    """

    prompt: Prompt
    word_lattice: WordLattice
    spellings: Mapping[str, str]
    bigrams: Bigrams | None = None
    scorer: Scorer | None = None
    calibration: Calibration | None = None

    @property
    def sentence(self) -> Sentence:
        return self.prompt.sentence

    @property
    def truncated(self) -> bool:
        return self.prompt.truncated

    @cached_property
    def ids(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.word_lattice.keys)}

    @property
    def needed_bigrams(self) -> Bigrams:
        if self.bigrams is None:
            raise InvalidOption("method", 'this model has no bigrams.npz: use method="exact"')
        return self.bigrams

    @cached_property
    def bigram_ids(self) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        """The bigram model's id of every word of the lattice."""
        return self.needed_bigrams.ids(self.word_lattice.keys)

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
        return _places(self.sentence)

    def nearest(self, word: str, slot: int) -> int | None:
        """The place of the source that holds the word, nearest to a slot's; None if it is new."""
        return nearest(self.sentence.keys, word, int(self.word_lattice.lattice.places[slot]))

    @cached_property
    def dangling(self) -> set[int]:
        """The words no summary should end on; nor a letter that the source does not name."""
        ends = may_end(self.sentence)
        found = {
            i
            for i in which(dangles, self.word_lattice.keys)
            if self.word_lattice.keys[i] not in ends
        }
        lone = which(_is_letter, self.word_lattice.keys)
        return found | {i for i in lone if self.word_lattice.keys[i] not in self.places}

    @cached_property
    def numeric(self) -> set[int]:
        """The words that are numbers, or scale them."""
        return which(is_numeric, self.word_lattice.keys)

    @cached_property
    def content(self) -> set[int]:
        """The words that say something: no summary should say them twice."""
        return {*range(len(self.word_lattice.keys))} - which(dangles, self.word_lattice.keys)

    @cached_property
    def own(self) -> set[int]:
        """Those of them that the source has in some form."""
        known, keys = {*self.sentence.bases}, self.word_lattice.keys
        return {i for i in self.content if base(keys[i]) in known}


def nearest(source: tuple[str, ...], word: str, here: int) -> int | None:
    """The place of a source that holds a word, nearest to another place; None if it is new."""
    if here < len(source) and source[here] == word:  # as it is for most
        return here
    times = source.count(word)
    if times < 2:
        return source.index(word) if times else None
    places = (i for i, other in enumerate(source) if other == word)
    return min(places, key=lambda place: abs(place - here))


@kept
def _places(sentence: Sentence) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for i, word in enumerate(sentence.keys):
        places.setdefault(word, []).append(i)
    return places


def looked_at(text: str) -> str:
    """As much of a text as is looked at, the last word whole."""
    if len(text) <= LONGEST:
        return text
    end = _SPACE.search(text, LONGEST)
    return text[: end.start()] if end else text


def split_of(text: str) -> str:
    """As much of a text as is split into words; of a word without an end, its beginning."""
    return looked_at(text)[: LONGEST + LONGEST // 10]


def opened(text: str) -> Sentence:
    """The words of a text, as far as it is looked at."""
    return split(split_of(text))


def characters(sentence: Sentence, budget: Budget) -> int:
    """How many characters to ask for, so that they fill a budget of any measure: by what this
    text's own characters measure."""
    check()
    if isinstance(budget.measure, Characters):  # one is one
        return _aimed(_room(budget))
    pieces = [piece(word, sentence) for word in sentence.words]
    room = 0.0
    for plan in budget.plans():
        weights = plan.weigh(pieces)
        measured = weights < NEVER
        weight = int(weights[measured].sum())
        letters = sum(len(each) for each, known in zip(pieces, measured, strict=True) if known)
        room = plan.room * letters / weight if weight else LARGEST
        if measured.all():
            break
    return _aimed(room)


@lru_cache(16)  # texts have budgets in common
def _room(budget: Budget) -> int:
    return budget.plans()[0].room


def _aimed(room: float) -> int:
    return max(1, int(AIM * (room - 1)))  # less the space that no string begins with


def which(holds: Callable[[str], bool], words: Iterable[str]) -> set[int]:
    """The numbers of the words of which something holds that is remembered of words."""
    return set(compress(count(), map(holds, words)))


@remembered(50_000)
def _is_letter(word: str) -> bool:
    return len(word) == 1 and word.isalpha()


@remembered(50_000)
def dangles(word: str) -> bool:
    return word in FUNCTION_WORDS or not any(c.isalnum() or c == "#" for c in word)
