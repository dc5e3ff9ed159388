"""How wide a character is taken to be that a font lacks, and another font will draw."""

from __future__ import annotations

import math
import unicodedata
from fractions import Fraction
from functools import lru_cache

EAST_ASIAN_EM = Fraction(1)
"""Chinese, Japanese and Korean letters fill the em square in every font made for them."""

WIDEST_EM = Fraction(7, 5)
"""Anything else that has a width. The widest emoji of the usual emoji fonts stay below 1.4 em."""

_ZERO_WIDTH = {"Mn", "Me", "Cf"}


@lru_cache(maxsize=4096)
def fallback_width(character: str, units_per_em: int) -> int:
    """A cautious width in font units: zero only for combining marks and invisible characters."""
    if unicodedata.category(character) in _ZERO_WIDTH:
        return 0
    wide = unicodedata.east_asian_width(character) in "WF" and character.isalpha()
    return math.ceil((EAST_ASIAN_EM if wide else WIDEST_EM) * units_per_em)
