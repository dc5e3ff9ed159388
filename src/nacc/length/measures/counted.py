"""Measures that count something in the string: characters, graphemes, bytes, words."""

from __future__ import annotations

import codecs
import encodings
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass
from encodings.aliases import aliases
from functools import cache
from typing import ClassVar

import numpy as np
import regex
from numpy.typing import NDArray

from nacc.errors import InvalidInput
from nacc.length.measures.measure import Measure, refuse_surrogates

# Flags are two letters each; \X alone counts back to the first of a row of them, for every one.
_GRAPHEME = regex.compile(
    r"\p{Regional_Indicator}{2}[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*+|\X"
)
# Codecs that escape text rather than encode it; in UTF-7 a string may outgrow its pieces, too.
_ESCAPES = {"idna", "punycode", "raw-unicode-escape", "unicode-escape", "utf-7"}


@dataclass(frozen=True)
class Characters(Measure):
    """Unicode code points: what `len` counts in Python."""

    name: ClassVar[str] = "characters"
    unit: ClassVar[str] = "characters"

    def weights(self, pieces: Sequence[str]) -> NDArray[np.int64]:
        """All at once: this is every call's."""
        refuse_surrogates("".join(pieces))
        return np.fromiter(map(len, pieces), np.int64, len(pieces))

    def _length(self, text: str) -> int:
        return len(text)


@dataclass(frozen=True)
class Graphemes(Measure):
    """What a reader sees as one character: extended grapheme clusters (UAX #29).

    Clusters may join across pieces, never split, so the weights are an upper bound.
    """

    name: ClassVar[str] = "graphemes"
    unit: ClassVar[str] = "graphemes"

    def _length(self, text: str) -> int:
        if text.isascii() and "\r" not in text:
            return len(text)
        return len(_GRAPHEME.findall(text))


@dataclass(frozen=True)
class Bytes(Measure):
    """Bytes of the string in an encoding; a character the encoding lacks is never chosen.

    Encodings with shifts (ISO-2022-JP, HZ) return to the start after every piece, so that there
    the weights are an upper bound.
    """

    name: ClassVar[str] = "bytes"
    unit: ClassVar[str] = "bytes"
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        try:
            known = codecs.lookup(_spelt(self.encoding)).name
            mark = "".encode(known)
        except (LookupError, UnicodeError, ValueError):
            raise InvalidInput(
                f"unknown encoding {self.encoding!r}; try utf-8, latin-1, utf-16-le, shift_jis"
            ) from None
        if known in _ESCAPES:
            raise InvalidInput(f"{known} escapes text instead of encoding it; try utf-8 or latin-1")
        if mark:
            raise InvalidInput(
                f"{known} puts a byte-order mark before the text; "
                "name one without it, e.g. utf-8, utf-16-le or utf-32-be"
            )
        object.__setattr__(self, "encoding", known)

    def _length(self, text: str) -> int:
        try:
            return len(text.encode(self.encoding))
        except UnicodeEncodeError as error:
            raise InvalidInput(
                f"{text[error.start]!r} cannot be written in {self.encoding}"
            ) from None

    def __str__(self) -> str:
        return self.unit if self.encoding == "utf-8" else f"{self.unit} {self.encoding}"


def _spelt(encoding: str) -> str:
    """The name as Python spells it, or LookupError. Python looks for a module of every name that it
    does not know, and remembers each for good: whoever asks for ever new ones fills the memory."""
    name = encodings.normalize_encoding(encoding).lower() if encoding.isprintable() else ""
    if name not in _names():
        raise LookupError(encoding)
    return name


@cache
def _names() -> frozenset[str]:
    """All that Python's own encodings are called."""
    modules = (module.name for module in pkgutil.iter_modules(encodings.__path__))
    return frozenset((*aliases, *modules))


@dataclass(frozen=True)
class Words(Measure):
    """Words of the finished string, as white space separates them.

    A piece without a leading space joins the word before it and weighs nothing.
    """

    name: ClassVar[str] = "words"
    unit: ClassVar[str] = "words"

    def _length(self, text: str) -> int:
        return len(text.split())

    def _weight(self, piece: str) -> int:
        if piece in ("", " "):
            return 0
        joins_the_last = not piece[0].isspace()
        parts_from_the_next = piece[-1].isspace()
        return len(piece.split()) - joins_the_last + parts_from_the_next
