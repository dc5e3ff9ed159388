"""What a length is, and how people write one."""

from nacc.length.budget import LARGEST, Budget, number
from nacc.length.presets import PRESETS, Preset
from nacc.length.units import UNITS, Unit

__all__ = ["LARGEST", "PRESETS", "UNITS", "Budget", "Preset", "Unit", "number"]
