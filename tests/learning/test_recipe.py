"""Recipes: the shipped ones parse, and a bad one says what is wrong with it."""

from pathlib import Path

import pytest

from nacc.errors import InvalidInput
from nacc.learning.recipe import Recipe

RECIPES = sorted((Path(__file__).parents[2] / "recipes").glob("*.toml"))


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_every_shipped_recipe_parses_and_is_named_after_its_file(path):
    recipe = Recipe.load(path)
    assert recipe.name == path.stem
    assert recipe.data.files and recipe.data.validation


def test_the_papers_recipes_have_the_papers_shape_and_schedule():
    for name, updates in (("paper-supervised", 400_000), ("paper-unsupervised", 100_000)):
        recipe = Recipe.load(RECIPES[0].parent / f"{name}.toml")
        assert recipe.training.updates == updates
        assert recipe.training.batch_words == 4096
        wanted = {"width": 512, "layers": 6, "heads": 8, "inner": 2048, "tied": True, "copy": False}
        assert wanted.items() <= recipe.model.items()


def test_whole_numbers_do_for_numbers():
    training = Recipe.from_dict({"name": "a", "training": {"minutes": 3, "clip": 2}}).training
    assert (training.minutes, training.clip) == (3.0, 2.0)
    assert isinstance(training.minutes, float)


def test_validation_may_be_one_file_or_several():
    assert Recipe.from_dict({"name": "a", "data": {"validation": "x"}}).data.validation == ("x",)
    many = Recipe.from_dict({"name": "a", "data": {"validation": ["x", "y"]}})
    assert many.data.validation == ("x", "y")


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({}, "no name"),
        ({"name": 3}, "name must be a string, got 3"),
        ({"name": "a/b"}, "plain word"),
        ({"name": "a", "seed": 1.5}, "seed must be a whole number, got 1.5"),
        ({"name": "a", "model": 3}, "model must be a table, got 3"),
        ({"name": "a", "training": {"rate": 3}}, r"\[training\]: unknown .*'rate'.*learning_rate"),
        ({"name": "a", "training": {"compile": 1}}, "compile must be true or false, got 1"),
        ({"name": "a", "training": {"betas": [True, 0.5]}}, "two numbers"),
        (
            {"name": "a", "training": {"head_learning_rate": 0}},
            "head_learning_rate must be at least",
        ),
        ({"name": "a", "data": {"files": ["x", 3]}}, r"got \['x', 3\]"),
        ({"name": "a", "data": {"repeat": {"x": "2"}}}, "a table of whole numbers"),
        ({"name": "a", "stat": "minilm"}, "'stat'"),
        ({"name": "a", "training": {"updates": "many"}}, "whole number, got 'many'"),
        ({"name": "a", "training": {"updates": 0}}, "updates must be at least 1"),
        ({"name": "a", "training": {"updates": True}}, "got True"),
        ({"name": "a", "training": {"learning_rate": "fast"}}, "a number, got 'fast'"),
        ({"name": "a", "training": {"learning_rate": float("nan")}}, "learning_rate must be"),
        ({"name": "a", "training": {"betas": [0.9]}}, "two numbers"),
        ({"name": "a", "training": {"betas": [0.9, 1.0]}}, "below 1"),
        ({"name": "a", "training": {"hide": 1.5}}, "hide must be"),
        ({"name": "a", "training": {"schedule": "cosine"}}, "linear or inverse-sqrt"),
        ({"name": "a", "training": {"precision": "fp16"}}, "bf16 or fp32"),
        ({"name": "a", "training": 3}, "table of settings"),
        ({"name": "a", "data": {"style": "spoken"}}, "written or tokenized"),
        ({"name": "a", "data": {"files": 3}}, "list of them"),
        ({"name": "a", "data": {"vocabulary": 5}}, "vocabulary must be at least"),
        ({"name": "a", "data": {"files": ["x.tsv"], "repeat": {"y": 2}}}, "repeat names 'y'"),
        ({"name": "a", "data": {"files": ["x.tsv"], "repeat": {"x": -1}}}, "at least 0"),
        ({"name": "a", "validation": {"at_least": 60}}, "more than the budget"),
        ({"name": "a", "model": {"wdth": 3}}, "'wdth'"),
        ({"name": "a", "model": {"words": 3}}, "follows from the data"),
        ({"name": "a", "start": "minilm", "model": {"tied": True}}, "whole words"),
        ({"name": "a", "start": "minilm", "model": {"width": 768}}, "width of minilm is 384"),
        ({"name": "a", "start": "minilm", "model": {"layers": 12}}, "minilm has 6 layers"),
        ({"name": "a", "start": "runs/x", "model": {"copy": True}}, "going on from runs/x"),
        ({"name": "a", "model": {"extract": True}}, "minilm"),
        ({"name": "a", "model": {"extract": True, "copy": False}}, "must copy"),
    ],
)
def test_a_bad_recipe_says_what_is_wrong(values, named):
    with pytest.raises(InvalidInput, match=named):
        Recipe.from_dict(values)


@pytest.mark.parametrize("content", [b"name = ", b"\xff\xfe", None])
def test_a_file_that_is_no_recipe_is_named(tmp_path, content):
    path = tmp_path / "mine.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InvalidInput, match=r"cannot read recipe .*mine\.toml"):
        Recipe.load(path)
