"""What a length is: each measure weighs words for the decoder and measures finished strings."""

from nacc.measures.columns import Columns
from nacc.measures.counted import Bytes, Characters, Graphemes, Words
from nacc.measures.measure import NEVER, Measure, Plan
from nacc.measures.pixels import Pixels
from nacc.measures.sms import Sms

__all__ = [
    "NEVER",
    "Bytes",
    "Characters",
    "Columns",
    "Graphemes",
    "Measure",
    "Pixels",
    "Plan",
    "Sms",
    "Words",
]
