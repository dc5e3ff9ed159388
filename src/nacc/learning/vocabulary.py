"""The words a model says: which ones, and which pairs can be said with them."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import regex
from numpy.typing import NDArray

from nacc.errors import InvalidInput
from nacc.learning.corpus import Corpus, Ragged
from nacc.learning.recipe import SMALLEST_VOCABULARY
from nacc.text.words import UNKNOWN_WORDS, digits_hidden

BLANK = "<blank>"
_NUMBER = regex.compile(r"\d|#")
_DIGIT = regex.compile(r"\d")


def vocabulary(corpus: Corpus, size: int, min_count: int, copying: bool) -> list[str]:
    """ε, then the most frequent words of the headlines; for a model that copies, the words they
    add most often to what their sources say (a word that is only ever copied needs no place).
    Numbers are copied or not said at all, unless they are shapes (`in_shapes`)."""
    said = corpus.target.flat[~_copied(corpus)] if copying else corpus.target.flat
    chosen = [BLANK, *_frequent(corpus, said, min_count, size - 1, shapes=not copying)]
    if len(chosen) < SMALLEST_VOCABULARY:  # headlines that add next to nothing
        known = set(chosen)
        most = SMALLEST_VOCABULARY + len(chosen)
        more = _frequent(corpus, corpus.target.flat, 1, most, shapes=not copying)
        chosen += [word for word in more if word not in known][: SMALLEST_VOCABULARY - len(chosen)]
    if len(chosen) < SMALLEST_VOCABULARY:
        raise InvalidInput(
            f"the headlines hold only {len(chosen) - 1} different words, numbers apart; "
            f"a model needs at least {SMALLEST_VOCABULARY - 1}: give it more pairs"
        )
    return chosen


def added(corpus: Corpus, vocabulary: list[str], size: int, min_count: int) -> list[str]:
    """Of the words that a vocabulary lacks, those that headlines add most often to what their
    sources say."""
    known = set(vocabulary)
    said = corpus.target.flat[~_copied(corpus)]
    words = _frequent(corpus, said, min_count, size + len(known), shapes=False)
    return [word for word in words if word not in known][:size]


def _frequent(
    corpus: Corpus, said: NDArray[np.int32], min_count: int, most: int, *, shapes: bool
) -> list[str]:
    counts = np.bincount(said, minlength=len(corpus.lexicon))
    order = np.argsort(-counts, kind="stable")
    words = (corpus.lexicon[i] for i in order[: int((counts >= min_count).sum())])
    unwanted = _DIGIT if shapes else _NUMBER
    good = (word for word in words if word not in UNKNOWN_WORDS and not unwanted.search(word))
    return list(islice(good, most))


def in_shapes(corpus: Corpus) -> Corpus:
    """The corpus with digits as #, as the encoder reads them: a model that cannot copy can say no
    more of a number than its shape (and Gigaword has nothing else)."""
    shapes: dict[str, int] = {}
    to = np.array(
        [shapes.setdefault(digits_hidden(word), len(shapes)) for word in corpus.lexicon], np.int32
    )
    return replace(
        corpus,
        lexicon=list(shapes),
        source=Ragged(to[corpus.source.flat], corpus.source.lengths),
        target=Ragged(to[corpus.target.flat], corpus.target.lengths),
    )


def _copied(corpus: Corpus) -> NDArray[np.bool_]:
    """Which target words (end to end) occur in their own source."""
    size = len(corpus.lexicon)
    place = corpus.target.rows * size + corpus.target.flat
    return np.isin(place, corpus.source.rows * size + corpus.source.flat)


def sayable(corpus: Corpus, vocabulary: list[str], copying: bool) -> tuple[Corpus, int]:
    """The pairs whose every target word is in the vocabulary or, when copying, in their source."""
    known = set(vocabulary)
    in_vocabulary = np.array([word in known for word in corpus.lexicon])
    said = in_vocabulary[corpus.target.flat]
    if copying:
        said |= _copied(corpus)
    good = np.ones(len(corpus), dtype=bool)
    good[corpus.target.rows[~said]] = False
    kept = Corpus(
        corpus.lexicon,
        corpus.source.select(good),
        corpus.target.select(good),
        corpus.group[good],
        corpus.names,
    )
    return kept, int((~good).sum())
