"""The pages on evaluation and reproduction are true: their commands, code and files exist."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from tools.confidence_figures import updated

from nacc.apps.cli.blind import blind
from nacc.apps.cli.calibrate import calibrate
from nacc.apps.cli.contrast import contrast
from nacc.apps.cli.evaluate import evaluate
from nacc.apps.cli.grades import grades
from nacc.apps.cli.reproduce import reproduce
from nacc.evaluation.parts import PARTS

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    name: (ROOT / f"docs/{name}.md").read_text("utf-8")
    for name in ("evaluation", "reproducing", "examples", "confidence")
}
COMMANDS = {
    "evaluate": evaluate,
    "reproduce": reproduce,
    "blind": blind,
    "grades": grades,
    "contrast": contrast,
    "calibrate": calibrate,
}
SHOWN = [
    shlex.split(command)
    for page in PAGES.values()
    for command in re.findall(
        rf"(?:^|`)(nacc (?:{'|'.join(COMMANDS)}) [^`\n]+)", page, re.MULTILINE
    )
]


def options(name: str) -> set[str]:
    app = typer.Typer()
    app.command()(COMMANDS[name])
    return {option for each in typer.main.get_command(app).params for option in each.opts}


def test_every_command_shown_has_the_options_shown():
    assert len(SHOWN) > 10
    for _, name, *arguments in SHOWN:
        given = {argument for argument in arguments if argument.startswith("--")}
        assert given <= options(name), arguments
        if name == "reproduce":
            assert arguments[0] in (*PARTS, "all")


@pytest.mark.parametrize("name", ("evaluation", "reproducing"))
def test_every_option_spoken_of_is_one(name):
    spoken = set(re.findall(r"`(--[a-z-]+)", PAGES[name]))
    assert spoken and spoken <= options("evaluate") | options("reproduce")


@pytest.mark.parametrize("name", PAGES)
def test_every_file_named_is_there(name):
    named = re.findall(r"`((?:recipes|tests|benchmarks)/[^`]+)`", PAGES[name])
    linked = [link for link in re.findall(r"\]\(([^)#]+)", PAGES[name]) if "://" not in link]
    assert named or linked
    assert not [path for path in named if not (ROOT / path).exists()]
    assert not [link for link in linked if not (ROOT / "docs" / link).exists()]


def test_the_figures_of_confidence_are_those_that_were_measured():
    page = PAGES["confidence"]
    assert updated(page) == page, "run: python tools/confidence_figures.py docs/confidence.md"
    assert page.count("| grades |") == 5 and page.count("| 0.") >= 5


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", PAGES["evaluation"], re.DOTALL))
def test_every_piece_of_python_runs(code, tsv):
    tsv.rename(tsv.with_name("dev.tsv"))
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, cwd=tsv.parent, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
