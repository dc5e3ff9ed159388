"""Conditions: what a model's folder says of the voices and lengths its network knows."""

import json

import numpy as np
import pytest

from nacc.errors import BadModel, InvalidInput
from nacc.runtime.conditions import FORMER_LENGTHS, LENGTHS, Conditions, has_conditions


def test_a_folder_says_what_it_was_trained_with(tmp_path):
    assert not has_conditions(tmp_path)
    given = Conditions(("Echo", "Globe"), (20, 40), {"wire": "Globe", "web": None})
    given.save(tmp_path)
    assert has_conditions(tmp_path)
    assert Conditions.load(tmp_path) == given


def test_an_older_folder_keeps_its_lengths_and_the_places_of_its_voices(tmp_path):
    (tmp_path / "cues.json").write_text(json.dumps({"voices": ["Echo", "Globe"]}))
    found = Conditions.load(tmp_path)
    assert found.lengths == FORMER_LENGTHS != LENGTHS
    assert found.pieces("Globe", 50) == ("[unused11]", "[unused5]")
    assert found.pieces() == ("[unused0]", "[unused1]")


def test_every_length_and_voice_has_a_piece_of_its_own():
    given = Conditions(("Echo", "Globe"))
    lengths = given.length_number(np.arange(1, 200))
    assert (np.diff(lengths) >= 0).all()
    assert sorted(set(lengths.tolist())) == list(range(2, 2 + len(LENGTHS) + 1))
    assert given.length_number(LENGTHS[3] - 1) + 1 == given.length_number(LENGTHS[3])
    voices = [given.voice_number(voice) for voice in given.voices]
    assert voices == [given.size - 2, given.size - 1] and min(voices) > lengths.max()


def test_what_was_not_told_apart_is_said_so(tmp_path):
    with pytest.raises(InvalidInput, match="no voice 'Star'"):
        Conditions(("Echo",)).pieces("Star")
    with pytest.raises(InvalidInput, match="style 'wire'"):
        Conditions(("Echo",), styles={"wire": "Star"})
    with pytest.raises(BadModel, match="not trained with voices"):
        Conditions.load(tmp_path)
    for wrong in ('{"voices": 3}', '["Echo"]', "{"):
        (tmp_path / "conditions.json").write_text(wrong)
        with pytest.raises(BadModel, match="not trained with voices"):
            Conditions.load(tmp_path)
