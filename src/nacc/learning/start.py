"""What a run starts from: chance, MiniLM, or a model already trained."""

from __future__ import annotations

from pathlib import Path

import torch

from nacc.errors import BadModel
from nacc.learning import minilm
from nacc.learning.autoregressive import network_of
from nacc.learning.checkpoint import load_model, read_vocabulary
from nacc.learning.conditions import Conditions
from nacc.learning.corpus import Corpus
from nacc.learning.network import Network
from nacc.learning.recipe import Recipe
from nacc.learning.shape import Shape
from nacc.learning.tokenizer import word_tokenizer
from nacc.runtime.folder import model_folder
from nacc.text.pieces import Pieces


def begin(recipe: Recipe, data: Path) -> tuple[Pieces, list[str], Network]:
    """The network as it is before the first update, and the vocabularies it speaks."""
    torch.manual_seed(recipe.seed)
    vocabulary = read_vocabulary(data / "words.txt")
    if not recipe.fresh:
        given = load_model(model_folder(recipe.start))
        if given.vocabulary != vocabulary:
            raise BadModel(f"{data} was prepared for another vocabulary than {recipe.start}")
        if not recipe.model:
            return given.pieces, vocabulary, given.network
        shape = Shape.from_dict({**given.network.shape.to_dict(), **recipe.model})
        network = network_of(shape)
        network.load_state_dict(given.network.state_dict(), strict=False)  # the rest is new
        return given.pieces, vocabulary, network
    if recipe.start == "minilm":
        pieces = Pieces.load(minilm.folder() / "tokenizer.json")
    else:
        pieces = word_tokenizer(vocabulary)
    shape = Shape.from_dict({**recipe.model, "pieces": len(pieces), "words": len(vocabulary)})
    network = network_of(shape)
    if recipe.start == "minilm":
        minilm.fill(network, pieces, vocabulary)
    return pieces, vocabulary, network


def conditions_of(recipe: Recipe, corpus: Corpus) -> Conditions | None:
    """What the network is given besides the sentence: the voices of the data, or those it has."""
    if not recipe.data.voices:
        return None
    if recipe.fresh:
        return Conditions.of(corpus, recipe.data.voices)
    return Conditions.load(model_folder(recipe.start))
