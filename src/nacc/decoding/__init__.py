"""From a lattice of per-slot words to the best word sequence that fits a budget."""

from nacc.decoding.bigrams import Bigrams
from nacc.decoding.coherence import Coherence
from nacc.decoding.decoded import Decoded
from nacc.decoding.decoder import alternatives, decode, decode_batch, decode_budgets

__all__ = [
    "Bigrams",
    "Coherence",
    "Decoded",
    "alternatives",
    "decode",
    "decode_batch",
    "decode_budgets",
]
