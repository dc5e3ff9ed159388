"""From a model that extracts, slot by slot, to linked slots that learn from the same extracts."""

from __future__ import annotations

import dataclasses
import random

import pytest
import torch

from nacc.learning import smoke
from nacc.learning.checkpoint import read_vocabulary, save_model
from nacc.learning.linked import Linked
from nacc.learning.network import Network
from nacc.learning.prepare import prepare
from nacc.learning.recipe import SMALLEST_VOCABULARY
from nacc.learning.shape import Shape
from nacc.learning.start import begin
from nacc.learning.tokenizer import word_tokenizer


@pytest.fixture
def extracts(tmp_path):
    """Sentences that read like English, and the six words of each that are none."""
    rng = random.Random(2)
    words = ["".join(rng.choices("bcdfgklmnprstv", k=5)) for _ in range(200)]
    rows = []
    for _ in range(60):
        kept = rng.sample(words, 6)
        source = "The {} of the {} said that it was the {} which had to be a {} with the {} and {}"
        rows.append(source.format(*kept) + ".\t" + " ".join(kept) + "\n")
    (tmp_path / "train.tsv").write_text("".join(rows))
    (tmp_path / "dev.tsv").write_text("".join(rows[:5]))
    return tmp_path


def test_linked_slots_go_on_from_a_model_that_extracts(extracts, tmp_path):
    start = tmp_path / "extractive"
    start.mkdir()
    pieces = word_tokenizer(["<blank>", *"bcdfgklmnprstv"])
    shape = Shape(
        pieces=len(pieces), words=1, width=16, layers=1, heads=2, inner=32, positions=64,
        extract=True,
    )  # fmt: skip
    torch.manual_seed(1)
    network = Network(shape)
    save_model(network, start)
    pieces.save(start / "tokenizer.json")
    (start / "words.txt").write_text("<blank>\n")
    recipe = smoke.recipe()
    data = dataclasses.replace(recipe.data, added_words=SMALLEST_VOCABULARY - 1, min_count=1)
    model = {"extract": False, "slots": 1, "slot_layers": 1, "link_heads": 2}
    recipe = dataclasses.replace(recipe, start=str(start), model=model, data=data)
    kept = prepare(recipe, extracts, tmp_path / "out")["kept"]
    assert kept == 60
    assert len(read_vocabulary(tmp_path / "out" / "words.txt")) == SMALLEST_VOCABULARY
    _, vocabulary, linked = begin(recipe, tmp_path / "out")
    assert isinstance(linked, Linked)
    assert not linked.shape.extract
    assert linked.shape.words == len(vocabulary) == SMALLEST_VOCABULARY
    for name, value in network.layers.state_dict().items():
        assert torch.equal(linked.layers.state_dict()[name], value), "what it knew, it knows"
