"""The whole unsupervised loop, by its commands: headlines of one day, sentences of another.

`nacc search-model` → `nacc search` → `nacc prepare` → `nacc train` → `nacc export` → a summary. No
sentence ever meets its headline.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
import torch

from nacc import Budget, Summarizer
from nacc.apps.cli import main
from nacc.learning.metrics import read
from nacc.text.words import key, split

SCRATCH = """
name = "scratch"
[data]
files = ["extracts.tsv"]
vocabulary = 2000
min_count = 1
validation = "extracts.tsv"
[model]
width = 48
layers = 2
heads = 4
inner = 96
positions = 64
activation = "relu"
copy = false
tied = true
[training]
updates = 400
batch_words = 1200
learning_rate = 3e-3
warmup = 40
precision = "fp32"
compile = false
checkpoint_every = 400
validate_every = 200
[validation]
sentences = 20
at_least = 20
"""
EXTRACTIVE = """
name = "extractive"
start = "minilm"
[data]
files = ["extracts.tsv"]
validation = "extracts.tsv"
[model]
extract = true
layers = 1
[training]
updates = 20
batch_words = 600
learning_rate = 3e-4
warmup = 4
precision = "fp32"
compile = false
checkpoint_every = 20
validate_every = 10
[validation]
sentences = 20
at_least = 20
"""
BUDGETS = (Budget(30), Budget(50), Budget.of("60 bytes"), Budget.of("6 words"))


def nacc(*arguments: str | Path | int) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    assert not ended.value.code


@pytest.fixture(scope="module")
def extracts(pairs, tmp_path_factory) -> Path:
    """A folder with what search made of sentences whose headlines the search model has not read."""
    folder = tmp_path_factory.mktemp("loop")
    headlines = [headline for _, headline in pairs[:300]]
    sentences = [source for source, _ in pairs[300:700]]
    apart = [
        f"{source}\t{headline}" for source, headline in zip(sentences, headlines, strict=False)
    ]
    (folder / "apart.tsv").write_text("\n".join(apart) + "\n", "utf-8")
    (folder / "sentences.txt").write_text("\n".join(sentences) + "\n", "utf-8")
    model = folder / "model.npz"
    nacc("search-model", folder / "apart.tsv", "--out", model, "--dimension", 16)
    nacc("search", "--model", model, "--words", 8, "--in", folder / "sentences.txt",
         "--out", folder / "extracts.tsv")  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def unseen(pairs) -> list[tuple[str, str]]:
    """Sentences that no step has read, and their headlines, which none has either."""
    return pairs[700:]


def learnt(extracts: Path, recipe: str) -> tuple[Summarizer, list[float]]:
    """The model that a recipe makes of the extracts, and its losses on the way."""
    name = recipe.split('"')[1]
    folder = extracts / name
    folder.mkdir()
    (folder / "recipe.toml").write_text(recipe, "utf-8")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # for so small a network, more threads only wait for each other
    nacc("prepare", folder / "recipe.toml", "--data", extracts, "--out", folder / "data",
         "--processes", 1)  # fmt: skip
    nacc("train", folder / "recipe.toml", "--data", folder / "data", "--out", folder / "run")
    torch.set_num_threads(threads)
    nacc("export", folder / "run" / "best", "--out", folder / "onnx")
    lines = read(folder / "run" / "metrics.jsonl")
    return Summarizer.load(folder / "onnx"), [line["loss"] for line in lines if "loss" in line]


def in_order(part: Sequence[str], whole: Sequence[str]) -> bool:
    rest = iter(whole)
    return all(word in rest for word in part)


def test_extracts_are_words_of_the_sentence_in_order(extracts):
    lines = (extracts / "extracts.tsv").read_text("utf-8").splitlines()
    assert len(lines) == 400
    for line in lines:
        source, extract, _ = line.split("\t")
        words = split(extract).keys
        assert len(words) == 8
        assert in_order(words, split(source).keys)


def share_of_headlines(model: Summarizer, unseen: list[tuple[str, str]]) -> float:
    """How much of the words of the headlines is said within 50 characters."""
    said = wanted = 0
    for source, headline in unseen:
        words = set(headline.split())
        summary = model.summarize(source, 50, method="exact")
        said += len(words & {key(word.text) for word in summary.words})
        wanted += len(words)
    return said / wanted


def test_the_papers_network_learns_from_extracts_alone(extracts, unseen):
    model, losses = learnt(extracts, SCRATCH)
    assert losses[-1] < losses[0] / 2
    assert share_of_headlines(model, unseen) > 0.75
    ordered = []
    for source, _ in unseen:
        for budget in BUDGETS:
            summary = model.summarize(source, budget, method="exact", faithful=True)
            assert summary.words and budget.fits(summary.text)
            keys = [key(word.text) for word in summary.words]
            assert set(keys) <= {*split(source).keys, "in"}
            ordered.append(in_order(keys, split(source).keys))
    assert sum(ordered) > 0.8 * len(ordered)  # learnt, where the extractive model promises it


def test_an_extractive_model_learns_to_say_the_sentences_own_words_in_order(extracts, unseen):
    model, losses = learnt(extracts, EXTRACTIVE)
    assert losses[-1] < losses[0] / 2
    assert share_of_headlines(model, unseen) > 0.75
    for source, _ in unseen:
        keys = split(source).keys
        for budget in BUDGETS:
            summary = model.summarize(source, budget, method="exact")
            assert summary.words and budget.fits(summary.text)
            places = [word.source for word in summary.words]
            assert all(before < after for before, after in pairwise(places))
            assert [key(word.text) for word in summary.words] == [keys[i] for i in places]
            assert in_order([word.lower() for word in summary.text.split()], keys)
