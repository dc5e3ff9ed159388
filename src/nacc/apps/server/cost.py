"""What a request will cost, before anybody works for it. The unit is an ordinary summary: one
sentence, one budget, one answer.

Estimates, by what was measured of the packaged model: reading and decoding take time in proportion
to the words, up to as many as a model reads; more answers cost more, and so do words that the text
repeats, which a summary may say only once. How many are compared is not told apart: mostly forty.
"""

from __future__ import annotations

from nacc.fitting.reading import Prompt
from nacc.options import Settled

ORDINARY_WORDS = 40
MOST_WORDS = 80
LETTERS_A_WORD = 6
LETTERS_LOOKED_AT = 2000
"""What a model does not read is looked at all the same: so many letters count as a summary."""
HEAVY = 2.5
"""What costs more than this does not keep what costs less waiting …"""
LARGE = 2 * HEAVY
"""… nor does any part of a request that costs so much as a whole."""


def of_text(text: str, budgets: int, options: Settled) -> float:
    """At the door: a text, of which nothing but its length is known, within so many budgets."""
    decoding = _size(len(text) / LETTERS_A_WORD) * budgets * _answers(options)
    return decoding + of_opening(text)


def of_opening(text: str) -> float:
    """Before any model: a text's words, its language, whether it fits as it is."""
    return len(text) // LETTERS_LOOKED_AT


def of_decoding(prompt: Prompt, options: Settled) -> float:
    """A text within one budget, once its words are known."""
    keys = prompt.sentence.keys
    repeated = len(keys) / max(1, len(set(keys)))
    return _size(len(keys)) * repeated * _answers(options)


def _size(words: float) -> float:
    return max(1.0, min(words, MOST_WORDS) / ORDINARY_WORDS)


def _answers(options: Settled) -> float:
    return 1 + (options.alternatives - 1) / 5
