"""nacc: say it in the space there is. What stands here is for users, and stays (docs/python.md)."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nacc.deadline import Deadline, within
    from nacc.decoding import Coherence, Decoded, decode, decode_batch
    from nacc.decoding.registry import Decoder, methods, register
    from nacc.errors import (
        BadModel,
        BudgetTooSmall,
        InvalidInput,
        InvalidOption,
        MissingExtra,
        NaccError,
        Stopped,
        Untrusted,
    )
    from nacc.lattice import Lattice
    from nacc.length import Budget
    from nacc.ngrams.bigrams import Bigrams
    from nacc.options import Options
    from nacc.summarizer import Summarizer
    from nacc.summary import Summary, SummaryWord

__version__ = "0.1.0"

_HOME = {
    "BadModel": "errors",
    "Bigrams": "ngrams.bigrams",
    "Budget": "length",
    "BudgetTooSmall": "errors",
    "Coherence": "decoding",
    "Deadline": "deadline",
    "Decoded": "decoding",
    "Decoder": "decoding.registry",
    "InvalidInput": "errors",
    "InvalidOption": "errors",
    "Lattice": "lattice",
    "MissingExtra": "errors",
    "NaccError": "errors",
    "Options": "options",
    "Stopped": "errors",
    "Summarizer": "summarizer",
    "Summary": "summary",
    "SummaryWord": "summary",
    "Untrusted": "errors",
    "decode": "decoding",
    "decode_batch": "decoding",
    "methods": "decoding.registry",
    "register": "decoding.registry",
    "within": "deadline",
}
"""Where each name lives. It is loaded when first asked for: Numba and ONNX Runtime take a while."""

__all__ = [
    "BadModel",
    "Bigrams",
    "Budget",
    "BudgetTooSmall",
    "Coherence",
    "Deadline",
    "Decoded",
    "Decoder",
    "InvalidInput",
    "InvalidOption",
    "Lattice",
    "MissingExtra",
    "NaccError",
    "Options",
    "Stopped",
    "Summarizer",
    "Summary",
    "SummaryWord",
    "Untrusted",
    "decode",
    "decode_batch",
    "methods",
    "register",
    "within",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'nacc' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"nacc.{_HOME[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
