"""The packaged model, running; and folders that hold none."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from nacc.errors import BadModel
from nacc.lattice.words import WordLattice
from nacc.runtime.engine import Engine
from nacc.runtime.folder import PACKAGED
from nacc.summarizer import Summarizer
from nacc.text.words import split

FOLDER = PACKAGED / "default"
SUMMED = tuple(json.loads((FOLDER / "config.json").read_text("utf-8"))["sha256"])
NEEDED = ("config.json", *SUMMED)
SENTENCES = [
    split(text).keys
    for text in (
        "Rain.",
        "The harbour at Ystad was closed for three hours on Monday.",
        "Sales of electric bicycles rose 18% last year, the trade body said in its report.",
        "the bank 's shares fell #.# percent on tuesday after UNK , its chairman , resigned .",
        "“Nobody told us,” said Ada Quill, 61, whose house on Mill Lane lost its roof in the gale.",
        "東京 🎉 ٣ \x00 zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
        " ".join(["word"] * 80),
    )
]


@pytest.fixture(scope="module", params=["packaged", "ctc"])
def engine(request) -> Engine:
    packaged = request.param == "packaged"
    return Engine(FOLDER if packaged else request.getfixturevalue("ctc_folder"), threads=1)


def same(one: WordLattice, other: WordLattice) -> bool:
    arrays = ("words", "values", "blank", "rest", "links")
    return one.keys == other.keys and all(
        np.array_equal(getattr(one.lattice, name), getattr(other.lattice, name)) for name in arrays
    )


def test_a_lattice_has_its_slots_for_each_word_and_log_probabilities(engine):
    for keys in SENTENCES:
        (found,) = engine.lattices([keys])
        lattice = found.lattice
        slots = len(keys) * max(engine.slots, 1)
        assert lattice.words.shape == (slots, engine.config["top_k"])
        total = np.exp(lattice.values).sum(axis=1) + np.exp(lattice.blank)
        assert (total <= 1.001).all()
        assert np.isfinite(lattice.blank).all() == (not engine.slots)
        assert (lattice.links is None) == (not engine.slots)
        if lattice.links is not None:
            assert np.exp(lattice.links).sum(axis=1) == pytest.approx(np.ones(slots + 1), abs=1e-3)
        assert (np.diff(lattice.values, axis=1) <= 0).all()
        assert (lattice.rest <= lattice.values[:, -1]).all()


def test_a_sentence_has_the_same_lattice_alone_or_in_any_company(engine):
    alone = [engine.lattices([keys])[0] for keys in SENTENCES]
    for seed in range(3):
        order = list(range(len(SENTENCES)))
        random.Random(seed).shuffle(order)
        together = engine.lattices([SENTENCES[i] for i in order])
        assert all(same(found, alone[i]) for i, found in zip(order, together, strict=True))


def test_threads_share_an_engine(engine):
    alone = [engine.lattices([keys])[0] for keys in SENTENCES]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda keys: engine.lattices([keys])[0], SENTENCES * 4))
    assert all(same(a, b) for a, b in zip(found, alone * 4, strict=True))


def test_no_sentences_have_no_lattices(engine):
    assert engine.lattices([]) == []


def test_the_vocabulary_has_no_word_twice(engine):
    assert len(set(engine.encoder.vocabulary)) == engine.encoder.words


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A copy of the packaged model to be damaged. Its graphs' weights lie in a file of their own,
    which must be no link; the copy is large, so it is not left behind."""
    copy = shutil.copytree(FOLDER, tmp_path / "copy")
    yield copy
    shutil.rmtree(copy)


@pytest.fixture
def with_bigrams(ctc_folder: Path, tmp_path: Path) -> Path:
    """A copy of a model that has bigrams, to be damaged."""
    return shutil.copytree(ctc_folder, tmp_path / "copy")


def replace(path: Path, content: bytes | None) -> None:
    path.unlink()
    if content is not None:
        path.write_bytes(content)


def unsummed(folder: Path) -> None:
    """A folder that says nothing of its files' sums, so that they are looked into."""
    config = json.loads((folder / "config.json").read_text())
    del config["sha256"]
    replace(folder / "config.json", json.dumps(config).encode())


@pytest.mark.parametrize("name", SUMMED)
def test_a_file_that_is_not_what_it_was_is_named(folder, name):
    is_named_when_changed(folder, name)


def test_bigrams_that_are_not_what_they_were_are_named(with_bigrams):
    is_named_when_changed(with_bigrams, "bigrams.npz")


def is_named_when_changed(folder: Path, name: str) -> None:
    whole = (folder / name).read_bytes()
    replace(folder / name, whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(BadModel, match=f"not what it was: {name}$"):
        Engine(folder)
    replace(folder / name, whole)
    Engine(folder)  # which is looked at again


@pytest.mark.parametrize("damage", ["missing", "truncated"])
def test_weights_that_the_graphs_miss_are_refused_by_name(folder, damage):
    unsummed(folder)
    half = (folder / "weights.bin").read_bytes()[: 2**20]
    replace(folder / "weights.bin", None if damage == "missing" else half)
    with pytest.raises(BadModel, match=r"onnx cannot be run"):
        Engine(folder)


def test_sums_are_taken_once_a_process(folder, monkeypatch):
    Engine(folder)
    monkeypatch.setattr("nacc.runtime.folder.damaged", lambda *_: pytest.fail("looked at again"))
    Engine(folder)


@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize("damage", ["missing", "truncated", "garbage"])
def test_a_damaged_folder_is_refused_by_name(folder, name, damage):
    whole = (FOLDER / name).read_bytes()
    content = {"missing": None, "truncated": whole[: len(whole) // 2], "garbage": b"\xff\0" * 99}
    replace(folder / name, content[damage])
    with pytest.raises(BadModel) as refused:
        Engine(folder)
    assert str(folder) in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("format", "nacc-model-0"),
        ("positions", "many"),
        ("max_words", None),
        ("shape", {"words": 1.5}),
        ("shape", None),
        ("generation", "coherent"),
    ],
)
def test_a_config_of_another_kind_is_refused(folder, name, value):
    config = json.loads((folder / "config.json").read_text()) | {name: value}
    replace(folder / "config.json", json.dumps(config).encode())
    with pytest.raises(BadModel, match="1.5" if isinstance(value, dict) else repr(value)):
        Engine(folder)


def test_words_that_are_not_the_models_are_refused(folder):
    unsummed(folder)
    replace(folder / "words.txt", b"some\nother\nwords\n")
    words = len((FOLDER / "words.txt").read_text("utf-8").splitlines())
    with pytest.raises(BadModel, match=f"3 words, the model {words}"):
        Engine(folder)


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(BadModel, match="nowhere"):
        Summarizer.load(tmp_path / "nowhere")


def test_without_bigrams_the_model_still_runs(with_bigrams):
    assert Engine(with_bigrams).bigrams is not None
    unsummed(with_bigrams)
    replace(with_bigrams / "bigrams.npz", None)
    assert Engine(with_bigrams).bigrams is None


def test_damaged_bigrams_are_refused(with_bigrams):
    unsummed(with_bigrams)
    replace(with_bigrams / "bigrams.npz", b"not bigrams")
    with pytest.raises(BadModel, match="bigrams"):
        _ = Engine(with_bigrams).bigrams
