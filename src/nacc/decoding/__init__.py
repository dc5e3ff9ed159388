"""From a lattice of per-slot words to the best word sequence that fits a budget."""

from nacc.decoding.coherence import Coherence
from nacc.decoding.decoded import Decoded
from nacc.decoding.decoder import alternatives, decode, decode_batch, decode_budgets
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
