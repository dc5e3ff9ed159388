"""nacc: say it in the space there is."""

from nacc.budget import Budget
from nacc.decoding import Bigrams, Decoded, decode, decode_batch
from nacc.lattice import Lattice

__version__ = "0.1.0"

__all__ = ["Bigrams", "Budget", "Decoded", "Lattice", "decode", "decode_batch"]
