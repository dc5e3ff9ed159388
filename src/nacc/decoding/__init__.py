"""From a lattice of per-slot words to the best word sequence that fits a budget."""

from nacc.decoding.decoded import Decoded
from nacc.decoding.decoder import decode, decode_batch, decode_budgets

__all__ = ["Decoded", "decode", "decode_batch", "decode_budgets"]
