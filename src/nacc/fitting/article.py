"""Which of a text's sentences to tell.

A model with linked slots is given as many sentences at once as it can read. Of the words it would
then say, some sentences have more than others: these are what the text is about. Sentences that it
cannot read at once are read beside the first one, so that each can be compared with that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from nacc.text.words import Sentence

MOST_READ = 4
"""How often a text is read for this, each time as many words as the model can read."""
LONG, SHORT = 20, 9
"""Words of a sentence that is as likely the news as any; and of one that may need the next."""
CLOSE, FAR = 9.0, 81.0
"""How many times as much has to be for another sentence as for the first, or the first is told;
and as for a first one that looks like the news."""
NEWS, NAMES = 14, 3
"""Words, and capitals inside, of a first sentence that is the news more often than not."""
_SAYS = frozenset("said says according".split())
_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())


Links = NDArray[np.float64]
"""Logarithms of how probably one slot follows another, as a Lattice has them."""
About = tuple[int, Sentence]
"""At which word of a text it begins, and the sentence, or two, that the text is about."""


@dataclass(frozen=True)
class Window:
    """Sentences that are read at once, by their numbers, the first one always among them; `bounds`
    are where each begins among the keys, and where the last one ends."""

    numbers: tuple[int, ...]
    keys: tuple[str, ...]
    bounds: tuple[int, ...]


def windows(sentences: Sequence[Sentence], fitting: Callable[[Sequence[str]], int]) -> list[Window]:
    """All sentences beside the first, as many of them as are read; one that is too long is passed
    over. fitting: how many of some words the model can read."""
    found: list[Window] = []
    number = 1
    while number < len(sentences) and len(found) < MOST_READ:
        window = Window((0,), sentences[0].keys, (0, len(sentences[0])))
        while number < len(sentences):
            keys = (*window.keys, *sentences[number].keys)
            if fitting(keys) < len(keys):
                break
            window = Window((*window.numbers, number), keys, (*window.bounds, len(keys)))
            number += 1
        if len(window.numbers) > 1:
            found.append(window)
        else:
            number += 1
    return found


@dataclass(frozen=True, eq=False)
class Article:
    """The sentences of a text that has several, and what is read of them to choose."""

    sentences: Sequence[Sentence]
    windows: Sequence[Window]

    @classmethod
    def of(cls, whole: Sentence, most: int, fitting: Callable[[Sequence[str]], int]) -> Article:
        """most: words that the model can read at once; fitting: how many of some words."""
        read_of = whole.head(MOST_READ * most)
        sentences = read_of.sentences()
        if len(read_of) < len(whole) and len(sentences) > 1:
            sentences.pop()  # its end would be missing
        return cls(sentences, windows(sentences, fitting))

    def about(self, read: Sequence[Links]) -> About:
        """Where it begins and what it says, what the text is about; read: of each window the links
        between its slots."""
        begin, end = told(self.sentences, list(zip(self.windows, read, strict=True)))
        return sum(map(len, self.sentences[:begin])), together(self.sentences[begin:end])


def expected_words(links: Links, bounds: Sequence[int]) -> list[float]:
    """How many of an answer's words are expected to come from each of some sentences."""
    from nacc.decoding.kernels.passing import passed

    passing = passed(np.exp(links))
    each = len(passing) // bounds[-1]  # slots of every word
    return [float(passing[each * a : each * b].sum()) for a, b in pairwise(bounds)]


def told(sentences: Sequence[Sentence], read: Sequence[tuple[Window, Links]]) -> tuple[int, int]:
    """The sentences to tell, from the first of these numbers up to the second: one, or the first
    two together, where the first is short and it is a close call between them."""
    best, most = 0, 1.0
    for window, links in read:
        words = expected_words(links, window.bounds)
        speaking = [
            count * min(LONG, len(sentences[number])) ** 2
            for number, count in zip(window.numbers, words, strict=True)
        ]
        for number, weight in zip(window.numbers, speaking, strict=True):
            times = weight / max(speaking[0], 1e-9)
            if times > most:
                best, most = number, times
    if most >= (FAR if _is_news(sentences[0]) else CLOSE):
        return best, best + 1
    return (0, 2) if best == 1 and len(sentences[0]) < SHORT else (0, 1)


def _is_news(first: Sentence) -> bool:
    """Whether a first sentence looks like the news: it is long, or says on which day, or whose word
    it is, or is full of names."""
    dated = any(word == "on" and after in _DAYS for word, after in pairwise(first.keys))
    named = sum(word[0].isupper() for word in first.words[1:]) >= NAMES
    return len(first) >= NEWS or dated or named or not _SAYS.isdisjoint(first.keys)


def together(sentences: Sequence[Sentence]) -> Sentence:
    """Neighbouring sentences as one."""
    words = tuple(word for each in sentences for word in each.words)
    gaps = tuple(gap for each in sentences for gap in each.before[:-1])
    return Sentence(words, (*gaps, sentences[-1].before[-1]), sentences[0].style)
