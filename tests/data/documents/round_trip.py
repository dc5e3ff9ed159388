"""What every format keeps: the texts are those that a parser reads, and when some are replaced, the
parser reads the new ones, and every byte outside them is as it was."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from nacc.data.rows import Lines, Row
from nacc.data.sources import any_format

PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
SPECIAL = (
    """yes|null|12|a: b|x # y|- z|it's|say "so"|{name}|%1$s|a & b <c>|\\|ends\\|two\nlines|ends\n"""
)
TEXT = st.text(
    st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"], include_characters="\t"),
    min_size=1,
    max_size=12,
) | st.sampled_from([*SPECIAL.split("|"), " edges ", "😀 Käse", "# c", "'''", '"""', "[x]", "@x"])
ENDING = st.sampled_from(["\n", "\r\n"])
NAMES = ("first", "second", "third", "fourth", "fifth", "sixth")
PAIRS = st.lists(TEXT, min_size=1, max_size=len(NAMES)).map(
    lambda texts: dict(zip(NAMES, texts, strict=False))
)
NEW = st.lists(st.none() | TEXT, min_size=len(NAMES), max_size=len(NAMES))


def only_row(name: str, document: str) -> Row:
    (row,) = any_format(name).rows(Lines(io.BytesIO(document.encode()), "test"))
    assert not row.problem, row.problem
    return row


def parts(row: Row, spans: list[tuple[int, int]]) -> list[str]:
    """What stands outside of the spans."""
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(row.raw)]
    return [row.raw[a:b] for a, b in zip(ends, starts, strict=True)]


def check_round_trip(
    name: str, document: str, read: Callable[[str], dict[str, str]], new: list[str | None]
) -> None:
    row = only_row(name, document)
    before = read(document)
    assert {entry.path: entry.text for entry in row.entries} == before
    assert row.replaced([None] * len(row.entries)) == document
    wanted = [new[NAMES.index(entry.column)] for entry in row.entries]
    mended = row.mended(wanted)
    after = row.replaced(mended)
    expected = {
        entry.path: entry.text if text is None else text
        for entry, text in zip(row.entries, mended, strict=True)
    }
    assert read(after) == expected
    changed = [(e.start, e.end) for e, text in zip(row.entries, mended, strict=True) if text]
    at = 0
    for stretch in parts(row, changed):
        at = after.index(stretch, at) + len(stretch)
    assert after.startswith(parts(row, changed)[0]) and after.endswith(parts(row, changed)[-1])
    # A plain sentence always finds its place, between the white space that was there.
    plain = [None if entry.locked else sentence_like(entry.text) for entry in row.entries]
    assert row.mended(plain) == plain


def sentence_like(text: str) -> str:
    bare = text.strip()
    before, _, after = text.partition(bare) if bare else ("", "", text)
    return f"{before}A plain sentence{after}"


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from leaves(each, f"{path}.{key}")
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from leaves(each, f"{path}.{i}")
    elif isinstance(value, str):
        yield path.removeprefix("."), value
