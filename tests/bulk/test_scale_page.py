"""docs/scale.md: its table is what was measured, and its commands exist."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from tools import scale_table
from tools.command_reference import _help

PAGE = (Path(__file__).parents[2] / "docs" / "scale.md").read_text("utf-8")


def test_the_table_is_up_to_date():
    assert scale_table.MARK in PAGE
    assert scale_table.updated(PAGE) == PAGE, "run: python tools/scale_table.py docs/scale.md"


def test_its_commands_have_their_options():
    known = set(re.findall(r"--[a-z-]+", _help(["bulk", "--help"])))
    commands = re.findall(r"^nacc bulk .*", PAGE, re.MULTILINE)
    assert commands
    for command in commands:
        used = {word for word in shlex.split(command, comments=True) if word.startswith("--")}
        assert used <= known


@pytest.fixture
def results(tmp_path, monkeypatch):
    runs = [{"rows": 1000, "cpu_seconds": 10.0}, {"rows": 1000, "cpu_seconds": 12.5}]
    (tmp_path / "bulk.json").write_text(json.dumps({"cores": 2, "runs": runs}))
    parts = {"a": {"headlines a second": 30_000}, "b": [{"headlines a second": 7}]}
    (tmp_path / "gpu.json").write_text(json.dumps(parts))
    monkeypatch.setattr(scale_table, "RESULTS", tmp_path)


def test_costs_follow_from_the_figures(results):
    table = scale_table.table()
    assert "| one core | 100 | measured, by CPU time | 12 days | 116 days |" in table
    assert "| one of 2 busy cores | 80 | measured, by CPU time | 14 days | 145 days |" in table
    assert "| 64 cores | 5,120 | 64 × a busy one | 5.4 hours | 2 days |" in table
    assert "| one GPU | 30,000 | measured | 56 minutes | 9.3 hours |" in table
    assert "10⁸ rows cost 347 hours of a core, or 0.9 of a GPU." in table
    assert scale_table.updated(f"a\n{scale_table.MARK}old\n\n## b\n").endswith("\n## b\n")
