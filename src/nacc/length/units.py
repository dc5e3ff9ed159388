"""The units that budgets are written in, and what may follow each."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from nacc.errors import InvalidInput
from nacc.length.measures import (
    Bytes,
    Characters,
    Columns,
    Graphemes,
    Measure,
    Pixels,
    Sms,
    Words,
)

EXAMPLES = 'write e.g. "50", "75 bytes", "12 words", "600px", "sms"'


@dataclass(frozen=True)
class Unit:
    """A unit that budgets can be written in; `options` is what may follow it."""

    name: str
    spellings: tuple[str, ...]
    options: str
    what: str
    make: Callable[[str], Measure]


def measure_of(unit: str | Measure | None, *, font_files: bool = True, within: str = "") -> Measure:
    """The measure that a unit names, with what follows it: "bytes latin-1", "px Roboto 16".

    font_files: whether a font may be named by its file. within: what errors call its surroundings.
    """
    if isinstance(unit, Measure):
        return unit
    if unit is None:
        return Characters()
    if not isinstance(unit, str):
        raise InvalidInput(f"a unit is a word, not {unit!r}; {EXAMPLES}")
    match = re.fullmatch(r"\s*([^\W\d_]*)(?:\s+(.*?))?\s*", unit, re.DOTALL)
    found = _BY_SPELLING.get(match[1].lower()) if match else None
    if not match or not found:
        known = ", ".join(each.name for each in UNITS)
        raise InvalidInput(f"unknown unit {unit!r}{within}; known: {known}")
    options = match[2] or ""
    if options and not found.options:
        raise InvalidInput(f"{options!r} after {found.name!r} means nothing{within}")
    if found.name == "pixels" and not font_files:
        return Pixels.parse(options, font_files=False)
    return found.make(options)


UNITS = (
    Unit(
        "characters",
        ("", "characters", "character", "chars", "char", "c"),
        "",
        "Unicode code points; the default",
        lambda _: Characters(),
    ),
    Unit(
        "graphemes",
        ("graphemes", "grapheme"),
        "",
        "what a reader sees as one character, emoji families included",
        lambda _: Graphemes(),
    ),
    Unit(
        "bytes",
        ("bytes", "byte", "b"),
        "encoding, utf-8 if none",
        "bytes in an encoding",
        lambda options: Bytes(options or "utf-8"),
    ),
    Unit(
        "words",
        ("words", "word", "w"),
        "",
        "words between white space",
        lambda _: Words(),
    ),
    Unit(
        "columns",
        ("columns", "column", "cols", "col", "cells", "cell"),
        "",
        "terminal cells; East Asian letters and emoji take two",
        lambda _: Columns(),
    ),
    Unit(
        "pixels",
        ("px", "pixels", "pixel"),
        "font and size, Arial 20 if none",
        "width on screen; fonts: Arial, Roboto, Inter or the path of a font file",
        Pixels.parse,
    ),
    Unit(
        "sms",
        ("sms", "segments", "segment"),
        "",
        "text messages of 160 GSM-7 or 70 other characters",
        lambda _: Sms(),
    ),
)

_BY_SPELLING = {spelling: unit for unit in UNITS for spelling in unit.spellings}
