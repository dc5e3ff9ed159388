"""Apple's .strings: comments, bare words and escapes stay."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from .round_trip import ENDING, NEW, PAIRS, PATIENT, check_round_trip, only_row

APPLE = """\
/* Title: "quoted" = "no"; */
"first" = "Hello \\"%@\\"\\n\\U00e9";  // = ";
second='it';third = bare-word ; fourth;
"""


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_apple_strings_keep_comments_and_bare_words(ending):
    row = only_row("strings", APPLE.replace("\n", ending))
    assert [(e.path, e.text, e.line) for e in row.entries] == [
        ("first", 'Hello "%@"\né', 2),
        ("second", "it", 3),
        ("third", "bare-word", 3),
    ]
    new: list[str | None] = ['"%@"', None, "x"]
    assert row.mended(new) == new
    expected = APPLE.replace('Hello \\"%@\\"\\n\\U00e9', '\\"%@\\"').replace("bare-word", '"x"')
    assert row.replaced(new) == expected.replace("\n", ending)


def read_apple(document: str) -> dict[str, str]:
    found = {}
    for line in document.replace("\r\n", "\n").splitlines():
        if line.startswith('"'):
            name, _, value = line.partition(" = ")
            found[json.loads(name)] = json.loads(value.removesuffix("; // c"))
    return found


@PATIENT
@given(PAIRS, NEW, ENDING)
def test_apple(pairs, new, ending):
    lines = [
        f"{json.dumps(k)} = {json.dumps(v, ensure_ascii=False)}; // c" for k, v in pairs.items()
    ]
    document = "/* a\n b */\n" + "\n".join(lines) + "\n"
    check_round_trip("strings", document.replace("\n", ending), read_apple, new)
