"""The examples of docs/decoding.md do what their comments say; the page knows every method."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nacc.decoding.registry import methods, unregister

PAGE = Path(__file__).parents[2] / "docs" / "decoding.md"


def test_the_example_gives_the_answers_written_beside_it():
    block = PAGE.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    setup, first, rest = block.partition("nacc.decode(")
    names: dict[str, Any] = {}
    exec(setup, names)
    calls = (first + rest).splitlines()
    assert len(calls) == 2
    for line in calls:
        call, _, comment = line.partition("# ")
        assert eval(call, names) == eval(comment.split(":")[0])


def test_the_example_of_a_new_method_is_one():
    block = PAGE.read_text(encoding="utf-8").split("```python\n")[3].split("```")[0]
    setup, call, comment = block.partition("methods()  # ")
    names: dict[str, Any] = {}
    exec(setup, names)
    try:
        assert call and methods() == eval(comment)
    finally:
        unregister("mine")


def test_every_method_has_its_paragraph():
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in methods() if f"**`{name}`**" not in page] == []
