"""Cells of a terminal, an LED sign or a till display: East Asian letters and emoji take two."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import regex

from nacc.errors import InvalidInput
from nacc.length.measures.measure import Measure

_EMOJI_STYLE = "\ufe0f"
_NO_WIDTH_OF_ITS_OWN = {"Cc", "Zl", "Zp"}

_EMOJI = regex.compile(
    r"\p{Regional_Indicator}{1,2}"
    r"|\p{Extended_Pictographic}\p{GCB=Extend}*"
    r"(?:\u200d\p{Extended_Pictographic}\p{GCB=Extend}*)*"
)


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
        emoji = [sum(map(_cells, one)) for one in _EMOJI.findall(text)]
        return sum(map(_cells, text)) - sum(max(0, cells - 2) for cells in emoji)


@lru_cache(maxsize=4096)
def _cells(character: str) -> int:
    if character == _EMOJI_STYLE:
        return 1
    if unicodedata.category(character) in _NO_WIDTH_OF_ITS_OWN:
        raise InvalidInput(
            f"{character!r} has no width in columns; replace line breaks and tabs by spaces"
        )
    from wcwidth import wcwidth  # whose tables take a while, and few texts need them

    return max(0, int(wcwidth(character)))
