"""Training linked slots: the same loop, from a model of the former kind, and going on."""

import dataclasses
import json

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from nacc.errors import BadModel, InvalidInput
from nacc.learning import loop, minilm, smoke
from nacc.learning.batches import Batches
from nacc.learning.checkpoint import load_model, save_model
from nacc.learning.linked import Linked
from nacc.learning.metrics import read
from nacc.learning.network import Network
from nacc.learning.prepare import prepare
from nacc.learning.recipe import Recipe
from nacc.learning.shape import Shape
from nacc.learning.start import begin
from nacc.runtime.conditions import FORMER_LENGTHS, LENGTHS, Conditions
from nacc.text.pieces import Pieces

LINKED = {"slots": 2, "slot_layers": 1, "link_heads": 4, "decoder_layers": 1}
STYLES = {"wire": "Echo", "web": ""}
WORDS = ["<blank>", *(f"w{chr(97 + i)}" for i in range(26)), "to", "buy", "sell", "close", "open"]


class Stopped(Exception):
    pass


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """A small model of the former kind, trained with the former lengths."""
    folder = tmp_path_factory.mktemp("start")
    (folder / "words.txt").write_text("\n".join(WORDS) + "\n")
    pieces = Pieces.load(minilm.folder() / "tokenizer.json")
    pieces.save(folder / "tokenizer.json")
    (folder / "cues.json").write_text(json.dumps({"voices": ["Echo", "Globe"]}))
    torch.manual_seed(0)
    shape = Shape(
        pieces=len(pieces), words=len(WORDS), width=16, layers=1, heads=2, inner=32, word_layers=1
    )
    save_model(Network(shape), folder)
    return folder


@pytest.fixture(scope="module")
def recipe(start) -> Recipe:
    given = smoke.recipe(6)
    return dataclasses.replace(
        given,
        start=str(start),
        model=LINKED,
        data=dataclasses.replace(given.data, voices=3, added_words=20, min_count=1, styles=STYLES),
        training=dataclasses.replace(
            given.training, batch_words=400, warmup=2, average=0.5, checkpoint_every=3
        ),
        validation=dataclasses.replace(given.validation, sentences=8),
    )


@pytest.fixture(scope="module")
def data(recipe, tmp_path_factory):
    """News by two papers and, of another kind of text, a file that is one voice."""
    news, folder = tmp_path_factory.mktemp("news"), tmp_path_factory.mktemp("data")
    smoke.write_data(news)
    lines = (news / "train.tsv").read_text().splitlines()[:400]
    voiced = [line + ("\tGlobe" if i % 3 else "\tStar") for i, line in enumerate(lines)]
    (news / "train.tsv").write_text("\n".join(voiced) + "\n")
    prepare(recipe, news, folder)
    (folder / "validation.tsv").unlink()
    return folder


def test_linked_slots_learn_the_language_of_the_smoke_recipe(linked):
    records = read(linked / "metrics.jsonl")
    assert records[-1]["parts"]["paths"] < 0.5 < records[0]["parts"]["paths"]
    assert min(records[-1]["rouge"]) > 90
    assert all(r["unaligned"] == 0 for r in records)
    source, summary = smoke.example(linked / "best", smoke.recipe())
    assert summary == smoke.pairs(1, seed=3)[0][1] and summary not in source


def test_the_loss_falls_and_is_reported_in_parts(recipe, data, tmp_path):
    training = dataclasses.replace(recipe.training, updates=40, head_learning_rate=1e-2)
    best = loop.train(dataclasses.replace(recipe, training=training), data, tmp_path)
    reports = read(tmp_path / "metrics.jsonl")
    first, last = reports[0]["parts"], reports[-1]["parts"]
    assert set(last) == {"paths", "scorer", "drift", "shown", "skipped"}
    assert last["paths"] < first["paths"] and last["scorer"] < first["scorer"]
    assert last["shown"] > 0 and last["skipped"] == 0
    held_out = reports[-1]["held_out"]
    assert held_out["dev"] > held_out["dev paths"] > 0 == held_out["dev shown"]
    assert isinstance(load_model(best).network, Linked)
    styles = {"wire": "Echo", "web": None}
    assert Conditions.load(best) == Conditions(("Echo", "Globe", "Star"), styles=styles)


def test_a_stopped_run_ends_with_the_weights_of_one_that_never_was(recipe, data, tmp_path):
    lessons = {"often": {"train": 1.5}, "lengths": [[30, 2.0]], "news": ["train"]}
    taught = Recipe.from_dict({"name": "x", "lessons": lessons}).lessons
    recipe = dataclasses.replace(recipe, lessons=taught)
    loop.train(recipe, data, tmp_path / "whole")

    def stop(report):
        if report.update == 6:
            raise Stopped

    with pytest.raises(Stopped):
        loop.train(recipe, data, tmp_path / "stopped", show=stop)
    resumed = []
    loop.train(recipe, data, tmp_path / "stopped", show=resumed.append)
    assert [report.update for report in resumed] == [6]
    for name in ("checkpoint.safetensors", "best/model.safetensors"):
        whole, stopped = (load_file(tmp_path / run / name) for run in ("whole", "stopped"))
        assert whole.keys() == stopped.keys()
        assert all(torch.equal(whole[k], stopped[k]) for k in whole), name
    other = dataclasses.replace(recipe, lessons=None)
    with pytest.raises(BadModel, match="another run: lessons was"):
        loop.train(other, data, tmp_path / "whole")


def test_a_step_whose_gradient_is_no_number_is_skipped(recipe, data, tmp_path, monkeypatch):
    plain, steps = torch.nn.utils.clip_grad_norm_, []

    def clip(parameters, most):
        norm = plain(parameters, most)
        steps.append(norm)
        return norm * torch.nan if len(steps) == 2 else norm

    monkeypatch.setattr(torch.nn.utils, "clip_grad_norm_", clip)
    step, stepped = torch.optim.AdamW.step, []
    monkeypatch.setattr(
        torch.optim.AdamW, "step", lambda self: (stepped.append(len(steps)), step(self))
    )
    loop.train(recipe, data, tmp_path)
    assert stepped == [1, 3, 4, 5, 6]
    assert read(tmp_path / "metrics.jsonl")[0]["parts"]["skipped"] == pytest.approx(1 / 3)


def test_the_start_keeps_its_words_and_the_new_ones_are_there(recipe, data, start):
    given = load_model(start)
    _, vocabulary, network = begin(recipe, data)
    known = len(given.vocabulary)
    assert vocabulary[:known] == given.vocabulary
    assert known < len(vocabulary) <= known + 20
    assert torch.equal(network.output.weight[:known], given.network.output.weight)
    assert (network.output.weight[known:].abs().sum(1) > 0).all()
    assert torch.equal(network.transform.weight, given.network.transform.weight)
    fewer = dataclasses.replace(recipe, data=dataclasses.replace(recipe.data, added_words=0))
    with pytest.raises(BadModel, match="another vocabulary"):
        begin(fewer, data)


def test_lengths_and_voices_start_as_what_they_were(recipe, data, start):
    given = load_model(start)
    trainer = loop.Trainer(recipe, data, data.parent / "run", loop.Processes.join(), resume=False)
    former, now = Conditions(("Echo", "Globe"), FORMER_LENGTHS), Conditions(("Echo", "Globe", "S"))
    rows = trainer.network.piece_embedding.weight
    old = given.network.piece_embedding.weight

    def row(conditions, table, which, *asked):
        return table[given.pieces.id(conditions.pieces(*asked)[which])]

    for length in (10, 20, 27, 33, 42, 50, 58, 66, 75, 85, 100, 120):
        assert torch.equal(row(now, rows, 1, None, length), row(former, old, 1, None, length))
    for voice in ("Echo", "Globe"):
        assert torch.equal(row(now, rows, 0, voice), row(former, old, 0, voice))
    assert torch.equal(row(now, rows, 0, "S"), row(former, old, 0, None))
    assert torch.equal(row(now, rows, 1), row(former, old, 1))
    assert len({row(now, rows, 1, None, n).sum().item() for n in (27, 33)}) == 2


def test_a_start_of_another_shape_is_refused(recipe, data, tmp_path):
    best = loop.train(recipe, data, tmp_path)
    other = dataclasses.replace(recipe, start=str(best), model={"slots": 3})
    with pytest.raises(BadModel, match="another shape"):
        begin(other, data)


def test_weights_say_how_often_a_pair_comes(data):
    from nacc.learning.batches import Batching
    from nacc.learning.corpus import Corpus

    corpus = Corpus.load(data / "corpus.npz")
    weights = np.linspace(0, 3, len(corpus))
    words = (data / "words.txt").read_text().split("\n")[:-1]
    pieces = Pieces.load(minilm.folder() / "tokenizer.json")
    batches = Batches(
        corpus, pieces, words, Batching(2000, weights=weights), positions=512,
        device=torch.device("cpu"),
    )  # fmt: skip
    epochs = [np.concatenate(batches.plan(epoch)) for epoch in range(200)]
    seen = np.bincount(np.concatenate(epochs), minlength=len(corpus)) / 200
    assert np.abs(seen - weights).max() < 0.2


def test_settings_that_do_not_go_together_are_refused():
    good = {"name": "x", "data": {"files": ["a.tsv"]}}
    for part, fault in (
        ({"take": {"b": 3}}, "take names 'b'"),
        ({"take": {"a": 0}}, "take of 'a' must be at least 1"),
        ({"voice": {"b": "x"}}, "voice names 'b'"),
    ):
        with pytest.raises(InvalidInput, match=fault):
            Recipe.from_dict({**good, "data": {**good["data"], **part}})
    with pytest.raises(InvalidInput, match="link_heads 5"):
        Recipe.from_dict({**good, "model": {**LINKED, "link_heads": 5}})
    with pytest.raises(InvalidInput, match="copy = true alone"):
        Recipe.from_dict({**good, "model": {**LINKED, "copy": False}})
    assert LENGTHS[0] < FORMER_LENGTHS[0]


def test_only_the_parts_that_are_named_learn_and_a_stopped_run_goes_on(recipe, data, tmp_path):
    parts = ("slot_layers", "links")
    training = dataclasses.replace(recipe.training, learn=parts, sampled=8, glance=(0.0, 0.0))
    recipe = dataclasses.replace(recipe, training=training)
    before = {k: v.clone() for k, v in begin(recipe, data)[2].state_dict().items()}
    loop.train(recipe, data, tmp_path / "whole")

    def stop(report):
        if report.update == 6:
            raise Stopped

    with pytest.raises(Stopped):
        loop.train(recipe, data, tmp_path / "stopped", show=stop)
    loop.train(recipe, data, tmp_path / "stopped")
    whole, stopped = (
        load_file(tmp_path / run / "best/model.safetensors") for run in ("whole", "stopped")
    )
    assert all(torch.equal(whole[name], stopped[name]) for name in whole)
    changed = {name for name in whole if not torch.equal(whole[name], before[name])}
    changed.discard("piece_embedding.weight")  # its lengths were put in order at the beginning
    assert {name.partition(".")[0] for name in changed} == set(parts)


def test_a_part_that_is_not_the_networks_is_refused(recipe, data, tmp_path):
    training = dataclasses.replace(recipe.training, learn=("slots",))
    with pytest.raises(InvalidInput, match=r"no part is named 'slots'; known: .*slot_layers"):
        loop.train(dataclasses.replace(recipe, training=training), data, tmp_path)
