"""How long the output may be: an amount of a measure, as people write it.

`Budget.of` reads 50, "75 bytes", "12 words", "600px Roboto 16" or a preset's name ("push").
"""

from __future__ import annotations

import numbers
import re
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Decimal

from nacc.errors import InvalidInput
from nacc.length.measures import Characters, Measure, WeightPlan
from nacc.length.presets import PRESETS
from nacc.length.units import EXAMPLES, measure_of

LARGEST = 1_000_000
"""The largest amount of any measure: far beyond any summary, far within the decoder's integers."""
LONG = 10_000
"""Characters; of longer texts the beginning is measured first."""
_NUMBER = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(.*?)\s*", re.DOTALL)
_PRESETS_BY_NAME = {preset.name: preset for preset in PRESETS}


@dataclass(frozen=True)
class Budget:
    """An amount of a measure that the finished string must not exceed."""

    amount: int | float
    measure: Measure = field(default_factory=Characters)

    def __post_init__(self) -> None:
        object.__setattr__(self, "amount", _checked(self.amount, self.measure))

    @classmethod
    def of(
        cls,
        amount: str | int | float | Budget,
        unit: str | Measure | None = None,
        *,
        font_files: bool = True,
    ) -> Budget:
        """Read a budget: a number of `unit` (characters, if none is given), an amount written out
        with its own unit, a preset's name, or a budget as it is.

        font_files: whether pixels may be counted in a font that is named by its file.
        """
        if isinstance(amount, Budget):
            return amount
        if isinstance(amount, numbers.Real):
            return cls(amount, measure_of(unit, font_files=font_files))
        if not isinstance(amount, str):
            raise InvalidInput(f"a budget is a number or a string, not {amount!r}; {EXAMPLES}")
        preset = _PRESETS_BY_NAME.get("-".join(re.split(r"[\s_-]+", amount.strip().lower())))
        match = _NUMBER.fullmatch(preset.budget if preset else amount)
        if not match:
            raise InvalidInput(f"cannot read the budget {amount!r}; {EXAMPLES}")
        within = f" in the budget {amount!r}" if match[2] else ""
        measure = measure_of(match[2] or unit, font_files=font_files, within=within)
        return cls(float(match[1]), measure)

    def length(self, text: str) -> int | float:
        """How long `text` is, in the budget's unit."""
        return self.measure.of(text)

    def enough(self, text: str) -> int | float:
        """The smallest amount that `text` fits in; fractions rounded up to tenths."""
        length = self.length(text)
        if not self.measure.fractional:
            return length
        return float(Decimal(length).quantize(Decimal("0.1"), ROUND_CEILING))

    def fits(self, text: str) -> bool:
        if isinstance(text, str) and len(text) > LONG and self.length(text[:LONG]) > self.amount:
            return False  # what is too long already need not be measured to its end
        return self.length(text) <= self.amount

    def plans(self) -> tuple[WeightPlan, ...]:
        """The ways to spend this budget; decode each and keep the best answer."""
        return self.measure.plans(self.amount)

    def overshoot(self, text: str) -> int:
        """By how much to shrink the room and decode again: 0 when `text` fits, as it always does
        for what lies within the room of a plan, except in pixels of a font file."""
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


def number(amount: float) -> str:
    """An amount for people: 50, 599.5."""
    return f"{Decimal(str(round(amount, 1))).normalize():f}"


def _checked(amount: int | float, measure: Measure) -> int | float:
    if isinstance(amount, bool) or not isinstance(amount, numbers.Real):
        raise InvalidInput(f"a budget's amount must be a number, not {amount!r}; {EXAMPLES}")
    if not 0 <= amount <= LARGEST:  # false for NaN, too
        raise InvalidInput(f"a budget must lie between 0 and {LARGEST:,}, not {amount}")
    value = float(amount)
    if value.is_integer():
        return int(value)
    if not measure.fractional:
        raise InvalidInput(f"a budget in {measure.name} must be a whole number, not {amount}")
    return value
