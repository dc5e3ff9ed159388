"""`nacc check` with budgets from nacc.toml, and --diff: for hooks and pipelines."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from tools.readme_examples import updated

from nacc.data.budget_rules import read_rules
from nacc.data.sources import REPLACEABLE, REPLACEABLE_ENDINGS

ROOT = Path(__file__).parents[3]
LONG = "A long sentence that will have to be shortened very soon"
CONFIG = """\
[check."locales/*.json"]
title = 20
"home.*" = "5 words"

[check."*.csv"]
name = 20
about = { max = 26, unit = "bytes" }
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nacc.toml").write_text(CONFIG)
    (tmp_path / "locales").mkdir()
    (tmp_path / "locales" / "en.json").write_text(
        json.dumps({"title": LONG, "home": {"lead": LONG, "title": LONG}, "free": LONG}, indent=1)
    )
    (tmp_path / "p.csv").write_text(f"id,name,about\n1,{LONG},{LONG}\n")
    (tmp_path / "notes.md").write_text(LONG)
    return tmp_path


def test_every_text_has_the_budget_of_its_file_and_key(nacc, stub, project):
    done = nacc(["check", "--json"])
    assert done.code == 1
    found = [(f["file"], f["path"], f["budget"], f["unit"]) for f in map(json.loads, done.lines)]
    assert found == [
        ("locales/en.json", "title", 20, "characters"),
        ("locales/en.json", "home.lead", 5, "words"),
        ("locales/en.json", "home.title", 20, "characters"),
        ("p.csv", "name", 20, "characters"),
        ("p.csv", "about", 26, "bytes"),
    ]


def test_fixing_by_the_config(nacc, stub, project):
    done = nacc(["check", "--fix"])
    assert done.code == 0
    assert done.err == "nacc: 5 texts, 5 longer than their budgets, 5 fixed\n"
    assert json.loads((project / "locales" / "en.json").read_text()) == {
        "title": "A long sentence that",
        "home": {"lead": "A long sentence that will", "title": "A long sentence that"},
        "free": LONG,
    }
    cells = "A long sentence that,A long sentence that will"
    assert (project / "p.csv").read_text() == f"id,name,about\n1,{cells}\n"
    assert nacc(["check"]).code == 0


def test_files_that_the_config_does_not_speak_of_are_passed_over(nacc, stub, project):
    done = nacc(["check", "notes.md", "nacc.toml"])
    assert (done.code, done.out, stub.asked) == (0, b"", [])
    assert nacc(["check", "notes.md", "p.csv"]).code == 1


def test_a_config_elsewhere_counts_from_its_folder(nacc, stub, project, tmp_path, monkeypatch):
    monkeypatch.chdir("/")
    assert nacc(["check", "--config", project / "nacc.toml"]).code == 1
    assert nacc(["check", "--config", project / "nacc.toml", project / "notes.md"]).code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--max", "30"], "say which files to check"),
        (["p.csv", "--column", "name"], "go with --max or --for"),
        (["p.csv", "--max", "30", "--config", "nacc.toml"], "or with --config"),
        (["--config", "none.toml"], "cannot read none.toml"),
        (["p.csv", "--max", "30", "--fix", "--diff"], "choose --fix or --diff"),
        (["p.csv", "--max", "30", "--json", "--diff"], "choose --diff or --json"),
    ],
)
def test_wrong_usage_is_exit_code_2(nacc, project, arguments, told):
    done = nacc(["check", *arguments])
    assert (done.code, done.out) == (2, b"")
    assert told in done.err


def test_a_config_without_a_file_to_check_is_an_error(nacc, project):
    (project / "p.csv").unlink()
    (project / "locales" / "en.json").unlink()
    done = nacc(["check"])
    assert (done.code, "speaks of no file that is there" in done.err) == (2, True)


def test_a_diff_shows_what_would_change_and_writes_nothing(nacc, stub, project):
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    done = nacc(["check", "--diff"])
    assert done.code == 1
    assert {path: path.read_bytes() for path in project.rglob("*") if path.is_file()} == before
    assert done.lines[:5] == [
        "--- locales/en.json",
        "+++ locales/en.json",
        "@@ -1,8 +1,8 @@",
        " {",
        f'- "title": "{LONG}",',
    ]
    assert done.lines[-2:] == [
        f"-1,{LONG},{LONG}",
        "+1,A long sentence that,A long sentence that will",
    ]


def test_what_a_diff_cannot_show_is_told_beside_it(nacc, stub, project):
    file = project / "a.txt"
    file.write_text(f"{LONG}\n{{name}} {LONG}\n")
    stub.say = lambda text, budget: "Short"
    done = nacc(["check", "a.txt", "--max", "20", "--diff"])
    assert done.code == 1
    assert done.lines == [
        "--- a.txt", "+++ a.txt", "@@ -1,2 +1,2 @@", f"-{LONG}", "+Short", f" {{name}} {LONG}",
    ]  # fmt: skip
    assert "no proposal: it would lose {name}" in done.err


def test_the_hook_runs_this_command_with_the_parsers_it_needs():
    (hook,) = YAML(typ="safe").load(ROOT / ".pre-commit-hooks.yaml")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (hook["entry"], hook["language"]) == ("nacc check", "python")
    assert hook["additional_dependencies"] == extras["optional-dependencies"]["formats"]


PAGE = (ROOT / "docs" / "checking.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_pages_output_is_what_is_written():
    assert PAGE.count("\n$ nacc check") == 1
    assert updated(PAGE) == PAGE, "run: python tools/readme_examples.py docs/checking.md"


def test_the_pages_config_is_one(tmp_path):
    (example,) = blocks("toml")
    config = tmp_path / "nacc.toml"
    config.write_text(example)
    locales, products = read_rules(config)
    assert [str(rule.budget) for rule in locales.rules][:2] == ["30 characters", "140 characters"]
    assert [rule.pattern for rule in products.rules] == ["name", "about"]


def test_the_pages_hook_and_job_name_what_there_is():
    hook, job = (YAML(typ="safe").load(example) for example in blocks("yaml"))
    (told,) = YAML(typ="safe").load(ROOT / ".pre-commit-hooks.yaml")
    assert hook["repos"][0]["hooks"][0]["id"] == told["id"]
    assert job["texts"]["steps"][-1]["run"] == "nacc check --diff"


def test_the_page_tells_of_every_format_and_its_endings():
    table = "".join(line for line in PAGE.splitlines() if line.startswith("|"))
    assert all(f"`{name}`" in table for name in REPLACEABLE)
    assert all(f"`{ending}`" in table for ending in REPLACEABLE_ENDINGS if ending)
