"""From words to the arrays a network reads."""

from __future__ import annotations

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordPiece

from nacc.runtime.inputs import PADDING, InputEncoder
from nacc.text.pieces import Pieces

PIECES = {p: i for i, p in enumerate(["[UNK]", "[CLS]", "[SEP]", "the", "cat", "##s", "sat"])}
VOCABULARY = ["the", "sat", "dog"]


@pytest.fixture
def encoder() -> InputEncoder:
    pieces = Pieces(Tokenizer(WordPiece(PIECES, unk_token="[UNK]")))
    return InputEncoder(pieces, VOCABULARY, positions=10, max_words=6)


def test_a_known_word_is_its_vocabulary_id_any_other_its_first_place(encoder):
    assert encoder.symbols(["the", "cats", "sat", "cats", "owl"]) == [0, 3 + 1, 1, 3 + 1, 3 + 4]


def test_pieces_stand_between_the_sentence_marks_and_slots_point_at_words(encoder):
    inputs = encoder.batch([["the", "cats", "sat"]])
    assert inputs.pieces.tolist() == [[1, 3, 4, 5, 6, 2]]
    assert inputs.slots.tolist() == [[1, 2, 4]]
    assert inputs.lengths.tolist() == [3]


def test_shorter_sentences_are_padded(encoder):
    inputs = encoder.batch([["the"], ["the", "cats"]])
    assert inputs.pieces.tolist() == [[1, 3, 2, PADDING, PADDING], [1, 3, 4, 5, 2]]
    assert inputs.slots.tolist() == [[1, 0], [1, 2]]
    assert inputs.symbols.tolist() == [[0, 0], [0, 4]]
    assert inputs.lengths.tolist() == [1, 2]
    assert all(a.dtype == np.int64 for a in (inputs.pieces, inputs.slots, inputs.symbols))


def test_no_more_words_fit_than_the_model_reads(encoder):
    assert encoder.fitting(["sat"] * 3) == 3
    assert encoder.fitting(["sat"] * 20) == 6  # max_words
    assert encoder.fitting([]) == 0


def test_no_more_pieces_fit_than_there_are_positions(encoder):
    fitting = encoder.fitting(["cats"] * 6)  # two pieces each, and two marks
    assert fitting == 4
    assert encoder.batch([["cats"] * fitting]).pieces.shape == (1, 10)
