"""Derive a font's table: `python tools/font_table.py FONT.ttf OUT.npz`.

Every character and every pair of characters is shaped with HarfBuzz (extra `[pixels]`); a pair's
kerning is what its width differs by from the widths of its two characters. Characters that kern
alike share a class, which is what makes the table small.
"""

from __future__ import annotations

import random
import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nacc.errors import InvalidInput
from nacc.length.measures.font_file import Shaper
from nacc.length.measures.font_table import FontTable

BLOCKS = (
    *(range(0x0020, 0x0250), range(0x1E00, 0x1F00)),  # Latin
    *(range(0x0370, 0x0400), range(0x0400, 0x0530)),  # Greek, Cyrillic
    *(range(0x2000, 0x2070), range(0x20A0, 0x20D0)),  # punctuation, currency
    *(range(0x02B0, 0x0300), range(0x2070, 0x20A0)),  # modifiers, super- and subscripts
    *(range(0x2100, 0x2150), range(0x2150, 0x2190)),  # letterlike (™, №), fractions
    *(range(0x2190, 0x2200), range(0x2200, 0x2300)),  # arrows, mathematics
    range(0x25A0, 0x2600),  # bullets and other geometric shapes
)
"""The characters a table covers, where the font has them."""

_WITHOUT_WIDTH = {"Mn", "Me", "Cf", "Cc", "Cn", "Zl", "Zp"}


def derive(font: Path, blocks: Iterable[range] = BLOCKS) -> FontTable:
    """Shape every character and every pair of characters that `font` has within `blocks`."""
    shaper = Shaper.open(font)
    characters = "".join(
        chr(code)
        for block in blocks
        for code in block
        if shaper.has(chr(code)) and unicodedata.category(chr(code)) not in _WITHOUT_WIDTH
    )
    if not characters:
        raise InvalidInput(f"{font} has none of the characters a table covers")
    advances = np.array([shaper.width(c) for c in characters], dtype=np.int16)
    kerning = np.zeros((len(characters), len(characters)), dtype=np.int16)
    for i, a in enumerate(characters):
        for j, b in enumerate(characters):
            kerning[i, j] = shaper.width(a + b) - advances[i] - advances[j]
    left, kerning = _classes(kerning)
    right, transposed = _classes(kerning.T)
    return FontTable(
        shaper.units_per_em,
        characters,
        *(array.tolist() for array in (advances, left, right, transposed.T)),
    )


def _classes(rows: NDArray[np.int16]) -> tuple[NDArray[np.uint16], NDArray[np.int16]]:
    """Group equal rows: the class of each row, and one row of each class; class 0 is all zero."""
    padded = np.vstack([np.zeros_like(rows[:1]), rows])
    _, first, inverse = np.unique(padded, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    classes = rank[inverse.ravel()[1:]]
    return classes.astype(np.uint16), padded[first[order]]


def differing_lines(table: FontTable, font: Path, lines: int = 5000, length: int = 12) -> int:
    """Of so many random lines, how many the table and HarfBuzz see differently.

    What pairs cannot tell, such as a ligature of three letters or a form that depends on two
    neighbours, makes them differ.
    """
    draw = random.Random(0)
    shaper = Shaper.open(font)
    drawn = ("".join(draw.choices(table.characters, k=length)) for _ in range(lines))
    return sum(table.width(line) != shaper.width(line) for line in drawn)


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: python tools/font_table.py FONT.ttf OUT.npz")
    font, out = Path(sys.argv[1]), Path(sys.argv[2])
    table = derive(font)
    table.save(out)
    print(f"{len(table.characters)} characters → {out}")
    print(f"{differing_lines(table, font)} of 5000 random lines differ from HarfBuzz")


if __name__ == "__main__":
    main()
