"""nacc: say it in the space there is."""

from typing import TYPE_CHECKING, Any

from nacc.decoding import Bigrams, Decoded, decode, decode_batch
from nacc.errors import BadModel, BudgetTooSmall, InvalidInput, MissingExtra, NaccError
from nacc.lattice import Lattice
from nacc.length.budget import Budget
from nacc.summary import Summary

if TYPE_CHECKING:
    from nacc.summarizer import Summarizer

__version__ = "0.1.0"

__all__ = [
    "BadModel",
    "Bigrams",
    "Budget",
    "BudgetTooSmall",
    "Decoded",
    "InvalidInput",
    "Lattice",
    "MissingExtra",
    "NaccError",
    "Summarizer",
    "Summary",
    "decode",
    "decode_batch",
]


def __getattr__(name: str) -> Any:
    """The Summarizer brings ONNX Runtime along, so it is loaded when first asked for."""
    if name == "Summarizer":
        from nacc.summarizer import Summarizer

        return Summarizer
    raise AttributeError(f"module 'nacc' has no attribute {name!r}")
