"""Readings by hand, of which the best answer is known."""

from __future__ import annotations

import math

import numpy as np

from nacc.fitting.reading import Prompt, Reading
from nacc.lattice import Lattice
from nacc.lattice.words import WordLattice
from nacc.text.words import split


def read(text: str, *slots: dict[str, float]) -> Reading:
    """A reading whose slots propose these words with these probabilities, ε with the rest."""
    sentence = split(text)
    slots = (*slots, *[{}] * (len(sentence) - len(slots)))
    keys = tuple(dict.fromkeys(word for slot in slots for word in slot))
    words = np.full((len(slots), max(map(len, slots))), -1, np.int32)
    values = np.full(words.shape, -np.inf)
    for s, slot in enumerate(slots):
        for k, (word, probability) in enumerate(slot.items()):
            words[s, k], values[s, k] = keys.index(word), math.log(probability)
    blank = np.log([1 - sum(slot.values()) for slot in slots])
    lattice = Lattice(words, values, blank, np.full(len(slots), -np.inf))
    found = WordLattice(lattice, keys)
    return Reading(Prompt(text, sentence, False), found, {})
