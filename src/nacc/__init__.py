"""nacc: say it in the space there is."""

from nacc.budget import Budget

__version__ = "0.1.0"

__all__ = ["Budget"]
