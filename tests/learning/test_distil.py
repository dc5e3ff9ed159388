"""Distilling: the teacher's own headlines, of the words it can say, are what is learnt from."""

import dataclasses
import json

import pytest
import torch

from nacc.data.pairs import MAX_SOURCE_WORDS
from nacc.errors import BadModel
from nacc.fitting.reading import dangles
from nacc.learning import loop, smoke
from nacc.learning.checkpoint import load_model
from nacc.learning.corpus import Corpus
from nacc.learning.distil import WORDS, distil, within
from nacc.learning.export import export
from nacc.learning.writing import Manner, Writer
from nacc.runtime.inputs import InputEncoder

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def teacher(prepared, tmp_path_factory):
    """A run that adds a decoder to nothing: it learns all from the smoke data."""
    recipe = smoke.recipe(60)
    recipe = dataclasses.replace(recipe, model={**recipe.model, "decoder_layers": 1})
    return loop.train(recipe, prepared, tmp_path_factory.mktemp("teacher"))


def test_a_teacher_learns_and_is_validated(teacher):
    records = [json.loads(line) for line in (teacher.parent / "metrics.jsonl").open()]
    assert records[-1]["loss"] < 0.5 < records[0]["loss"]
    assert records[-1]["rouge"][0] > 60


def test_its_headlines_take_the_place_of_the_human_ones(teacher, prepared, tmp_path):
    shown = []
    count = distil(teacher, prepared, tmp_path, CPU, show=lambda *progress: shown.append(progress))
    before, after = (Corpus.load(d / "corpus.npz") for d in (prepared, tmp_path))
    assert count == len(after) > 0.9 * len(before)
    assert shown[-1] == (len(before), len(before))
    given = load_model(teacher)
    known = set(given.vocabulary)
    positions = given.network.shape.positions
    encoder = InputEncoder(given.pieces, given.vocabulary, positions, MAX_SOURCE_WORDS)
    writer = Writer(given.network.eval(), encoder, CPU)
    manner = Manner(words=WORDS, again=torch.tensor([dangles(w) for w in given.vocabulary]))
    for i in range(0, len(after), 97):
        source = [after.lexicon[w] for w in after.source.row(i)]
        said = [after.lexicon[w] for w in after.target.row(i)]
        assert all(word in known or word in source for word in said)
        (again,) = writer.write([source], manner)
        assert again[0] == said
    assert (tmp_path / "words.txt").read_bytes() == (prepared / "words.txt").read_bytes()


def test_a_limit_ends_it_early(teacher, prepared, tmp_path, monkeypatch):
    monkeypatch.setattr("nacc.learning.distil.BATCH_WORDS", 2000)
    count = distil(teacher, prepared, tmp_path, CPU, limit=100)
    assert 90 < count < 300 < len(Corpus.load(prepared / "corpus.npz"))


def test_a_student_learns_from_a_distilled_folder(teacher, prepared, tmp_path):
    distil(teacher, prepared, tmp_path / "data", CPU)
    best = loop.train(smoke.recipe(5), tmp_path / "data", tmp_path / "run")
    assert (best / "model.safetensors").exists()


def test_a_decoder_is_added_to_a_model_that_has_none(trained, prepared):
    recipe = dataclasses.replace(
        smoke.recipe(1), start=str(trained / "best"), model={"decoder_layers": 2}
    )
    _, _, network = loop.begin(recipe, prepared)
    given = load_model(trained / "best").network
    assert len(network.decoder) == 2
    assert torch.equal(network.output.weight, given.output.weight)


def test_only_an_autoregressive_model_teaches_and_only_others_are_exported(
    trained, teacher, prepared, tmp_path
):
    with pytest.raises(BadModel, match="not autoregressive"):
        distil(trained / "best", prepared, tmp_path, CPU)
    with pytest.raises(BadModel, match="autoregressive"):
        export(teacher, tmp_path / "out")


def test_a_teacher_of_another_vocabulary_is_refused(teacher, prepared, tmp_path):
    for name in ("corpus.npz", "words.txt"):
        (tmp_path / name).write_bytes((prepared / name).read_bytes())
    with (tmp_path / "words.txt").open("a", encoding="utf-8") as file:
        file.write("another\n")
    with pytest.raises(BadModel, match="another vocabulary"):
        distil(teacher, tmp_path, tmp_path / "out", CPU)


@pytest.mark.parametrize(("budget", "kept"), [(8, 1), (9, 2), (10, 2), (2, 0), (99, 3)])
def test_within_keeps_whole_words(budget, kept):
    assert within(["ferry", "hit", "wall"], budget) == ["ferry", "hit", "wall"][:kept]
