"""Restoring: an exported model can be trained on as if it had never been exported."""

import dataclasses
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from nacc.errors import BadModel
from nacc.lattice.words import WordLattice
from nacc.learning import loop, smoke
from nacc.learning.checkpoint import load_model
from nacc.learning.prepare import prepare
from nacc.learning.validation import lattices_of
from nacc.runtime.engine import Engine
from nacc.runtime.folder import PACKAGED, packaged

SENTENCE = "the company said on friday that it would close the old bridge by the river".split()


@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_the_weights_come_back(trained, exported, precision):
    wanted = load_model(trained / "best").network.state_dict()
    found = load_model(exported[precision]).network.state_dict()
    for name, value in wanted.items():
        step = value.abs().max() / 60 if precision == "int8" else 1e-6  # seven bits
        assert (found[name] - value).abs().max() <= step, name


def test_a_tied_output_comes_back(papers_model):
    wanted, found = (load_model(folder).network for folder in papers_model)
    assert found.output.weight is found.piece_embedding.weight
    assert torch.allclose(found.output.weight, wanted.output.weight)


@pytest.mark.parametrize("folder", packaged(), ids=lambda folder: folder.name)
def test_a_packaged_model_thinks_the_same_in_torch(folder):
    thinks_the_same(folder)


def test_an_exported_model_thinks_the_same_in_torch(exported):
    thinks_the_same(exported["int8"])


def thinks_the_same(folder: Path) -> None:
    """All that the network says of a sentence, in ONNX and in torch, differs but a little."""
    engine = Engine(folder)
    given = load_model(folder)
    (wanted,) = engine.lattices([SENTENCE])
    (found,) = lattices_of(given.network, engine.encoder, [SENTENCE], torch.device("cpu"))
    kinds = [[apart(one, other) for one, other in zip(words(wanted), words(found), strict=True)]]
    for name in ("blank", "links") if engine.slots else ("blank",):
        one, other = (np.exp(getattr(each.lattice, name)) for each in (wanted, found))
        kinds.append(np.abs(one - other).reshape(len(one), -1).max(axis=1))
    for differences in kinds:
        assert np.max(differences) < 0.15 and np.median(differences) < 0.015


def words(found: WordLattice) -> list[dict[str, float]]:
    """How probable each slot's candidates are."""
    lattice = found.lattice
    return [
        {found.keys[word]: value for word, value in zip(*each, strict=True)}
        for each in zip(lattice.words, np.exp(lattice.values), strict=True)
    ]


def apart(one: dict[str, float], other: dict[str, float]) -> float:
    return max(abs(one.get(word, 0.0) - other.get(word, 0.0)) for word in one | other)


def test_training_goes_on_from_the_packaged_model_by_name(news, tmp_path):
    recipe = smoke.recipe(1)
    training = dataclasses.replace(recipe.training, batch_words=64)
    data = dataclasses.replace(recipe.data, validation=())
    recipe = dataclasses.replace(recipe, start="default", model={}, training=training, data=data)
    prepare(recipe, news, tmp_path / "data")
    best = loop.train(recipe, tmp_path / "data", tmp_path / "run")
    before, after = (load_model(f).network for f in (PACKAGED / "default", best))
    assert before.shape == after.shape
    assert not torch.equal(before.transform.weight, after.transform.weight)


def test_another_graph_is_refused(exported, tmp_path):
    shutil.copytree(exported["int8"], tmp_path, dirs_exist_ok=True)
    (tmp_path / "model.onnx").write_bytes(b"\x00 no graph")
    with pytest.raises(BadModel, match=r"model\.onnx"):
        load_model(tmp_path)
