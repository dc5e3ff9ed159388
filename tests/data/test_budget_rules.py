"""nacc.toml: which budget a text has, by its file and by its column or key."""

from __future__ import annotations

import pytest

from nacc.data.budget_rules import budget_of, read_rules
from nacc.data.rows import Entry
from nacc.errors import InvalidInput

CONFIG = """\
[check."locales/**/*.json"]
"home.*" = 30
title = { max = 40, unit = "columns" }
"*" = "75 bytes"

[check."products.csv"]
name = "search-title"
"""


def entry(path: str) -> Entry:
    return Entry("text", 0, 4, 1, path.rpartition(".")[2], path=path)


def test_files_and_keys_have_the_first_budget_that_speaks_of_them(tmp_path):
    config = tmp_path / "nacc.toml"
    config.write_text(CONFIG)
    locales, products = read_rules(config)
    for path, wanted in {
        "locales/de.json": True,
        "locales/a/b/de.json": True,
        "locales/de.yaml": False,
        "other/locales/de.json": False,
        "../de.json": False,
    }.items():
        assert locales.apply_to(tmp_path / path) is wanted, path
    assert products.apply_to(tmp_path / "products.csv")
    told = {path: str(budget_of(entry(path), locales.rules)) for path in ("home.title", "a.title")}
    assert told == {"home.title": "30 characters", "a.title": "40 columns"}
    assert str(budget_of(entry("a.b"), locales.rules)) == "75 bytes"
    assert budget_of(entry("price"), products.rules) is None


def test_the_files_there_are(tmp_path, monkeypatch):
    config = tmp_path / "nacc.toml"
    config.write_text(CONFIG)
    (tmp_path / "locales" / "a").mkdir(parents=True)
    for name in ("locales/b.json", "locales/a/c.json", "locales/d.txt"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    locales, products = read_rules(config)
    assert [str(path) for path in locales.files()] == ["locales/a/c.json", "locales/b.json"]
    assert list(products.files()) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[check]\n", "write e.g."),
        ("[lint]\n", r"\[lint\] means nothing here"),
        ("check = 3\n", "write e.g."),
        ('[check."a.json"]\n', "write a budget for each"),
        ('[check."a.json"]\ntitle = "30 furlongs"\n', r'\[check."a.json"\] title: .*furlongs'),
        ('[check."a.json"]\ntitle = -1\n', "between 0 and"),
        ('[check."a.json"]\ntitle = true\n', "must be a number"),
        ('[check."a.json"]\nhome.title = 30\n', "a key with dots goes in quotes"),
        ('[check."/a.json"]\ntitle = 30\n', "does not lead from its folder"),
        ('[check."../a.json"]\ntitle = 30\n', "does not lead from its folder"),
        ("[check\n", "nacc.toml"),
    ],
)
def test_what_cannot_be_meant_is_an_error_that_names_it(tmp_path, text, told):
    config = tmp_path / "nacc.toml"
    config.write_text(text)
    with pytest.raises(InvalidInput, match=told) as error:
        read_rules(config)
    assert str(config) in str(error.value)


def test_a_config_that_is_not_there(tmp_path):
    with pytest.raises(InvalidInput, match="cannot read"):
        read_rules(tmp_path / "none.toml")
