"""What a network is given besides the sentence: whose headline to write, and how long a one.

A sentence has as many headlines as editors, and slots that do not know of each other mix them.
Two pieces before the sentence say which is wanted: one of the voices told apart in training, or
any; a length, or any. The tokenizer's unused pieces name them: any voice, any length, the lengths
from the shortest on, the voices.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nacc.errors import BadModel, InvalidInput

if TYPE_CHECKING:
    from nacc.text.pieces import Pieces

LENGTHS = (18, 24, 30, 38, 46, 54, 62, 70, 80, 92, 108)
"""Characters: a headline shorter than the first is of the first length, and so on."""
FORMER_LENGTHS = (30, 38, 46, 54, 62, 70, 80)
"""Those of models whose folder does not say."""
FILE = "conditions.json"
_FORMER_FILE = "cues.json"  # what models trained before have in its place
ANY_VOICE, ANY_LENGTH, _FIRST_LENGTH = 0, 1, 2


@dataclass(frozen=True)
class Conditions:
    """The voices and lengths a network knows; `styles` are names for voices that users choose by
    (None: any voice)."""

    voices: tuple[str, ...]
    lengths: tuple[int, ...] = LENGTHS
    styles: Mapping[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for style, voice in self.styles.items():
            if voice is not None and voice not in self.voices:
                raise InvalidInput(f"style {style!r} is of a voice not told apart: {voice!r}")

    @classmethod
    def load(cls, folder: Path) -> Conditions:
        try:
            path = folder / (FILE if (folder / FILE).exists() else _FORMER_FILE)
            found = json.loads(path.read_text(encoding="utf-8"))
            return cls(
                tuple(str(voice) for voice in found["voices"]),
                tuple(int(limit) for limit in found.get("lengths", FORMER_LENGTHS)),
                dict(found.get("styles", {})),
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadModel(f"{folder} was not trained with voices: {error}") from error

    def save(self, folder: Path) -> None:
        parts: dict[str, Any] = {"lengths": self.lengths, "voices": self.voices}
        if self.styles:
            parts["styles"] = dict(self.styles)
        (folder / FILE).write_text(json.dumps(parts, indent=1) + "\n", encoding="utf-8")

    @cached_property
    def _numbers(self) -> dict[str, int]:
        first = _FIRST_LENGTH + len(self.lengths) + 1
        return {voice: first + i for i, voice in enumerate(self.voices)}

    @property
    def size(self) -> int:
        """How many pieces are in use."""
        return _FIRST_LENGTH + len(self.lengths) + 1 + len(self.voices)

    def voice_of(self, style: str) -> str | None:
        """The voice that a style is a name for."""
        if style not in self.styles:
            raise InvalidInput(f"no style {style!r}: {', '.join(self.styles) or 'there are none'}")
        return self.styles[style]

    def voice_number(self, voice: str | None) -> int:
        """Which unused piece stands for a voice; any, if it was not told apart."""
        return ANY_VOICE if voice is None else self._numbers.get(voice, ANY_VOICE)

    def length_number(self, characters: ArrayLike) -> NDArray[np.int64]:
        """Which unused piece stands for a length."""
        return _FIRST_LENGTH + np.searchsorted(self.lengths, np.asarray(characters), side="right")

    def pieces(self, voice: str | None = None, length: int | None = None) -> tuple[str, str]:
        """The two pieces that ask for a voice and a number of characters; None is any."""
        if voice is not None and voice not in self._numbers:
            known = ", ".join(self.voices)
            raise InvalidInput(f"no voice {voice!r} was told apart in training; known: {known}")
        asked = ANY_LENGTH if length is None else int(self.length_number(length))
        return unused(self.voice_number(voice)), unused(asked)

    def before(self, pieces: Pieces, voice: str | None = None, length: int | None = None) -> Pieces:
        """The same tokenizer, with the two pieces before every sentence."""
        return pieces.beginning(self.pieces(voice, length))


def has_conditions(folder: Path) -> bool:
    """Was the model of this folder trained with voices?"""
    return any((folder / name).exists() for name in (FILE, _FORMER_FILE))


def unused(number: int) -> str:
    """The name of a piece that the tokenizer has to spare."""
    return f"[unused{number}]"
