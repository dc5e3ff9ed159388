import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from nacc.learning import loop, minilm, smoke
from nacc.learning.checkpoint import save_model
from nacc.learning.export import export
from nacc.learning.linked import Linked
from nacc.learning.network import Network
from nacc.learning.prepare import prepare
from nacc.learning.recipe import Recipe
from nacc.learning.shape import Shape
from nacc.learning.tokenizer import word_tokenizer
from nacc.runtime.conditions import Conditions
from nacc.text.pieces import Pieces

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def news(tmp_path_factory) -> Path:
    """Raw pairs: train.tsv and dev.tsv."""
    folder = tmp_path_factory.mktemp("news")
    smoke.write_data(folder)
    return folder


@pytest.fixture(scope="session")
def prepared(news, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("prepared")
    prepare(smoke.recipe(), news, folder)
    return folder


@pytest.fixture(scope="session")
def trained(prepared, tmp_path_factory) -> Path:
    """A run of the smoke recipe, with its best model, metrics and checkpoint."""
    run = tmp_path_factory.mktemp("run")
    loop.train(smoke.recipe(), prepared, run)
    return run


@pytest.fixture(scope="session")
def linked(prepared, variant, tmp_path_factory) -> Path:
    """A run of the smoke recipe with linked slots and a scorer."""
    run = tmp_path_factory.mktemp("linked-run")
    shape = {"slots": 2, "slot_layers": 1, "link_heads": 4, "decoder_layers": 1}
    loop.train(variant(updates=100, model=shape, validation={"sentences": 20}), prepared, run)
    return run


@pytest.fixture(scope="session")
def exported(trained, tmp_path_factory) -> dict[str, Path]:
    """The trained model, exported in either precision."""
    folders = {name: tmp_path_factory.mktemp(name) for name in ("fp32", "int8")}
    for name, folder in folders.items():
        export(trained / "best", folder, int8=name == "int8")
    return folders


@pytest.fixture(scope="session")
def papers_model(tmp_path_factory) -> tuple[Path, Path]:
    """A model of the paper's shape, tied and not copying, of random weights; and its export."""
    vocabulary = ["<blank>", "bridge", "to", "close", *(f"w{chr(97 + i)}" for i in range(26))]
    torch.manual_seed(1)
    shape = Shape(
        pieces=30, words=30, width=16, layers=1, heads=2, inner=32, positions=64,
        activation="relu", copy=False, tied=True,
    )  # fmt: skip
    network = Network(shape)
    with torch.no_grad():  # as training leaves none: vectors that are equal share a name in a graph
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    folder, out = tmp_path_factory.mktemp("papers"), tmp_path_factory.mktemp("papers-onnx")
    save_model(network, folder)
    word_tokenizer(vocabulary).save(folder / "tokenizer.json")
    (folder / "words.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    export(folder, out, int8=False)
    return folder, out


@pytest.fixture(scope="session")
def variant() -> Callable[..., Recipe]:
    """The smoke recipe with other training, model or validation settings."""

    def made(**changes) -> Recipe:
        recipe = smoke.recipe()
        model = {**recipe.model, **changes.pop("model", {})}
        validation = dataclasses.replace(recipe.validation, **changes.pop("validation", {}))
        training = dataclasses.replace(recipe.training, **changes)
        return dataclasses.replace(recipe, model=model, training=training, validation=validation)

    return made


@pytest.fixture(scope="session")
def untaught(tmp_path_factory) -> Callable[[list[str]], Path]:
    """Writes a small network of linked slots with a scorer, which knows nothing, and says its
    output words; its one voice is that of style `clear`."""

    def write(words: list[str]) -> Path:
        made = tmp_path_factory.mktemp("untaught")
        (made / "words.txt").write_text("\n".join(words) + "\n")
        pieces = Pieces.load(minilm.folder() / "tokenizer.json")
        pieces.save(made / "tokenizer.json")
        Conditions(("Echo",), styles={"clear": "Echo"}).save(made)
        torch.manual_seed(0)
        shape = Shape(
            pieces=len(pieces), words=len(words), width=16, layers=1, heads=2, inner=32,
            word_layers=1, slots=2, slot_layers=1, link_heads=4, decoder_layers=1,
        )  # fmt: skip
        save_model(Linked(shape), made)
        return made

    return write
