"""Cells of a terminal, an LED sign or a till display: East Asian letters and emoji take two."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import ClassVar

import regex
from wcwidth import wcwidth

from nacc.errors import InvalidInput
from nacc.length.measures.measure import Measure

_EMOJI_STYLE = "\ufe0f"
_NO_WIDTH_OF_ITS_OWN = {"Cc", "Zl", "Zp"}

_EMOJI = (
    r"\p{Regional_Indicator}{1,2}"
    r"|\p{Extended_Pictographic}\p{GCB=Extend}*"
    r"(?:\u200d\p{Extended_Pictographic}\p{GCB=Extend}*)*"
)
_EMOJI_OR_CHARACTER = regex.compile(rf"({_EMOJI})|(?s:.)")


@dataclass(frozen=True)
class Columns(Measure):
    """Terminal cells of one line, by Unicode's East Asian widths (wcwidth).

    A flag, a family joined by ZWJ or a hand with a skin tone takes two cells, as one emoji does.
    A following emoji-style selector (U+FE0F) adds a cell to what is narrower. An emoji never gets
    wider by joining another, so the weights are an upper bound. Line breaks, tabs and other
    control characters have no width and are never chosen.
    """

    name: ClassVar[str] = "columns"
    unit: ClassVar[str] = "columns"

    def _length(self, text: str) -> int:
        if text.isascii() and text.isprintable():
            return len(text)
        total = 0
        for match in _EMOJI_OR_CHARACTER.finditer(text):
            cells = sum(map(_cells, match.group()))
            total += min(2, cells) if match.group(1) else cells
        return total


def _cells(character: str) -> int:
    if character == _EMOJI_STYLE:
        return 1
    if unicodedata.category(character) in _NO_WIDTH_OF_ITS_OWN:
        raise InvalidInput(
            f"{character!r} has no width in columns; replace line breaks and tabs by spaces"
        )
    return max(0, int(wcwidth(character)))
