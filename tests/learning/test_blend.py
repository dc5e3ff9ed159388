"""Blending: the weights in between, of models that belong together."""

import dataclasses

import pytest
import torch

from nacc.errors import BadModel, InvalidInput
from nacc.learning import loop, smoke
from nacc.learning.blend import blend
from nacc.learning.checkpoint import load_model


@pytest.fixture(scope="module")
def later(trained, prepared, tmp_path_factory):
    recipe = dataclasses.replace(smoke.recipe(3), start=str(trained / "best"), model={})
    return loop.train(recipe, prepared, tmp_path_factory.mktemp("later"))


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_every_weight_lies_where_the_share_says(trained, later, tmp_path, share):
    blend(trained / "best", later, tmp_path, share)
    a, b, made = (load_model(f).network.state_dict() for f in (trained / "best", later, tmp_path))
    assert any(not torch.equal(a[name], b[name]) for name in a)
    for name in a:
        assert torch.allclose(made[name], (1 - share) * a[name] + share * b[name], atol=1e-6)


def test_what_does_not_belong_together_is_refused(trained, later, prepared, tmp_path):
    with pytest.raises(InvalidInput, match=r"share = 1\.5"):
        blend(trained / "best", later, tmp_path, 1.5)
    recipe = dataclasses.replace(smoke.recipe(1), model={**smoke.recipe().model, "layers": 1})
    other = loop.train(recipe, prepared, tmp_path / "run")
    with pytest.raises(BadModel, match="one shape"):
        blend(trained / "best", other, tmp_path / "out", 0.5)


def test_a_whole_part_is_the_seconds_alone(trained, later, tmp_path):
    blend(trained / "best", later, tmp_path, 0.25, ["output"])
    a, b, made = (load_model(f).network.state_dict() for f in (trained / "best", later, tmp_path))
    for name in a:
        share = 1.0 if name.startswith("output.") else 0.25
        assert torch.allclose(made[name], (1 - share) * a[name] + share * b[name], atol=1e-6)
    with pytest.raises(InvalidInput, match="no part is named 'scorer'"):
        blend(trained / "best", later, tmp_path, 0.25, ["scorer"])
