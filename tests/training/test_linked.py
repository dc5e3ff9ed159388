"""Training linked slots: it learns, and a run that was stopped ends as one that never was."""

import dataclasses
import json
import shutil

import numpy as np
import pytest
import torch

from nacc.models import minilm
from nacc.models.network import Network
from nacc.models.shape import Shape
from nacc.text.pieces import Pieces
from nacc.training import smoke
from nacc.training.checkpoint import load_model, save_model
from nacc.training.corpus import Corpus, Ragged, build
from nacc.training.cues import Cues, headline_lengths
from nacc.training.linked import Options, Trainer, begin, weights
from nacc.training.prepare import sayable, vocabulary
from nacc.training.widen import widened

OPTIONS = Options(
    **{"minutes": 1e9, "updates": 6, "batch_words": 400, "warmup": 2, "average": 0.5},
    **{"report_every": 1, "validate_every": 100, "checkpoint_every": 3},
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Corpus:
    folder = tmp_path_factory.mktemp("news")
    smoke.write_data(folder)
    return build([folder / "train.tsv"])[0]


@pytest.fixture(scope="module")
def start(corpus, tmp_path_factory):
    """A small model of the packaged one's kind."""
    folder = tmp_path_factory.mktemp("start")
    words = vocabulary(corpus, 40, 1, copying=True)
    (folder / "words.txt").write_text("\n".join(words) + "\n")
    pieces = Pieces.load(minilm.folder() / "tokenizer.json")
    pieces.save(folder / "tokenizer.json")
    torch.manual_seed(0)
    shape = Shape(*(len(pieces), len(words)), width=16, layers=1, heads=2, inner=32, word_layers=1)
    save_model(Network(shape), folder)
    return folder


@pytest.fixture(scope="module")
def data(corpus, start, tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    words = [*load_model(start).vocabulary, "daemon", "parser"]
    (folder / "words.txt").write_text("\n".join(words) + "\n")
    kept, _ = sayable(corpus, words, copying=True)
    kept.save(folder / "corpus.npz")
    kept.save(folder / "dev.npz")
    Cues(("train",)).save(folder)
    return folder


def run(data, folder, start, options=OPTIONS, stop_at=None):
    trainer = Trainer(data, folder, start, options)
    reports = []

    def show(report):
        reports.append(report)
        if report["update"] == stop_at:
            raise KeyboardInterrupt

    trainer.run(show)
    return trainer, reports


def test_the_loss_falls(data, start, tmp_path):
    options = dataclasses.replace(OPTIONS, updates=30, new_learning_rate=1e-2)
    _, reports = run(data, tmp_path, start, options)
    assert reports[-2]["paths"] < reports[0]["paths"]
    assert reports[-2]["scorer"] < reports[0]["scorer"]
    assert json.loads((tmp_path / "config.json").read_text())["shape"]["slots"] == 2
    assert load_model(tmp_path).vocabulary[-2:] == ["daemon", "parser"]


def test_a_stopped_run_ends_with_the_weights_of_one_that_never_was(data, start, tmp_path):
    whole, _ = run(data, tmp_path / "whole", start)
    with pytest.raises(KeyboardInterrupt):
        run(data, tmp_path / "stopped", start, stop_at=5)
    resumed, reports = run(data, tmp_path / "stopped", start)
    assert reports[0]["update"] == 4
    for part in ("network", "average"):
        pairs = zip(
            getattr(whole, part).named_parameters(),
            getattr(resumed, part).named_parameters(),
            strict=True,
        )
        for (name, a), (_, b) in pairs:
            torch.testing.assert_close(a, b, rtol=0, atol=0, msg=name)


def test_more_data_may_arrive_while_it_trains(data, start, tmp_path):
    folder = tmp_path / "data"
    shutil.copytree(data, folder)
    shutil.copy(folder / "corpus.npz", folder / "more.npz")
    _, reports = run(folder, tmp_path / "run", start)
    assert not (folder / "more.npz").exists()
    assert reports[-1]["update"] == OPTIONS.updates


def test_the_start_keeps_its_words_and_the_new_ones_are_there(data, start):
    given = load_model(start)
    words = (data / "words.txt").read_text().split()
    network, _ = begin(start, words, seed=1)
    torch.testing.assert_close(network.output.weight[:-2], given.network.output.weight)
    assert (network.output.weight[-2:].abs().sum(1) > 0).all()


def corpus_of(lexicon: list[str], source: list[list[int]], target: list[list[int]]) -> Corpus:
    group = np.zeros(len(source), np.uint16)
    return Corpus(lexicon, Ragged.of(source), Ragged.of(target), group, ["web.strict"])


def test_a_vocabulary_is_widened_by_what_headlines_add():
    lexicon = ["boat", "sinks", "ferry", "capsizes", "12"]
    corpus = corpus_of(lexicon, [[0, 1], [0, 1]], [[2, 1, 4], [2, 3]])
    assert widened(["<blank>", "capsizes"], corpus, 3, 1) == ["<blank>", "capsizes", "ferry"]


def test_short_headlines_come_oftener_than_long_ones():
    lexicon = ["a", "b" * 20, "c" * 60]
    corpus = corpus_of(lexicon, [[0], [0]], [[0, 1], [1, 2, 1]])
    assert headline_lengths(corpus).tolist() == [22, 102]
    short, long = weights(corpus)
    assert short > 1 > long
