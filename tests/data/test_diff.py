"""A diff that shows what would change, and that `patch` can apply."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacc.data.diff import Diff
from nacc.data.rows import Entry, Row, split_lines

PATCH = shutil.which("patch")


def row(raw: str, spans: list[tuple[int, int]]) -> Row:
    return Row(raw, 1, tuple(Entry(raw[a:b], a, b, 1) for a, b in spans))


def test_lines_around_a_change_and_a_missing_newline_are_shown():
    raw = "".join(f"line {n}\n" for n in range(1, 12)) + "last"
    diff = Diff("a.txt")
    diff.add(row(raw, [(0, 6), (len(raw) - 4, len(raw))]), ["one\nand two", "end"])
    assert str(diff).splitlines() == [
        "--- a.txt",
        "+++ a.txt",
        "@@ -1,4 +1,5 @@",
        "-line 1",
        "+one",
        "+and two",
        " line 2",
        " line 3",
        " line 4",
        "@@ -9,4 +10,4 @@",
        " line 9",
        " line 10",
        " line 11",
        "-last",
        "\\ No newline at end of file",
        "+end",
        "\\ No newline at end of file",
    ]


def test_no_change_is_no_diff():
    diff = Diff("a.txt")
    diff.add(row("a\n", [(0, 1)]), [None])
    assert str(diff) == ""


def applied(old: str, diff: str) -> str:
    """What a unified diff makes of a text."""
    lines, out, at = split_lines(old), [], 0
    hunk = iter(split_lines(diff)[2:])
    for line in hunk:
        if line.startswith("@@"):
            first = int(line.split(",")[0].removeprefix("@@ -")) - 1
            out += lines[at:first]
            at = first
        elif line.startswith("\\"):
            pass
        elif line[0] == "+":
            out.append(line[1:])
        else:
            assert line[1:].rstrip("\n") == lines[at].rstrip("\n")
            out += [line[1:]] if line[0] == " " else []
            at += 1
    return "".join([*out, *lines[at:]])


@given(
    st.lists(
        st.sampled_from(["a", "b\n", "\n", "c\r\n", "d d", "\u2028"]), min_size=1, max_size=40
    ),
    st.lists(st.none() | st.sampled_from(["x", "y\nz", "", "\n"]), min_size=40, max_size=40),
)
def test_a_diff_leads_from_the_old_to_the_new(pieces, new):
    raw, spans, at = "".join(pieces), [], 0
    for piece in pieces:
        spans.append((at, at + len(piece.rstrip("\r\n"))))
        at += len(piece)
    whole = row(raw, spans)
    texts = new[: len(spans)]
    diff = Diff("a.txt")
    diff.add(whole, texts)
    expected = whole.replaced(texts)
    found = applied(raw, str(diff)) if str(diff) else raw
    assert found.removesuffix("\n") == expected.removesuffix("\n")


@pytest.mark.skipif(PATCH is None, reason="patch is not installed")
def test_patch_applies_it(tmp_path):
    file = tmp_path / "a.txt"
    raw = "".join(f"line {n}\n" for n in range(40))
    file.write_text(raw)
    diff = Diff("a.txt")
    whole = row(raw, [(0, 6), (60, 70), (200, 204), (len(raw) - 3, len(raw) - 1)])
    texts = ["x", "y", None, "z\nw"]
    diff.add(whole, texts)
    subprocess.run([str(PATCH), "-p0"], input=str(diff).encode(), cwd=tmp_path, check=True)
    assert file.read_text() == whole.replaced(texts)
