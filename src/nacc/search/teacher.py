"""The teacher: the two headline language models and the word vectors, in one file."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nacc.errors import BadModel, InvalidInput
from nacc.ngrams.trigrams import FIRST_WORD, TrigramArrays, Trigrams
from nacc.search.vectors import Vectors

_FORMAT = "nacc teacher 1"
_KINDS = "float32 float32 int64 int32 float32 float32 int64 int32 float32"


@dataclass(frozen=True, eq=False)
class Teacher:
    """What scores a summary without having seen one.

    weight_lm, weight_sim: the exponents of LM and SIM (1 and 12 as published).
    likeness: how alike different words are, as a share of what their vectors say. A summary is
    about what its source is about in other words too, but more so in the same.
    """

    models: Trigrams
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
            for name, part in self.models.arrays._asdict().items()
        }
        path = Path(path)
        unfinished = path.with_name(path.name + ".tmp")
        with unfinished.open("wb") as file:
            np.savez(
                file,
                format=np.array(_FORMAT),
                words=_packed(self.models.words),
                unknown_words=np.array(self.models.unknown_words),
                vector_words=_packed(self.vectors.words),
                vectors=self.vectors.weighted.astype(np.float16),
                unknown_length=np.array(self.vectors.unknown_length),
                weights=np.array([self.weight_lm, self.weight_sim, self.likeness]),
                **arrays,
            )
        unfinished.replace(path)

    @classmethod
    def load(cls, path: str | Path) -> Teacher:
        """Read what `save` wrote; BadModel if the file is anything else."""
        try:
            with np.load(path, allow_pickle=False) as file:
                if str(file["format"]) != _FORMAT:
                    raise BadModel(f"{path} holds {file['format']}, not {_FORMAT}")
                arrays = TrigramArrays(*(_widened(file[name]) for name in TrigramArrays._fields))
                models = Trigrams(_unpacked(file["words"]), arrays, int(file["unknown_words"]))
                vectors = Vectors(
                    _unpacked(file["vector_words"]),
                    file["vectors"].astype(np.float32),
                    float(file["unknown_length"]),
                )
                weights = file["weights"].tolist()
        except FileNotFoundError:
            raise BadModel(f"there is no teacher at {path}; `nacc teacher` makes one") from None
        except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
            if isinstance(error, BadModel):
                raise
            raise BadModel(f"{path} is not a teacher: {error}") from error
        fault = _fault(models, vectors)
        if fault or len(weights) != 3:
            raise BadModel(f"{path} is damaged: {fault or f'{len(weights)} weights'}")
        return cls(models, vectors, *weights)


def _packed(words: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(words).encode(), np.uint8)


def _unpacked(text: NDArray[np.uint8]) -> tuple[str, ...]:
    return tuple(text.tobytes().decode().split("\n")) if len(text) else ()


def _widened(part: NDArray[Any]) -> NDArray[Any]:
    return part.astype(np.float32) if part.dtype == np.float16 else part


def _fault(models: Trigrams, vectors: Vectors) -> str:
    """What the kernels rely on, and this file does not keep."""
    a, size = models.arrays, len(models.words) + FIRST_WORD
    pairs, windows = len(a.pair_next), len(a.window_next)
    shapes = [
        (size, 2), (size, 2), (size + 1,), (pairs,), (pairs, 2), (pairs, 2), (pairs + 1,),
        (windows,), (windows, 2),
    ]  # fmt: skip
    if [part.shape for part in a] != shapes:
        return f"the models' parts do not fit {size} words, {pairs} pairs and {windows} triples"
    if [part.dtype.name for part in a] != _KINDS.split():
        return f"the models' parts are stored as {[part.dtype.name for part in a]}"
    for rows, ids in ((a.pair_rows, a.pair_next), (a.window_rows, a.window_next)):
        covered = rows[0] == 0 and rows[-1] == len(ids) and (np.diff(rows) >= 0).all()
        if not covered or (ids < 0).any() or (ids >= size).any():
            return "rows or words of the models are out of range"
    if vectors.weighted.ndim != 2 or len(vectors.weighted) != len(vectors.words):
        return f"{vectors.weighted.shape} vectors for {len(vectors.words)} words"
    numbers = [part for part in a if part.dtype.kind == "f"]
    finite = all(np.isfinite(part).all() for part in [*numbers, vectors.weighted])
    return "" if finite and np.isfinite(vectors.unknown_length) else "a number is not finite"
