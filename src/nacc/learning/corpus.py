"""The packed corpus: pairs as ids into one lexicon, small to store and ready for the GPU.

Every distinct word key of the corpus has a place in the lexicon, whether or not it is in the
output vocabulary: word pieces, vocabulary ids and "the same word" all follow from lexicon ids.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nacc.errors import InvalidInput
from nacc.ngrams import archive

Ids = NDArray[np.int32]
_KIND = archive.Kind("packed corpus", ("nacc corpus 1", ""), "nacc prepare")


@dataclass(frozen=True)
class Ragged:
    """Rows of different lengths, end to end."""

    flat: Ids
    lengths: Ids

    @classmethod
    def of(cls, rows: list[list[int]]) -> Ragged:
        flat = np.fromiter(chain.from_iterable(rows), dtype=np.int32)
        return cls(flat, np.fromiter(map(len, rows), dtype=np.int32, count=len(rows)))

    @property
    def starts(self) -> NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(self.lengths, dtype=np.int64)])[:-1]

    @property
    def rows(self) -> NDArray[np.int64]:
        """Which row each element of `flat` is of."""
        return np.repeat(np.arange(len(self.lengths), dtype=np.int64), self.lengths)

    def select(self, good: NDArray[np.bool_]) -> Ragged:
        """The rows that are marked."""
        return Ragged(self.flat[good[self.rows]], self.lengths[good])

    def row(self, i: int) -> Ids:
        start = int(self.starts[i])
        return self.flat[start : start + int(self.lengths[i])]


@dataclass(frozen=True)
class Corpus:
    """`lexicon[i]` is the word of id i; `group` numbers what a pair came from: `names` has the
    name of the file or, where voices are told apart, "file/voice"."""

    lexicon: list[str]
    source: Ragged
    target: Ragged
    group: NDArray[np.uint16]
    names: list[str]

    def __len__(self) -> int:
        return len(self.group)

    @property
    def files(self) -> list[str]:
        """The file of each group."""
        return [name.partition("/")[0] for name in self.names]

    @property
    def voices(self) -> list[str]:
        """The voice of each group: who wrote its headlines, or else the file's name."""
        return [name.partition("/")[2] or name for name in self.names]

    def save(self, path: Path) -> None:
        """Written whole or not at all: where the file is, the folder is complete."""
        parts: archive.Parts = {
            "lexicon": archive.packed(self.lexicon),
            "names": archive.packed(self.names),
            "source": _planes(self.source.flat),
            "target": _planes(self.target.flat),
            "source_lengths": self.source.lengths.astype(np.uint8),
            "target_lengths": self.target.lengths.astype(np.uint8),
            "group": self.group,
        }
        archive.save(path, _KIND, parts)

    @classmethod
    def load(cls, path: Path) -> Corpus:
        return archive.load(path, _KIND, cls._of_parts)

    @classmethod
    def _of_parts(cls, part: archive.Parts) -> Corpus:
        return cls(
            list(archive.unpacked(part["lexicon"])),
            Ragged(_whole(part["source"]), part["source_lengths"].astype(np.int32)),
            Ragged(_whole(part["target"]), part["target_lengths"].astype(np.int32)),
            part["group"].astype(np.uint16),
            list(archive.unpacked(part["names"])),
        )

    def check(self) -> None:
        """Raise Damaged unless the parts belong together."""
        for name in ("source", "target"):
            ragged = getattr(self, name)
            if len(ragged.lengths) != len(self) or ragged.lengths.sum() != len(ragged.flat):
                raise archive.Damaged(f"its {name} lengths do not cover its words")
            if len(ragged.flat) and ragged.flat.max() >= len(self.lexicon):
                raise archive.Damaged(f"a {name} word is not in the lexicon")
            if len(ragged.lengths) and ragged.lengths.min() < 1:
                raise archive.Damaged(f"an empty {name}")
        if len(self) and self.group.max() >= len(self.names):
            raise archive.Damaged("a pair is of no file")


def _planes(ids: Ids) -> NDArray[np.uint8]:
    """Three byte planes, which pack better than interleaved bytes."""
    if ids.size and int(ids.max()) >= 1 << 24:
        raise InvalidInput("more than 16 million distinct words")
    return np.stack([(ids >> shift & 255).astype(np.uint8) for shift in (0, 8, 16)])


def _whole(planes: NDArray[np.uint8]) -> Ids:
    low, middle, high = planes.astype(np.int32)
    return np.asarray(low | middle << 8 | high << 16, dtype=np.int32)
