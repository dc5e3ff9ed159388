"""What a network is told besides the sentence: whose headline to write, and how long a one.

A sentence has as many headlines as editors, and slots that do not know of each other mix them.
Two pieces before the sentence say which is wanted: one of the voices told apart in training, or
any; a length, or any. A trained model is told once, for good: its tokenizer then puts the two
pieces before every sentence, and nothing else needs to know of them.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nacc.errors import BadModel, InvalidInput
from nacc.text.pieces import Pieces
from nacc.training.corpus import Corpus

LENGTHS = (30, 38, 46, 54, 62, 70, 80)
"""Characters: a headline shorter than the first is of the first length, and so on."""
UNTOLD = 0.1
"""The share of pairs in training whose voice, or length, the network is not told."""
FILE = "cues.json"
_ANY_VOICE, _ANY_LENGTH, _FIRST_LENGTH = 0, 1, 2
_FIRST_VOICE = _FIRST_LENGTH + len(LENGTHS) + 1


@dataclass(frozen=True)
class Cues:
    """The voices a network knows; its tokenizer has unused pieces to name them by."""

    voices: tuple[str, ...]

    @classmethod
    def of(cls, corpus: Corpus, most: int) -> Cues:
        """The voices heard most often."""
        sizes = np.bincount(corpus.group, minlength=len(corpus.names))
        heard: Counter[str] = Counter()
        for voice, size in zip(corpus.voices, sizes.tolist(), strict=True):
            heard[voice] += size
        return cls(tuple(voice for voice, _ in heard.most_common(most)))

    @classmethod
    def load(cls, folder: Path) -> Cues:
        try:
            voices = json.loads((folder / FILE).read_text(encoding="utf-8"))["voices"]
            return cls(tuple(str(voice) for voice in voices))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadModel(f"{folder} was not trained with voices: {error}") from error

    def save(self, folder: Path) -> None:
        text = json.dumps({"voices": self.voices}, indent=1) + "\n"
        (folder / FILE).write_text(text, encoding="utf-8")

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """Which unused piece names each voice."""
        return {voice: _FIRST_VOICE + i for i, voice in enumerate(self.voices)}

    def pieces(self, voice: str | None = None, length: int | None = None) -> tuple[str, str]:
        """The two pieces that ask for a voice and a number of characters; None is any."""
        if voice is not None and voice not in self.voices:
            known = ", ".join(self.voices)
            raise InvalidInput(f"no voice {voice!r} was told apart in training; known: {known}")
        return (
            _unused(_ANY_VOICE if voice is None else self._numbers[voice]),
            _unused(_ANY_LENGTH if length is None else int(_length(length))),
        )

    def tell(self, pieces: Pieces, voice: str | None = None, length: int | None = None) -> Pieces:
        """The same pieces, with the two before every sentence."""
        return pieces.beginning(self.pieces(voice, length))

    def table(self, pieces: Pieces, corpus: Corpus) -> NDArray[np.int64]:
        """(pairs, 2): the piece ids that say whose headline each pair has, and how long it is."""
        voices = np.array([self._numbers.get(voice, _ANY_VOICE) for voice in corpus.voices])
        names = np.stack([voices[corpus.group], _length(headline_lengths(corpus))], axis=1)
        ids = np.array([pieces.id(_unused(i)) for i in range(_FIRST_VOICE + len(self.voices))])
        table: NDArray[np.int64] = ids[names]
        return table

    def untold(self, pieces: Pieces) -> list[int]:
        """The piece ids of any voice and any length."""
        return [pieces.id(piece) for piece in self.pieces()]


def headline_lengths(corpus: Corpus) -> NDArray[np.int64]:
    """How many characters each headline has, a space between any two words."""
    letters = np.array([len(word) + 1 for word in corpus.lexicon])
    lengths: NDArray[np.int64] = np.add.reduceat(letters[corpus.target.flat], corpus.target.starts)
    return lengths - 1


def tell(folder: Path, out: Path, voice: str | None, length: int | None) -> None:
    """Write `out`: the model folder, told for good whose headlines to write, and how long."""
    if length is not None and length < 1:
        raise InvalidInput(f"length = {length} must be at least 1")
    cues = Cues.load(folder)
    told = cues.tell(Pieces.load(folder / "tokenizer.json"), voice, length)
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.iterdir()):
        if path.resolve() != (out / path.name).resolve():
            shutil.copyfile(path, out / path.name)
    told.save(out / "tokenizer.json")


def _unused(number: int) -> str:
    return f"[unused{number}]"


def _length(characters: ArrayLike) -> NDArray[np.int64]:
    """The number of the piece that stands for a length."""
    return _FIRST_LENGTH + np.searchsorted(LENGTHS, np.asarray(characters), side="right")
