"""A model with linked slots, running: links, what it is told, and its scorer."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from nacc.errors import BadModel, InvalidOption
from nacc.runtime.engine import Engine
from nacc.text.words import split

KEYS = split("The harbour at Ystad was closed for 3 hours on Monday, the port said.").keys
ANSWERS = [["harbour", "closed"], ["harbour", "closed", "for", "3", "hours"], ["police", "closed"]]


@pytest.fixture(scope="module")
def engine(linked_folder) -> Engine:
    return Engine(linked_folder)


def test_a_lattice_has_two_slots_a_word_and_links_that_are_probabilities(engine):
    (found,) = engine.lattices([KEYS])
    lattice = found.lattice
    assert lattice.slots == 2 * len(KEYS)
    assert lattice.places.tolist() == [slot // 2 for slot in range(lattice.slots)]
    assert np.isneginf(lattice.blank).all()
    np.testing.assert_allclose(np.exp(lattice.links).sum(1), 1, atol=1e-5)
    assert (lattice.rest <= lattice.values.min(1)).all()
    assert found.source.shape[0] == len(KEYS)
    assert set(found.keys) & set(KEYS) and set(found.keys) - set(KEYS)


def test_what_it_is_told_changes_what_it_says_and_nothing_told_is_any(engine):
    told = [(None, None), ("gazette", None), (None, 60), ("gazette", 60)]
    first, *others = (engine.lattices([KEYS], [each])[0].lattice.values for each in told)
    assert all(not np.array_equal(first, other) for other in others)
    assert np.array_equal(engine.lattices([KEYS])[0].lattice.values, first)


def test_lengths_of_one_class_are_one(engine):
    assert [engine.told(None, n)[1] for n in (1, 23, 24, 37, 38, 53, 54, 79, 80, 999)] == [
        23, 23, 24, 24, 38, 38, 54, 54, 80, 80,
    ]  # fmt: skip
    assert engine.told("wire", None) == ("gazette", None)
    assert engine.told("any", 50) == (None, 38)
    with pytest.raises(InvalidOption, match="its styles are wire, web, any"):
        engine.told("loud", 50)


def test_told_lengths_of_one_class_are_the_same_pieces(engine):
    values = [engine.lattices([KEYS], [(None, n)])[0].lattice.values for n in (38, 45, 53, 54)]
    assert np.array_equal(values[0], values[1]) and np.array_equal(values[1], values[2])
    assert not np.array_equal(values[2], values[3])


def test_answers_are_scored_the_same_alone_or_in_any_company(engine):
    (found,) = engine.lattices([KEYS])
    together = engine.scorer.scores(found.source, KEYS, ANSWERS)
    alone = [engine.scorer.scores(found.source, KEYS, [answer])[0] for answer in ANSWERS]
    np.testing.assert_allclose(together, alone, rtol=1e-5)
    assert len(set(together.tolist())) == len(ANSWERS)


def test_the_scorer_is_loaded_when_it_is_first_asked(linked_folder, monkeypatch):
    loaded: list[str] = []
    from nacc.runtime import scorer, session

    def counted(path, threads):
        loaded.append(path.name)
        return session.session(path, threads)

    monkeypatch.setattr(scorer, "session", counted)
    engine = Engine(linked_folder)
    (found,) = engine.lattices([KEYS])
    assert loaded == []
    for _ in range(2):
        engine.scorer.scores(found.source, KEYS, ANSWERS)
    assert loaded == ["scorer.onnx"]


def copied(folder: Path, to: Path) -> Path:
    shutil.copytree(folder, to, dirs_exist_ok=True)
    return to


def test_a_folder_without_a_scorer_has_none(linked_folder, tmp_path):
    folder = copied(linked_folder, tmp_path)
    config = json.loads((folder / "config.json").read_text())
    del config["sha256"]["scorer.onnx"]
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "scorer.onnx").unlink()
    assert Engine(folder).scorer is None


@pytest.mark.parametrize("name", ["scorer.onnx", "conditions.json", "words.txt"])
def test_any_damaged_file_is_named(linked_folder, tmp_path, name):
    folder = copied(linked_folder, tmp_path)
    with (folder / name).open("ab") as stream:
        stream.write(b" ")
    with pytest.raises(BadModel, match=f"not what it was: {name}$"):
        Engine(folder)
