"""Width on screen: of the built-in fonts by table, of any other by shaping with its file.

The decoder counts quarters of a pixel, rounded up for every piece: 600 px are 2400 units.
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

from nacc.errors import InvalidInput
from nacc.length.measures.font_file import Shaper
from nacc.length.measures.font_table import FontTable
from nacc.length.measures.measure import Measure

UNITS_PER_PIXEL = 4
DEFAULT_FONT, DEFAULT_SIZE = "Arial", 20

BUILT_IN = {
    "arial": "Arial",
    "arimo": "Arial",
    "helvetica": "Arial",
    "liberation sans": "Arial",
    "roboto": "Roboto",
    "inter": "Inter",
}
"""Fonts measured without their files; Arial stands for all fonts that share its widths."""

_NO_WIDTH_ON_A_LINE = {"Cc", "Zl", "Zp"}


@dataclass(frozen=True)
class Pixels(Measure):
    """Width in pixels of one line, set in `font` (a built-in name or a file) at `size` pixels.

    A built-in font's weights allow for the widest kerning between pieces. A font file is shaped
    piece by piece, and a ligature or contextual form across two pieces goes unseen: measure the
    finished string (`Budget.overshoot`).
    """

    name: ClassVar[str] = "pixels"
    unit: ClassVar[str] = "px"
    fractional: ClassVar[bool] = True
    font: str = DEFAULT_FONT
    size: float = DEFAULT_SIZE

    def __post_init__(self) -> None:
        if not 0 < self.size <= 1000:
            raise InvalidInput(
                f"a font's size must be more than 0 and at most 1000 px, not {self.size:g}"
            )
        if float(self.size).is_integer():
            object.__setattr__(self, "size", int(self.size))
        object.__setattr__(self, "font", BUILT_IN.get(self.font.lower(), self.font))
        _ruler(self.font)

    @classmethod
    def parse(cls, options: str, *, font_files: bool = True) -> Pixels:
        """Read what follows "px" in a budget: "", "Roboto", "16", "Roboto 16", "my.ttf 16"; the
        last only where fonts may be named by their files."""
        match = re.fullmatch(r"(.*?)(?:(?:^|\s+)([0-9]+(?:\.[0-9]+)?)(?:px)?)?", options.strip())
        font, size = match.groups() if match else (options, None)
        if font and not font_files and font.lower() not in BUILT_IN:
            known = ", ".join(sorted(set(BUILT_IN.values())))
            raise InvalidInput(f"unknown font {font!r}; known here: {known}")
        return cls(font or DEFAULT_FONT, float(size) if size else DEFAULT_SIZE)

    def capacity(self, amount: int | float) -> int:
        return math.floor(amount * UNITS_PER_PIXEL)

    def _length(self, text: str) -> float:
        # A quotient of integers is rounded once: what fits to the last unit is not seen as over.
        return self._font_units(text) * self._scale.numerator / self._scale.denominator

    def _weight(self, piece: str) -> int:
        per_pixel, scale = UNITS_PER_PIXEL * self._scale.numerator, self._scale.denominator
        if piece == " ":
            return self._space * per_pixel // scale
        units = self._font_units(piece)
        if piece.startswith(" "):
            # At the head of the string there is no space that kerning could pull the word to.
            units = max(units, self._space + self._font_units(piece[1:]))
        if piece:
            units += _ruler(self.font).widest_join(piece[0])
        return max(0, -(-units * per_pixel // scale))

    def _font_units(self, text: str) -> int:
        if not text.isprintable():
            for character in text:
                if unicodedata.category(character) in _NO_WIDTH_ON_A_LINE:
                    raise InvalidInput(
                        f"{character!r} has no width in pixels; "
                        "replace line breaks and tabs by spaces"
                    )
        return _width(self.font, text)

    @cached_property
    def _space(self) -> int:
        return self._font_units(" ")

    @cached_property
    def _scale(self) -> Fraction:
        """Pixels per font unit."""
        return Fraction(str(self.size)) / _ruler(self.font).units_per_em

    def __str__(self) -> str:
        return f"{self.unit} {self.font} {Decimal(str(self.size)):f}"


@lru_cache(maxsize=16)
def _width(font: str, text: str) -> int:
    """In the font's units; a long text is measured several times while it is made to fit."""
    return _ruler(font).width(text)


@lru_cache(maxsize=16)
def _ruler(font: str) -> FontTable | Shaper:
    if font in BUILT_IN.values():
        return FontTable.load(Path(__file__).parent / "fonts" / f"{font.lower()}.npz")
    if not Path(font).is_file():
        raise InvalidInput(
            f"unknown font {font!r}; built in are Arial, Roboto and Inter, "
            "any other needs the path of its .ttf or .otf file"
        )
    return Shaper.open(Path(font))
