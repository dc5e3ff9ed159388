"""From a network's raw answer to a lattice over words with names."""

from __future__ import annotations

import numpy as np

from nacc.lattice.words import NetworkOutput

VOCABULARY = ["the", "dog"]
SOURCE = ["the", "owl"]


def test_symbols_become_words_of_the_vocabulary_or_of_the_source():
    raw = NetworkOutput(
        np.array([[[0, 3, 1], [3, 1, 0], [9, 9, 9]]], dtype=np.int32),  # the third slot is padding
        np.array([[[-1, -2, -3], [-4, -5, -6], [0, 0, 0]]], dtype=np.float32),
        np.array([[-0.5, -0.25, 0]], dtype=np.float32),
    )
    found = raw.lattice(0, SOURCE, VOCABULARY)
    named = [[found.keys[i] for i in slot] for slot in found.lattice.words]
    assert named == [["the", "owl"], ["owl", "dog"]]
    assert found.lattice.values.tolist() == [[-1, -2], [-4, -5]]
    assert found.lattice.blank.tolist() == [-0.5, -0.25]
    assert found.lattice.rest.tolist() == [-3, -6]  # the best word left out
    assert found.lattice.places.tolist() == [0, 1]  # a slot for each word of the source
