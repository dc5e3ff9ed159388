"""A document that is not what it should be: a problem in its line, and no text."""

from __future__ import annotations

import io
import sys

import pytest

from nacc.data.rows import Lines
from nacc.data.sources import any_format
from nacc.errors import MissingExtra

LATIN = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n'
MALFORMED = [
    ("yaml", "a: b\nc: [1\nd: e: f\n", 3, "not YAML"),
    ("yaml", "a: \x07b\n", 1, "not YAML"),
    ("yaml", "a: *none\n", 1, "not YAML"),
    ("toml", 'a = "b"\nb = "c\n', 2, "not TOML"),
    ("toml", "a = 1\na = 2\n", 2, "not TOML"),
    ("toml", "a = [1\n", 2, "not TOML"),
    ("po", 'msgid "a"\nmsgstr "b\n', 2, "not PO"),
    ("po", 'msgid "a"\nmsgstr "b" c\n', 2, "not PO"),
    ("po", 'msgid "a"\n\n"b"\n', 3, "not PO"),
    ("po", 'msgid "a"\nmsgid "b"\n', 2, "not PO"),
    ("po", LATIN, 2, "msgconv -t UTF-8"),
    ("xliff", "<xliff>\n<a></b></xliff>", 2, "not XML: mismatched tag"),
    ("xliff", "<resources/>", 1, "its root is <resources>"),
    ("android", "<resources>\n<string>&nbsp;</string></resources>", 2, "undefined entity"),
    ("android", "<html><p>x</p></html>", 1, "its root is <html>"),
    ("android", '<?xml version="1.0" encoding="latin1"?><resources/>', 1, "declared as latin1"),
    ("strings", '"a" = "b";\n"c" = "d"', 2, "does not end"),
    ("strings", '"a" = "b"\n"c" = "d";', 1, 'not "key" = "value";'),
    ("strings", '"a" = "b";\n/* x', 2, "has no place"),
    ("strings", '"a" = { "b" = "c"; };', 1, "has no place"),
    ("json", '{"a": "b",\n}', 1, "not JSON"),
]


@pytest.mark.parametrize(("name", "document", "line", "problem"), MALFORMED)
def test_what_is_malformed_is_told_with_its_line(name, document, line, problem):
    (row,) = any_format(name).rows(Lines(io.BytesIO(document.encode()), "test"))
    assert problem in row.problem
    assert (row.line, row.entries, row.raw) == (line, (), document)


@pytest.mark.parametrize(
    ("name", "module", "document"),
    [("yaml", "ruamel", "a: b\n"), ("po", "polib", 'msgid "a"\nmsgstr "b"\n')],
)
def test_a_parser_that_is_not_installed_is_announced(monkeypatch, name, module, document):
    monkeypatch.setattr("nacc.errors.find_spec", lambda asked: None if asked == module else sys)
    with pytest.raises(MissingExtra, match=r"\.\[formats\]"):
        list(any_format(name).rows(Lines(io.BytesIO(document.encode()), "test")))
