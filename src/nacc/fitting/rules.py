"""The rules about words: which may not be said, which must be, and numbers that stay whole.

Each works on one sentence's lattice, before it is decoded or on what came out.
"""

from __future__ import annotations

from dataclasses import replace

from nacc.decoding import Decoded
from nacc.errors import InvalidInput
from nacc.fitting.reading import Reading
from nacc.lattice.words import WordLattice
from nacc.options import TIDY, Wishes
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.numbers import needed_scale, needs_number, scalable
from nacc.text.punctuation import NEVER_SAID
from nacc.text.words import UNKNOWN, key


def forbidden(reading: Reading, wishes: Wishes) -> set[int]:
    """The words not to be said: the caller's, unknown ones, and new ones where it is faithful."""
    unwanted = {key(word) for word in wishes.forbidden}
    source = reading.places
    required = {key(word) for word in wishes.required}

    def refused(word: str) -> bool:
        if word in UNKNOWN or word in NEVER_SAID or word in unwanted:
            return True
        new = wishes.faithful and word not in source and word not in FUNCTION_WORDS
        return new and word not in required

    return {i for i, word in enumerate(reading.found.keys) if refused(word)}


def with_required(reading: Reading, wishes: Wishes) -> Reading:
    """Make sure each required word is a candidate: one of the source may stand at its own place."""
    if wishes.required and wishes.method not in TIDY:
        raise InvalidInput(f"required words need method exact or coherent, not {wishes.method}")
    unwanted = {key(word) for word in wishes.forbidden} | UNKNOWN | NEVER_SAID
    for word in wishes.required:
        lower = key(word)
        if lower in unwanted:
            raise InvalidInput(f"required word {word!r} is also forbidden, or never said")
        if lower in reading.ids:
            continue
        if lower not in reading.places:
            raise InvalidInput(
                f"required word {word!r} is neither in the text nor among the words the model "
                "proposes for it"
            )
        reading = _add(reading, lower)
    return reading


def _add(reading: Reading, word: str) -> Reading:
    """The reading with one more candidate, as likely as the likeliest word left out."""
    found = reading.found
    lattice = found.lattice.with_word(len(found.keys), reading.places[word])
    return replace(reading, found=WordLattice(lattice, (*found.keys, word)))


def broken_numbers(reading: Reading, wishes: Wishes, answer: Decoded) -> set[int]:
    """Halves of numbers: of 150 billion euros, neither 150 euros nor billion euros."""
    if not wishes.is_tidy:
        return set()
    required = {key(word) for word in wishes.required}
    keys = [reading.found.keys[i] for i in answer.tokens]
    broken = set()
    for i, word in enumerate(keys):
        if word in required:
            continue
        place = reading.nearest(word, reading.place(answer.starts[i]))
        scales = None if place is None else needed_scale(reading.sentence.keys, place)
        unscaled = scales and (i + 1 == len(keys) or keys[i + 1] not in scales)
        unnumbered = needs_number(word, reading.sentence.keys, place)
        if unscaled or (unnumbered and (i == 0 or not scalable(keys[i - 1]))):
            broken.add(answer.tokens[i])
    return broken
