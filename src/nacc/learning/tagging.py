"""Parts of speech of headlines, for the rival that says these first: HanTa's English tags."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nacc.errors import InvalidInput, requires
from nacc.learning.corpus import Corpus
from nacc.ngrams import archive

MODEL = "morphmodel_en.pgz"
_KIND = archive.Kind("parts of speech", ("nacc tags 1",), "nacc prepare")


@dataclass(frozen=True)
class Tags:
    """of: the tag of each word of a corpus's headlines, end to end, numbered from 1 by `names`,
    the most frequent first."""

    names: tuple[str, ...]
    of: NDArray[np.uint8]

    def save(self, corpus: Path) -> None:
        """Beside the packed corpus that they are of."""
        parts: archive.Parts = {"names": archive.packed(list(self.names)), "of": self.of}
        archive.save(_beside(corpus), _KIND, parts)

    @classmethod
    def load(cls, corpus: Path) -> Tags | None:
        """Those of a packed corpus; None where it has none."""
        if not _beside(corpus).exists():
            return None
        return archive.load(_beside(corpus), _KIND, cls._of_parts)

    @classmethod
    def _of_parts(cls, part: archive.Parts) -> Tags:
        return cls(tuple(archive.unpacked(part["names"])), part["of"].astype(np.uint8))

    def check(self) -> None:
        if len(self.of) and not 1 <= self.of.min() <= self.of.max() <= len(self.names):
            raise archive.Damaged("a tag has no name")

    def check_of(self, corpus: Corpus) -> None:
        """InvalidInput unless every word of the corpus's headlines has its tag."""
        if len(self.of) != len(corpus.target.flat):
            raise InvalidInput("the parts of speech are of other headlines: prepare them anew")

    def seen(self, corpus: Corpus, vocabulary: list[str], tags: int) -> NDArray[np.bool_]:
        """(tags, words): which words of the vocabulary came with which tag. A tag that none came
        with may go with any."""
        self.check_of(corpus)
        if len(self.names) >= tags:
            raise InvalidInput(f"{len(self.names)} parts of speech: [model] tags must be above")
        ids = {word: i for i, word in enumerate(vocabulary)}
        symbols = np.array([ids.get(word, 0) for word in corpus.lexicon])
        found = np.zeros((tags, len(vocabulary)), np.bool_)
        found[self.of, symbols[corpus.target.flat]] = True
        found[~found[:, 1:].any(1)] = True
        return found


def tagged(corpus: Corpus, names: tuple[str, ...] = ()) -> Tags:
    """The headlines' parts of speech. With names, those; a new one counts as the rarest of them."""
    requires("parts of speech", "pos", "HanTa")
    from HanTa.HanoverTagger import HanoverTagger

    tagger = HanoverTagger(MODEL)
    found: list[str] = []
    for row in range(len(corpus)):
        words = [corpus.lexicon[i] for i in corpus.target.row(row)]
        found += [tag for _, _, tag in tagger.tag_sent(words)]
    names = names or tuple(name for name, _ in Counter(found).most_common())
    number = {name: i for i, name in enumerate(names, start=1)}
    return Tags(names, np.array([number.get(tag, len(names)) for tag in found], np.uint8))


def _beside(corpus: Path) -> Path:
    return corpus.with_suffix(".tags.npz")
