"""From a lattice of per-slot words to the best word sequence that fits a budget.

The registry knows the methods; all else is loaded when it is first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nacc.decoding.coherence import Coherence
    from nacc.decoding.decoded import Decoded
    from nacc.decoding.front_door import alternatives, decode, decode_batch, decode_budgets
    from nacc.ngrams.bigrams import Bigrams

__all__ = [
    "Bigrams",
    "Coherence",
    "Decoded",
    "alternatives",
    "decode",
    "decode_batch",
    "decode_budgets",
]

_HOMES = {
    "Bigrams": "nacc.ngrams.bigrams",
    "Coherence": "nacc.decoding.coherence",
    "Decoded": "nacc.decoding.decoded",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_HOMES.get(name, "nacc.decoding.front_door")), name)
    globals()[name] = found
    return found
