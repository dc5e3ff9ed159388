"""The search model: the two headline language models and the word vectors, in one file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nacc.errors import InvalidInput
from nacc.ngrams import archive
from nacc.ngrams.kneser_ney import TrigramArrays
from nacc.ngrams.trigrams import Trigrams
from nacc.search.vectors import Vectors

_KIND = archive.Kind(
    "search model", ("nacc search model 1", "nacc teacher 1"), maker="nacc search-model"
)


@dataclass(frozen=True, eq=False)
class SearchModel:
    """What scores a summary without having seen one.

    weight_lm, weight_sim: the exponents of LM and SIM (1 and 12 as published).
    likeness: how alike different words are, as a share of what their vectors say. A summary is
    about what its source is about in other words too, but more so in the same.
    """

    trigrams: Trigrams
    vectors: Vectors
    weight_lm: float = 1.0
    weight_sim: float = 12.0
    likeness: float = 0.25

    def __post_init__(self) -> None:
        if not (0 < self.weight_lm < np.inf and 0 <= self.weight_sim < np.inf):
            raise InvalidInput(
                f"weight_lm = {self.weight_lm} must be above 0, "
                f"weight_sim = {self.weight_sim} at least 0"
            )
        if not 0 <= self.likeness <= 1:
            raise InvalidInput(f"likeness = {self.likeness} must be in 0..1")

    def save(self, path: str | Path) -> None:
        """Write one .npz file of plain arrays; numbers as 16-bit floats, which they fit."""
        arrays = {
            name: part.astype(np.float16) if part.dtype.kind == "f" else part
            for name, part in self.trigrams.arrays._asdict().items()
        }
        parts: archive.Parts = {
            "words": archive.packed(self.trigrams.words),
            "unknown_words": np.array(self.trigrams.unknown_words),
            "vector_words": archive.packed(self.vectors.words),
            "vectors": self.vectors.weighted.astype(np.float16),
            "unknown_length": np.array(self.vectors.unknown_length),
            "weights": np.array([self.weight_lm, self.weight_sim, self.likeness]),
            **arrays,
        }
        archive.save(path, _KIND, parts)

    @classmethod
    def load(cls, path: str | Path) -> SearchModel:
        """Read what `save` wrote; BadModel if the file is anything else."""
        return archive.load(path, _KIND, cls._of_parts)

    @classmethod
    def _of_parts(cls, parts: archive.Parts) -> SearchModel:
        trigrams = Trigrams(
            archive.unpacked(parts["words"]),
            TrigramArrays(*(_widened(parts[name]) for name in TrigramArrays._fields)),
            int(parts["unknown_words"]),
        )
        vectors = Vectors(
            archive.unpacked(parts["vector_words"]),
            _widened(parts["vectors"]),
            float(parts["unknown_length"]),
        )
        weights = parts["weights"].tolist()
        if len(weights) != 3:
            raise archive.Damaged(f"{len(weights)} weights")
        return cls(trigrams, vectors, *weights)

    def check(self) -> None:
        """Raise Damaged unless all holds that search relies on."""
        self.trigrams.check()
        self.vectors.check()


def _widened(part: NDArray[Any]) -> NDArray[Any]:
    return part.astype(np.float32) if part.dtype == np.float16 else part
