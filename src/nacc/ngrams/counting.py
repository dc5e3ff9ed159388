"""From texts to numbers: which words are known, and all texts as one stream of them."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nacc.errors import InvalidInput

BOUNDARY = 0
"""Stands before the first word of a headline and after the last, in all models."""
Ids = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class NumberedTexts:
    """Texts whose words are numbers.

    words:   the known words, the most frequent first; number i stands for words[i].
    stream:  the words of all texts, one text after the other; −1 for a word that is not known.
    ends:    where each text ends in the stream.
    unknown: how many different words are not known.
    """

    words: tuple[str, ...]
    stream: NDArray[np.int32]
    ends: Ids
    unknown: int

    def chained(self, boundaries: int, *, first: int, unknown: int) -> Ids:
        """One stream with so many boundaries before, between and after the texts that have words.

        Word i is i + `first` in it, a word that is not known `unknown`.
        """
        lengths = np.diff(self.ends, prepend=0)
        lengths = lengths[lengths > 0]
        texts_before = np.repeat(np.arange(len(lengths)), lengths)
        places = np.arange(len(self.stream)) + boundaries * (texts_before + 1)
        chain = np.full(len(self.stream) + boundaries * (len(lengths) + 1), BOUNDARY, np.int64)
        chain[places] = np.where(self.stream >= 0, self.stream + first, unknown)
        return chain


def numbered(texts: Iterable[Sequence[str]], *, most: int, least: int = 1) -> NumberedTexts:
    """Know the `most` frequent words seen at least `least` times; of equals, the first by
    alphabet."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__  # a new word gets the next number
    raw, ends = array("i"), array("q")
    for text in texts:
        raw.extend(map(numbers.__getitem__, text))
        ends.append(len(raw))
    stream, seen = np.asarray(raw), list(numbers)
    counts = np.bincount(stream, minlength=len(seen))
    often = (i for i in range(len(seen)) if counts[i] >= least)
    known = sorted(often, key=lambda i: (-counts[i], seen[i]))[:most]
    words = tuple(seen[i] for i in known)
    if any("\n" in word for word in words):  # what keeps words apart in a model's file
        raise InvalidInput("a word of a headline holds a line break")
    renumbered = np.full(len(seen), -1, np.int32)
    renumbered[known] = np.arange(len(known))
    return NumberedTexts(words, renumbered[stream], np.asarray(ends), len(seen) - len(known))


def row_starts(row_of_each: NDArray[np.integer], rows: int) -> Ids:
    """Where each row starts among entries sorted by row, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(np.bincount(row_of_each, minlength=rows))])


def rows_cover(starts: NDArray[np.integer], entries: int) -> bool:
    """Do rows that start there hold so many entries, none missing and none twice?"""
    return bool(starts[0] == 0 and starts[-1] == entries and (np.diff(starts) >= 0).all())
