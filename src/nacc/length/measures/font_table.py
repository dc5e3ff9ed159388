"""Widths of a font's characters and the kerning between them, kept small enough to ship.

The tables in `fonts/` were written by `tools/font_table.py`; reading one needs no
font and no extra.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from nacc.length.measures.fallback_font import fallback_width


@dataclass(frozen=True, eq=False)
class FontTable:
    """Advance widths and pair kerning in the font's own units, by character.

    The kerning between a and b is kerning[left[a]][right[b]]; class 0 never kerns.
    """

    units_per_em: int
    characters: str
    advances: list[int]
    left: list[int]
    right: list[int]
    kerning: list[list[int]]

    def width(self, text: str) -> int:
        """The width of `text`: advances and kerning, and a cautious guess for what is missing."""
        total, kerning = 0, self.kerning[0]
        for character in text:
            glyph = self._glyphs.get(character)
            if glyph is None:
                total += fallback_width(character, self.units_per_em)
                kerning = self.kerning[0]
            else:
                advance, right, next_kerning = glyph
                total += advance + kerning[right]
                kerning = next_kerning
        return total

    def widest_join(self, character: str) -> int:
        """At most by how much kerning pushes `character` away from whatever stands before it."""
        glyph = self._glyphs.get(character)
        return 0 if glyph is None else self._widest_joins[glyph[1]]

    @cached_property
    def _glyphs(self) -> dict[str, tuple[int, int, list[int]]]:
        """By character: its advance, its class on the right, its kerning with what follows."""
        rows = [self.kerning[left] for left in self.left]
        glyphs = zip(self.advances, self.right, rows, strict=True)
        return dict(zip(self.characters, glyphs, strict=True))

    @cached_property
    def _widest_joins(self) -> list[int]:
        return [max(column) for column in zip(*self.kerning, strict=True)]

    def save(self, path: Path) -> None:
        np.savez_compressed(
            path,
            units_per_em=np.int32(self.units_per_em),
            characters=np.array([ord(c) for c in self.characters], dtype=np.uint32),
            advances=np.array(self.advances, dtype=np.int16),
            left=np.array(self.left, dtype=np.uint16),
            right=np.array(self.right, dtype=np.uint16),
            kerning=np.array(self.kerning, dtype=np.int16),
        )

    @classmethod
    def load(cls, path: Path) -> FontTable:
        with np.load(path, allow_pickle=False) as stored:
            return cls(
                int(stored["units_per_em"]),
                "".join(map(chr, stored["characters"].tolist())),
                *(stored[name].tolist() for name in ("advances", "left", "right", "kerning")),
            )
