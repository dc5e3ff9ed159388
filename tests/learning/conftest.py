import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from nacc.learning import loop, smoke
from nacc.learning.prepare import prepare
from nacc.learning.recipe import Recipe

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
def variant() -> Callable[..., Recipe]:
    """The smoke recipe with other training, model or validation settings."""

    def made(**changes) -> Recipe:
        recipe = smoke.recipe()
        model = {**recipe.model, **changes.pop("model", {})}
        validation = dataclasses.replace(recipe.validation, **changes.pop("validation", {}))
        training = dataclasses.replace(recipe.training, **changes)
        return dataclasses.replace(recipe, model=model, training=training, validation=validation)

    return made
