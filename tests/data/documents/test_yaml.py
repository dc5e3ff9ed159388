"""YAML: anchors, tags, styles and comments stay."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from .round_trip import ENDING, NEW, PAIRS, PATIENT, check_round_trip, leaves, only_row


def read_yaml(document: str) -> dict[str, str]:
    return dict(leaves(YAML(typ="safe", pure=True).load(document)))


@PATIENT
@given(PAIRS, NEW, ENDING, st.sampled_from([None, '"', "'", "|", ">"]), st.booleans())
def test_yaml(pairs, new, ending, style, flow):
    stream = io.StringIO()
    YAML(typ="safe", pure=True).dump({"n": 1}, stream)
    dumper = YAML(typ="safe", pure=True)
    dumper.default_style = style
    dumper.default_flow_style = flow and style not in ("|", ">")
    dumper.allow_unicode = True
    dumper.dump({"home": pairs, "n": 12, "on": True}, stream)
    body = stream.getvalue().partition("\n")[2]
    document = f'# comment: "x"\n{body}# the end\n'.replace("\n", ending)
    try:
        strings = read_yaml(document)
    except YAMLError:
        reject()  # «{first: ?0}» is written by the dumper, and no YAML to its own reader
    if strings:
        check_round_trip("yaml", document, read_yaml, new)


YAML_PAGE = """\
# Texts
title: &t Plain text here  # of the page
lead: !!str "Caf\\xE9"
body: >-  # folded

  One line,
  and more.

  A paragraph.

note: |+
    kept
      as is

list: [one, 'it''s', {deep: three}]
again: *t
last: plain
  over lines
"""


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_yaml_keeps_anchors_tags_comments_and_blocks(ending):
    row = only_row("yaml", YAML_PAGE.replace("\n", ending))
    paths = ["title", "lead", "body", "note", "list.0", "list.1", "list.2.deep", "last"]
    assert [entry.path for entry in row.entries] == paths
    assert [entry.column for entry in row.entries][4:] == ["list", "list", "deep", "last"]
    assert [entry.line for entry in row.entries][:4] == [2, 3, 4, 11]
    assert row.entries[2].text == "\nOne line, and more.\nA paragraph."
    assert row.entries[3].text == "kept\n  as is\n\n"
    assert row.entries[0].locked == "it is used again under an alias"
    new = [None, "Short", "\nBrief", "less\n\n", None, "no", None, "end: it"]
    assert row.mended(new) == new
    expected = YAML_PAGE.replace('"Caf\\xE9"', '"Short"')
    expected = expected.replace("One line,\n  and more.\n\n  A paragraph.", "Brief")
    expected = expected.replace("kept\n      as is", "less").replace("'it''s'", "'no'")
    expected = expected.replace("plain\n  over lines", '"end: it"')
    assert row.replaced(new) == expected.replace("\n", ending)
