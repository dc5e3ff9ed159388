"""What a length is: each measure weighs words for the decoder and measures finished strings."""

from nacc.length.measures.columns import Columns
from nacc.length.measures.counted import Bytes, Characters, Graphemes, Words
from nacc.length.measures.measure import NEVER, Measure, WeightPlan
from nacc.length.measures.pixels import Pixels
from nacc.length.measures.sms import Sms

__all__ = [
    "NEVER",
    "Bytes",
    "Characters",
    "Columns",
    "Graphemes",
    "Measure",
    "Pixels",
    "Sms",
    "WeightPlan",
    "Words",
]
