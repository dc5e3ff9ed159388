"""How long the output may be: an amount of a measure, as people write it.

`Budget.parse` reads "50", "75 bytes", "12 words", "600px Roboto 16" or a preset's name ("push").
"""

from __future__ import annotations

import numbers
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal

from nacc.errors import InvalidInput
from nacc.length.measures import (
    Bytes,
    Characters,
    Columns,
    Graphemes,
    Measure,
    Pixels,
    Plan,
    Sms,
    Words,
)
from nacc.length.presets import PRESETS, Preset

LARGEST = 1_000_000
"""The largest amount of any measure: far beyond any summary, far within the decoder's integers."""


@dataclass(frozen=True)
class Budget:
    """An amount of a measure that the finished string must not exceed."""

    amount: int | float
    measure: Measure = field(default_factory=Characters)

    def __post_init__(self) -> None:
        object.__setattr__(self, "amount", _checked(self.amount, self.measure))

    def length(self, text: str) -> int | float:
        """How long `text` is, in the budget's unit."""
        return self.measure.of(text)

    def fits(self, text: str) -> bool:
        return self.length(text) <= self.amount

    def room(self) -> int:
        """How much the pieces of a string may weigh together (see `nacc.length.measures.measure`).

        This is the capacity plus the weight of the leading space that the first piece brings and
        the finished string drops.
        """
        space = int(self.measure.weights([" "])[0])
        return self.measure.capacity(self.amount) + space

    def plans(self) -> tuple[Plan, ...]:
        """The ways to spend this budget; decode each and keep the best answer."""
        return self.measure.plans(self.amount)

    def overshoot(self, text: str) -> int:
        """By how much to shrink the room and decode again: 0 when `text` fits.

        Always 0 for answers within the room of a plan if the measure is additive.
        """
        if self.fits(text):
            return 0
        over = self.measure.capacity(self.length(text)) - self.measure.capacity(self.amount)
        return max(1, over)

    def __str__(self) -> str:
        words = str(self.measure)
        plural = re.match(r"(character|grapheme|byte|word|column)s\b", words)
        if self.amount == 1 and plural:
            words = plural[1] + words[plural.end() :]
        return f"{Decimal(str(self.amount)):f} {words}"

    @classmethod
    def parse(cls, text: str | int | float | Budget) -> Budget:
        """Read a budget: a number of characters, an amount and a unit, or a preset's name."""
        if isinstance(text, Budget):
            return text
        if isinstance(text, numbers.Real):
            return cls(text)
        if not isinstance(text, str):
            raise InvalidInput(f"a budget is a number or a string, not {text!r}; {_EXAMPLES}")
        preset = _PRESETS_BY_NAME.get("-".join(re.split(r"[\s_-]+", text.strip().lower())))
        if preset:
            return _parse_amount_and_unit(preset.budget)
        return _parse_amount_and_unit(text)


@dataclass(frozen=True)
class Unit:
    """A unit that budgets can be written in; `options` is what may follow it."""

    name: str
    spellings: tuple[str, ...]
    options: str
    what: str
    make: Callable[[str], Measure]


def units() -> tuple[Unit, ...]:
    """Every unit a budget can be written in."""
    return _UNITS


def presets() -> tuple[Preset, ...]:
    """Every budget that has a name."""
    return PRESETS


def _checked(amount: int | float, measure: Measure) -> int | float:
    if isinstance(amount, bool) or not isinstance(amount, numbers.Real):
        raise InvalidInput(f"a budget's amount must be a number, not {amount!r}; {_EXAMPLES}")
    if not 0 <= amount <= LARGEST:  # false for NaN, too
        raise InvalidInput(f"a budget must lie between 0 and {LARGEST:,}, not {amount}")
    value = float(amount)
    if value.is_integer():
        return int(value)
    if not measure.fractional:
        raise InvalidInput(f"a budget in {measure.name} must be a whole number, not {amount}")
    return value


def _parse_amount_and_unit(text: str) -> Budget:
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([^\W\d_]*)(?:\s+(.*?))?\s*", text, re.DOTALL)
    if not match:
        raise InvalidInput(f"cannot read the budget {text!r}; {_EXAMPLES}")
    amount, spelling, options = float(match[1]), match[2].lower(), match[3] or ""
    unit = _UNITS_BY_SPELLING.get(spelling)
    if not unit:
        known = ", ".join(unit.name for unit in _UNITS)
        raise InvalidInput(f"unknown unit {match[2]!r} in the budget {text!r}; known: {known}")
    if options and not unit.options:
        raise InvalidInput(f"{options!r} after {unit.name!r} means nothing in the budget {text!r}")
    return Budget(amount, unit.make(options))


_EXAMPLES = 'write e.g. "50", "75 bytes", "12 words", "600px", "sms"'

_UNITS = (
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

_UNITS_BY_SPELLING = {spelling: unit for unit in _UNITS for spelling in unit.spellings}
_PRESETS_BY_NAME = {preset.name: preset for preset in PRESETS}
