"""The first example of docs/decoding.md does what its comments say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
