"""docs/python.md: every name on it exists, its code runs, and its table is that of the options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tools.options_table import updated

import nacc

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text("utf-8")
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def test_the_code_runs_block_after_block(capsys):
    names: dict[str, object] = {}
    blocks = BLOCK.findall(PAGE)
    assert len(blocks) >= 10
    for code in blocks:
        exec(compile(code, "docs/python.md", "exec"), names)
    said = capsys.readouterr().out
    assert "left out: the text is empty" in said


def test_every_public_name_is_on_the_page_and_exists():
    for name in nacc.__all__:
        assert getattr(nacc, name) is not None
        assert re.search(rf"\b{name}\b", PAGE), f"{name} is public, and not on the page"


@pytest.mark.parametrize("name", sorted(set(re.findall(r"from nacc import (\w+)", PAGE))))
def test_every_name_imported_on_the_page_is_public(name):
    assert name in nacc.__all__


def test_the_fields_of_a_summary_are_told():
    told = set(re.findall(r"`(\w+)`", PAGE))
    assert set(nacc.Summary.__dataclass_fields__) <= told
    assert set(nacc.Options.__dataclass_fields__) <= told


def test_the_table_of_options_is_up_to_date():
    assert updated(PAGE) == PAGE, "run: python tools/options_table.py docs/python.md"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="pizza"):
        nacc.pizza  # noqa: B018
