"""The loop: it learns, keeps its schedule, and goes on after a stop as if nothing had happened."""

import dataclasses
import json
import math

import pytest
import torch
from safetensors.torch import load_file

from nacc.errors import BadModel, InvalidInput, NaccError
from nacc.learning import loop, smoke
from nacc.learning.batches import Batches
from nacc.learning.checkpoint import load_model
from nacc.learning.metrics import MetricsFile, draw, read
from nacc.learning.optimizing import schedule
from nacc.learning.prepare import prepare
from nacc.learning.recipe import Training

TINY = {"width": 16, "inner": 32, "layers": 1, "heads": 2}


class Stopped(Exception):
    pass


def losses(run) -> list[float]:
    return [record["loss"] for record in read(run / "metrics.jsonl")]


def test_the_smoke_recipe_learns_its_language(trained):
    records = read(trained / "metrics.jsonl")
    assert [r["update"] for r in records] == [50, 100, 150]
    assert records[0]["loss"] > 2
    assert records[-1]["loss"] < 0.1
    assert min(records[-1]["rouge"]) > 95
    assert records[-1]["done"] == 1 and records[-1]["seconds_left"] == 0
    assert all(r["words_per_second"] > 0 and r["unaligned"] == 0 for r in records)
    _, summary = smoke.example(trained / "best", smoke.recipe())
    assert len(summary) <= 50
    assert summary == smoke.pairs(1, seed=3)[0][1]


def test_the_papers_shape_trains(news, tmp_path):
    recipe = smoke.recipe(60)
    shape = {**recipe.model, "copy": False, "tied": True, "activation": "relu"}
    recipe = dataclasses.replace(recipe, model=shape)
    options = dataclasses.replace(recipe.training, schedule="inverse-sqrt", warmup=30)
    data = dataclasses.replace(recipe.data, files=("plain.tsv",))
    # Without copying, a number cannot be said: headlines for these leave it out.
    lines = (news / "train.tsv").read_text("utf-8").splitlines()
    plain = [line.partition(" for $")[0] + " after months of talks\n" for line in lines]
    (tmp_path / "plain.tsv").write_text("".join(plain), encoding="utf-8")
    (tmp_path / "dev.tsv").write_bytes((news / "dev.tsv").read_bytes())
    recipe = dataclasses.replace(recipe, training=options, data=data)
    prepare(recipe, tmp_path, tmp_path / "data")
    best = loop.train(recipe, tmp_path / "data", tmp_path / "run")
    found = load_model(best).network
    assert found.output.weight is found.piece_embedding.weight
    assert losses(tmp_path / "run")[-1] < 0.6 * losses(tmp_path / "run")[0]


def test_the_schedules_rise_and_fall_as_documented():
    linear = Training(updates=1000, warmup=100)
    assert schedule(linear, 0, 0.0) == 0.01
    assert schedule(linear, 49, 0.049) == 0.5
    assert schedule(linear, 600, 0.6) == pytest.approx(0.4)
    assert schedule(linear, 1000, 1.2) == 0
    root = Training(updates=1000, warmup=100, schedule="inverse-sqrt")
    assert schedule(root, 0, 0.0) == 0.01
    assert schedule(root, 99, 0.1) == 1
    assert schedule(root, 399, 0.4) == pytest.approx(0.5)
    at_once = Training(warmup=0, schedule="inverse-sqrt")
    assert schedule(at_once, 3, 0.0) == pytest.approx(0.5)


def test_a_run_on_the_clock_ends_by_the_clock(prepared, tmp_path, variant):
    recipe = variant(minutes=0.02, updates=10**6, model=TINY)
    loop.train(recipe, prepared, tmp_path)
    last = read(tmp_path / "metrics.jsonl")[-1]
    assert 0 < last["update"] < 10**5
    assert last["done"] == 1 and last["rouge"]
    assert (tmp_path / "checkpoint.safetensors").exists()


@pytest.mark.parametrize("settings", [{}, {"hide": 0.2, "average": 0.9}], ids=["plain", "all"])
def test_a_stopped_run_goes_on_as_if_nothing_had_happened(news, tmp_path, variant, settings):
    lines = (news / "train.tsv").read_text("utf-8").splitlines(keepends=True)[:300]
    (tmp_path / "train.tsv").write_text("".join(lines), encoding="utf-8")
    (tmp_path / "dev.tsv").write_text("".join(lines[:5]), encoding="utf-8")
    prepared = tmp_path / "data"
    prepare(smoke.recipe(), tmp_path, prepared)
    # Some five batches an epoch: the stop falls into the middle of one.
    recipe = variant(
        updates=24, batch_words=2000, checkpoint_every=7, validate_every=10, model=TINY,
        validation={"sentences": 5}, **settings,
    )  # fmt: skip
    loop.train(recipe, prepared, tmp_path / "whole")

    def stop(report):
        if report.update == 20:
            raise Stopped

    with pytest.raises(Stopped):
        loop.train(recipe, prepared, tmp_path / "stopped", show=stop)
    resumed = []
    loop.train(recipe, prepared, tmp_path / "stopped", show=resumed.append)
    assert resumed[0].update == 20  # went on from 14
    for name in ("checkpoint.safetensors", "best/model.safetensors"):
        whole, stopped = (load_file(tmp_path / run / name) for run in ("whole", "stopped"))
        assert whole.keys() == stopped.keys()
        assert all(torch.equal(whole[k], stopped[k]) for k in whole), name
    whole, stopped = (read(tmp_path / run / "metrics.jsonl") for run in ("whole", "stopped"))
    assert [r["update"] for r in stopped] == [7, 10, 14, 20, 21, 24]
    assert [r["rouge"] for r in whole] == [r["rouge"] for r in stopped]


def test_a_finished_run_is_not_trained_again(trained, prepared):
    before = (trained / "checkpoint.safetensors").read_bytes()
    loop.train(smoke.recipe(), prepared, trained, show=lambda report: pytest.fail("trained again"))
    assert (trained / "checkpoint.safetensors").read_bytes() == before


def test_starting_afresh_forgets_the_old_run(prepared, tmp_path, variant):
    recipe = variant(updates=4, model=TINY, checkpoint_every=2, validate_every=100)
    loop.train(recipe, prepared, tmp_path)

    def stop(report):
        raise Stopped

    with pytest.raises(Stopped):
        loop.train(recipe, prepared, tmp_path, resume=False, show=stop)
    assert not (tmp_path / "checkpoint.safetensors").exists()
    loop.train(recipe, prepared, tmp_path)
    assert [r["update"] for r in read(tmp_path / "metrics.jsonl")] == [2, 4]


@pytest.mark.parametrize("change", [{"seed": 2}, {"name": "other"}])
def test_a_checkpoint_of_another_run_is_refused(prepared, tmp_path, variant, change):
    recipe = variant(updates=1, model=TINY)
    loop.train(recipe, prepared, tmp_path)
    with pytest.raises(BadModel, match=f"another run: {next(iter(change))}"):
        loop.train(dataclasses.replace(recipe, **change), prepared, tmp_path)


def test_without_validation_the_latest_weights_are_kept(prepared, tmp_path, variant):
    data = tmp_path / "data"
    data.mkdir()
    for name in ("corpus.npz", "words.txt"):
        (data / name).write_bytes((prepared / name).read_bytes())
    best = loop.train(variant(updates=2, model=TINY), data, tmp_path / "run")
    assert load_model(best).network.shape.width == 16
    assert read(tmp_path / "run" / "metrics.jsonl")[-1]["rouge"] is None


def test_the_average_lags_behind_and_is_what_is_kept(prepared, tmp_path, variant):
    recipe = variant(updates=5, average=0.999, model=TINY)
    best = loop.train(recipe, prepared, tmp_path)
    kept = load_file(best / "model.safetensors")
    state = load_file(tmp_path / "checkpoint.safetensors")
    name = "transform.weight"
    assert torch.equal(kept[name], state["average." + name])
    assert not torch.equal(kept[name], state["model." + name])


def test_going_on_from_a_model_keeps_its_vocabulary_and_weights(trained, prepared, tmp_path):
    recipe = dataclasses.replace(smoke.recipe(1), start=str(trained / "best"), model={})
    pieces, vocabulary, network = loop.begin(recipe, prepared)
    given = load_model(trained / "best")
    assert vocabulary == given.vocabulary and len(pieces) == len(given.pieces)
    assert torch.equal(network.output.weight, given.network.output.weight)
    for name in ("corpus.npz", "words.txt"):
        (tmp_path / name).write_bytes((prepared / name).read_bytes())
    with (tmp_path / "words.txt").open("a", encoding="utf-8") as file:
        file.write("another\n")
    with pytest.raises(BadModel, match="another vocabulary"):
        loop.begin(recipe, tmp_path)


def test_a_loss_that_is_no_number_stops_the_run(prepared, tmp_path, variant):
    recipe = variant(updates=30, learning_rate=1e30, clip=1e30, warmup=0, model=TINY)
    with pytest.raises(NaccError, match="lower the learning rate"):
        loop.train(recipe, prepared, tmp_path)
    assert not (tmp_path / "checkpoint.safetensors").exists()


def test_a_plan_without_batches_does_not_run_forever(prepared, tmp_path, variant, monkeypatch):
    monkeypatch.setattr(Batches, "plan", lambda self, epoch: [])
    with pytest.raises(InvalidInput, match="no batch"):
        loop.train(variant(updates=3, model=TINY), prepared, tmp_path)


def test_a_folder_that_was_not_prepared_is_refused(tmp_path):
    with pytest.raises(BadModel, match="vocabulary"):
        loop.train(smoke.recipe(1), tmp_path, tmp_path / "run")


def test_metrics_drop_what_is_done_again_and_lines_cut_short(tmp_path):
    path = tmp_path / "metrics.jsonl"
    lines = [json.dumps({"update": n, "loss": 1.0, "rouge": None}) for n in (50, 100, 150)]
    path.write_text("\n".join([*lines, '{"update": 20']), encoding="utf-8")
    MetricsFile(path, after=100)
    assert [r["update"] for r in read(path)] == [50, 100]


def test_the_loss_curve_is_drawn(trained):
    svg, png = draw(trained)
    assert svg.read_text("utf-8").count("<path") > 2
    assert png.read_bytes().startswith(b"\x89PNG")
    assert math.isfinite(losses(trained)[-1])
