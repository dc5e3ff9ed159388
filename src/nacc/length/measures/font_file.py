"""Shaping with a font of the user's own: kerning, ligatures and contextual forms as on screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from nacc.errors import InvalidInput, MissingExtra
from nacc.length.measures.fallback_font import fallback_width

_NO_GLYPH = 0
_JOINS_ANY_SCRIPT = {"Zyyy", "Zinh", "Zzzz"}


@dataclass(frozen=True, eq=False)
class Shaper:
    """A font, opened: HarfBuzz at the scale of the font's own units."""

    font: Any
    units_per_em: int

    @classmethod
    @lru_cache(maxsize=16)
    def open(cls, path: Path) -> Shaper:
        try:
            import uharfbuzz as hb
        except ImportError:
            raise MissingExtra("measuring with a font file", "pixels") from None
        try:
            face = hb.Face(hb.Blob.from_file_path(str(path)))
        except (OSError, hb.HarfBuzzError) as error:
            raise InvalidInput(f"cannot open the font {str(path)!r}: {error}") from None
        if face.glyph_count == 0:
            raise InvalidInput(f"{str(path)!r} is not a TrueType or OpenType font")
        return cls(hb.Font(face), int(face.upem))

    def has(self, character: str) -> bool:
        return bool(self.font.get_nominal_glyph(ord(character)))

    def width(self, text: str) -> int:
        """The width of `text`, shaped; a cautious guess for each character the font lacks."""
        import uharfbuzz as hb

        total = 0
        for run in _runs_of_one_script(text):
            buffer = hb.Buffer()
            buffer.cluster_level = hb.BufferClusterLevel.CHARACTERS
            buffer.add_str(run)
            buffer.guess_segment_properties()
            hb.shape(self.font, buffer)
            for glyph, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
                if glyph.codepoint == _NO_GLYPH:
                    total += fallback_width(run[glyph.cluster], self.units_per_em)
                else:
                    total += position.x_advance
        return total

    def widest_join(self, character: str) -> int:
        """Unknown without shaping every pair, hence the caller's second look: see `Pixels`."""
        return 0


def _runs_of_one_script(text: str) -> Iterator[str]:
    """Split where the script changes, as browsers do; spaces, digits and marks join any script."""
    from fontTools.unicodedata import script

    start, current = 0, None
    for i, character in enumerate(text):
        own = script(character)
        if own in _JOINS_ANY_SCRIPT:
            continue
        if current not in (None, own):
            yield text[start:i]
            start = i
        current = own
    if text:
        yield text[start:]
