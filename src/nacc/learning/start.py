"""What a run starts from: chance, MiniLM, or a model already trained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch

from nacc.errors import BadModel
from nacc.learning import minilm
from nacc.learning.checkpoint import load_model, read_vocabulary
from nacc.learning.conditioning import voices_of
from nacc.learning.corpus import Corpus
from nacc.learning.kinds import network_of
from nacc.learning.network import Network
from nacc.learning.recipe import Recipe
from nacc.learning.shape import Shape
from nacc.learning.tokenizer import word_tokenizer
from nacc.learning.widen import reorder, widen
from nacc.runtime.conditions import LENGTHS, Conditions, has_conditions
from nacc.runtime.folder import model_folder
from nacc.text.pieces import Pieces


def begin(recipe: Recipe, data: Path) -> tuple[Pieces, list[str], Network]:
    """The network as it is before the first update, and the vocabularies it speaks."""
    torch.manual_seed(recipe.seed)
    vocabulary = read_vocabulary(data / "words.txt")
    if not recipe.fresh:
        return _gone_on(recipe, data, vocabulary)
    if recipe.start == "minilm":
        pieces = Pieces.load(minilm.folder() / "tokenizer.json")
    else:
        pieces = word_tokenizer(vocabulary)
    shape = Shape.from_dict({**recipe.model, "pieces": len(pieces), "words": len(vocabulary)})
    network = network_of(shape)
    if recipe.start == "minilm":
        minilm.fill(network, pieces, vocabulary)
    return pieces, vocabulary, network


def _gone_on(
    recipe: Recipe, data: Path, vocabulary: list[str]
) -> tuple[Pieces, list[str], Network]:
    given = load_model(model_folder(recipe.start))
    known = len(given.vocabulary)
    if vocabulary[:known] != given.vocabulary or len(vocabulary) > known + recipe.data.added_words:
        raise BadModel(f"{data} was prepared for another vocabulary than {recipe.start}")
    former = given.network.shape
    shape = Shape.from_dict({**former.to_dict(), **recipe.model, "words": len(vocabulary)})
    if shape == former:
        return given.pieces, vocabulary, given.network
    network = network_of(shape)
    try:
        widen(network, given.network, given.pieces, vocabulary)
    except RuntimeError as error:
        raise BadModel(f"{recipe.start} is of another shape than the recipe: {error}") from error
    return given.pieces, vocabulary, network


def conditions_of(
    recipe: Recipe, corpus: Corpus, pieces: Pieces, network: Network
) -> Conditions | None:
    """What the network is given besides the sentence: the voices it has, and those of the data.

    Of a model that was trained with other lengths, the pieces that name them are put in order.
    """
    if not recipe.data.voices:
        return None
    voices = voices_of(corpus, recipe.data.voices)
    folder = None if recipe.fresh else model_folder(recipe.start)
    if folder is None or not has_conditions(folder):
        return Conditions(voices)
    former = Conditions.load(folder)
    now = replace(former, voices=tuple(dict.fromkeys([*former.voices, *voices])), lengths=LENGTHS)
    if (now.voices, now.lengths) != (former.voices, former.lengths):
        reorder(network, pieces, former, now)
    return now
