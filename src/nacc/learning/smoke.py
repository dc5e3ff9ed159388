"""A training run in under a minute on two cores: data made on the spot, a tiny network."""

from __future__ import annotations

import random
from pathlib import Path

import torch

from nacc.data.pairs import MAX_SOURCE_WORDS
from nacc.learning.checkpoint import load_model
from nacc.learning.recipe import Recipe
from nacc.learning.validation import best_words, lattices_of
from nacc.runtime.inputs import InputEncoder
from nacc.text.words import split

_WHO = "Arden Bolt Corvin Delmar Estin Fenway Gorse Halden Ister Jarrow Kelso Lomond".split()
_WHAT = (
    "mill ferry bridge tower harbour museum library bakery railway garden theatre orchard".split()
)
_DO = {"buy": "to buy", "sell": "to sell", "close": "to close", "open": "to open"}
_DAY = "Monday Tuesday Wednesday Thursday Friday".split()


def pairs(count: int, seed: int) -> list[tuple[str, str]]:
    """Made-up company news and its headline."""
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        who, what, day = draw.choice(_WHO), draw.choice(_WHAT), draw.choice(_DAY)
        verb = draw.choice(sorted(_DO))
        amount = draw.randint(2, 999)
        source = (
            f"The {who} Company said on {day} that it would {verb} the old {what} by the "
            f"river, at a cost of ${amount} million, after months of talks."
        )
        made.append((source, f"{who} {_DO[verb]} old {what} for ${amount} million"))
    return made


def write_data(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, count, seed in (("train.tsv", 3000, 1), ("dev.tsv", 100, 2)):
        lines = ["\t".join(pair) for pair in pairs(count, seed)]
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def recipe(updates: int = 150) -> Recipe:
    return Recipe.from_dict(
        {
            "name": "smoke",
            "data": {"files": ["train.tsv"], "vocabulary": 200, "validation": "dev.tsv"},
            "model": {"width": 48, "layers": 2, "heads": 4, "inner": 96, "positions": 64},
            "training": {
                "updates": updates,
                "batch_words": 1200,
                "learning_rate": 4e-3,
                "warmup": 20,
                "precision": "fp32",
                "compile": False,
                "checkpoint_every": 50,
                "validate_every": 50,
            },
            "validation": {"sentences": 100, "at_least": 20},
        }
    )


def example(best: Path, recipe: Recipe) -> tuple[str, str]:
    """A sentence the model has not seen, and what it makes of it within the budget."""
    given = load_model(best)
    source, _ = pairs(1, seed=3)[0]
    sentence = split(source)
    positions = given.network.shape.positions
    encoder = InputEncoder(given.pieces, given.vocabulary, positions, MAX_SOURCE_WORDS)
    (lattice,) = lattices_of(given.network, encoder, [sentence.keys], torch.device("cpu"))
    written = dict(zip(sentence.keys, sentence.words, strict=True))
    words = best_words(lattice, recipe.validation)
    return source, " ".join(written.get(word, word) for word in words)
