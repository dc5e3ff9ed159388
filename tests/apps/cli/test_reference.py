"""The page on the command line tells what the commands' own help does."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tools.command_reference import reference, updated

from nacc.apps.cli import COMMANDS

PAGE = Path(__file__).parents[3] / "docs" / "cli.md"
HELP = dict(re.findall(r"## (nacc[^\n]*)\n\n```text\n(.*?)\n```", reference(), re.DOTALL))
EXAMPLES = [
    (title, line.strip())
    for title, text in HELP.items()
    for line in text.splitlines()
    if re.match(r" {4}(nacc|tail) ", line)
]


def test_the_page_is_up_to_date():
    page = PAGE.read_text("utf-8")
    assert page == updated(page), "run: python tools/command_reference.py docs/cli.md"


def test_the_picture_is_what_its_command_draws(nacc, tmp_path):
    """By its title: shares and places may differ in the last digit, by machine."""
    said = " ".join(PAGE.read_text("utf-8").split())
    (command,) = re.findall(r"Drawn by `nacc (.*?) --svg docs/lattice.svg`", said)
    drawn = tmp_path / "lattice.svg"
    assert nacc([*shlex.split(command), "--svg", drawn]).code == 0
    now, kept = (
        re.findall("<title>(.*?)</title>", svg.read_text("utf-8"))
        for svg in (drawn, PAGE.with_name("lattice.svg"))
    )
    assert now == kept, f"run: nacc {command} --svg docs/lattice.svg"


def test_every_command_has_its_help():
    assert set(HELP) == {"nacc", *(f"nacc {name}" for name in COMMANDS)}
    assert all(text.startswith("Usage: nacc") for text in HELP.values())


@pytest.mark.parametrize("command", ["fit", "check", "explain", "models"])
def test_exit_codes_are_told(command):
    assert re.search(r"Exit codes:\n +0 +\w", HELP[f"nacc {command}"])


@pytest.mark.parametrize(("title", "example"), EXAMPLES)
def test_examples_use_options_that_exist(title, example):
    words = shlex.split(example.rpartition("| ")[2])
    assert words[0] == "nacc"
    page = HELP.get(f"nacc {words[1]}", HELP["nacc fit"])
    for option in (word for word in words if word.startswith("-")):
        assert re.search(rf"(?:^|\s){option}\b", page), f"{option} in the examples of {title}"
