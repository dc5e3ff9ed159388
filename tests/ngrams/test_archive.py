"""A model's file says what it holds, is written whole, and is never a pickle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from nacc.errors import BadModel
from nacc.ngrams import archive

KIND = archive.Kind("tally", ("tallies 2", "tallies 1"), maker="nacc tally")


@dataclass
class Tally:
    counts: list[int]

    def check(self) -> None:
        if min(self.counts) < 0:
            raise archive.Damaged("a count below 0")


def load(path) -> Tally:
    return archive.load(path, KIND, lambda parts: Tally(parts["counts"].tolist()))


def test_what_was_saved_is_loaded_and_nothing_is_left_beside_it(tmp_path):
    path = tmp_path / "tally.npz"
    archive.save(path, KIND, {"counts": np.arange(3)})
    assert load(path) == Tally([0, 1, 2])
    assert [file.name for file in tmp_path.iterdir()] == ["tally.npz"]


def test_former_marks_are_read_and_others_refused(tmp_path):
    path = tmp_path / "tally.npz"
    np.savez(path, format=np.array("tallies 1"), counts=np.arange(3))
    assert load(path) == Tally([0, 1, 2])
    np.savez(path, format=np.array("tallies 3"), counts=np.arange(3))
    with pytest.raises(BadModel, match=r"tally\.npz holds tallies 3, not tallies 2"):
        load(path)


def test_the_file_and_the_fault_are_named(tmp_path):
    path = tmp_path / "tally.npz"
    with pytest.raises(BadModel, match=r"no tally at .*tally\.npz; `nacc tally` makes one"):
        load(path)
    archive.save(path, KIND, {"counts": np.array([-1])})
    with pytest.raises(BadModel, match=r"tally\.npz is damaged: a count below 0"):
        load(path)
    archive.save(path, KIND, {"other": np.arange(3)})
    with pytest.raises(BadModel, match=r"tally\.npz is not a tally: .*counts"):
        load(path)


def test_what_would_unpack_to_far_more_than_it_is_is_not_unpacked(tmp_path, monkeypatch):
    path = tmp_path / "tally.npz"
    np.savez_compressed(path, format=np.array("tallies 2"), counts=np.zeros(10**6, np.int64))
    monkeypatch.setattr(np, "load", lambda *_, **__: pytest.fail("unpacked"))
    with pytest.raises(BadModel, match=r"damaged: it would unpack to 8,000,\d+ bytes"):
        load(path)


def test_a_pickle_is_refused(tmp_path):
    path = tmp_path / "tally.npz"
    np.savez(path, format=np.array("tallies 2"), counts=np.array([print], dtype=object))
    with pytest.raises(BadModel, match=r"is not a tally: .*allow_pickle"):
        load(path)


def test_words_are_packed_a_line_each():
    for words in ((), ("one",), ("one", "zwölf")):
        assert archive.unpacked(archive.packed(words)) == words
