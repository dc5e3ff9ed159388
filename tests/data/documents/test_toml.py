"""TOML: quotes, tables and comments stay."""

from __future__ import annotations

import json
import tomllib

from hypothesis import given
from hypothesis import strategies as st

from .round_trip import ENDING, NEW, PAIRS, PATIENT, check_round_trip, leaves, only_row


def read_toml(document: str) -> dict[str, str]:
    return dict(leaves(tomllib.loads(document)))


def toml_string(text: str, style: str) -> str:
    if style == "'" and not set(text) & set("'\n\t"):
        return f"'{text}'"
    if style == '"""':
        return '"""\n' + json.dumps(text, ensure_ascii=False)[1:-1].replace("\\n", "\n") + '"""'
    if style == "'''" and "'" not in text:
        return f"'''{text}'''"
    return json.dumps(text, ensure_ascii=False)


@PATIENT
@given(PAIRS, NEW, ENDING, st.lists(st.sampled_from(['"', "'", '"""', "'''"]), min_size=6))
def test_toml(pairs, new, ending, styles):
    lines = ['# "a comment" = "x"', 'n = 1 # "two"', "[home] # 'x'"]
    for (name, text), style in zip(pairs.items(), styles, strict=False):
        lines.append(f"{name} = {toml_string(text, style)} # 'and' \"more\"")
    document = ending.join("\n".join([*lines, ""]).split("\n"))
    check_round_trip("toml", document, read_toml, new)


def test_toml_paths_through_tables_arrays_and_dotted_keys():
    document = (
        '"k.1" = "a"\na.b = \'c\'\nother = 3\na.d = "e"\n[t."x y"]\narr = ["f", ["g"], '
        '{h = "i", "j" = \'k\'},\n # "no"\n "l",]\n'
        '[[aot]]\nn = "1"\n[[aot]]\nn = "2"\n[t.z]\nw = "m"\n'
    )
    row = only_row("toml", document)
    assert [entry.text for entry in row.entries] == list("acefgikl12m")
    assert [entry.path for entry in row.entries][4:] == [
        "t.x y.arr.1.0",
        "t.x y.arr.2.h",
        "t.x y.arr.2.j",
        "t.x y.arr.3",
        "aot.0.n",
        "aot.1.n",
        "t.z.w",
    ]
    new: list[str | None] = [text.upper() for text in "acefgikl12m"]
    assert row.mended(new) == new
    after = dict(leaves(tomllib.loads(row.replaced(new))))
    assert sorted(after.values()) == sorted("ACEFGIKL12M")
