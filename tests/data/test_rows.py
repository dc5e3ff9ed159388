"""Documents come out as they went in, but for the texts that were replaced or added."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacc.data import csv_rows
from nacc.data.csv_rows import Cells
from nacc.data.json_rows import JsonObjects, JsonStrings, strings
from nacc.data.rows import Lines, TextLines, encoded, undecodable
from nacc.errors import InvalidInput

# csv.writer leaves a lone carriage return bare, which no reader can tell from a line ending.
CELL = st.text(
    st.characters(codec="utf-8", exclude_characters="\r"), max_size=12
) | st.sampled_from(['"', '""', ",", ";", "\n", "\r\n", 'a "b" c', " x ", "\t", "'"])


def lines(data: bytes) -> Lines:
    return Lines(io.BytesIO(data), "test")


def table(cells: list[list[str]], ending: str, quoting: int) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator=ending, quoting=quoting).writerows(cells)
    return stream.getvalue()


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


TABLES = st.tuples(
    st.lists(st.tuples(CELL, CELL, CELL).map(list), max_size=6),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
)
HEADER = ["id", "text", "a, note"]


@given(TABLES)
def test_csv_cells_are_those_of_the_csv_module(made):
    rows, ending, quoting = made
    document = table([HEADER, *rows], ending, quoting)
    header, *found = Cells(None, several_lines=True).rows(lines(document.encode()))
    assert header.header
    assert [row.entries[0].text for row in found] == [row[1] for row in rows]
    assert "".join(row.raw for row in [header, *found]) == document


@given(TABLES, st.lists(CELL, min_size=6, max_size=6))
def test_replacing_a_csv_cell_keeps_every_other_byte_and_column(made, new):
    rows, ending, quoting = made
    document = table([HEADER, *rows], ending, quoting)
    header, *found = Cells(None, several_lines=True).rows(lines(document.encode()))
    replaced = [row.replaced([text]) for row, text in zip(found, new, strict=False)]
    for row, after in zip(found, replaced, strict=True):
        entry = row.entries[0]
        assert after.startswith(row.raw[: entry.start])
        assert after.endswith(row.raw[entry.end :])
    expected = [[a, text, c] for (a, _, c), text in zip(rows, new, strict=False)]
    assert read(header.raw + "".join(replaced)) == [HEADER, *expected]


@given(TABLES, st.lists(CELL, min_size=6, max_size=6))
def test_a_new_csv_column_leaves_the_others_as_they_were(made, new):
    rows, ending, quoting = made
    document = table([HEADER, *rows], ending, quoting)
    cut = Cells(None, several_lines=True)
    header, *found = cut.rows(lines(document.encode()))
    out = cut.extended(header, {"summary": None})
    for row, text in zip(found, new, strict=False):
        longer = cut.extended(row, {"summary": text})
        assert longer.startswith(row.raw.removesuffix(ending))
        out += longer
    expected = [[*row, text] for row, text in zip(rows, new, strict=False)]
    assert read(out) == [[*HEADER, "summary"], *expected]


def test_a_csv_row_with_a_cell_too_many_is_a_problem_and_stays():
    cut = Cells(None, several_lines=True)
    _, bad, good = cut.rows(lines(b"id,text\n1,a,b\n2,c\n"))
    assert bad.problem == "3 cells where 2 are needed"
    assert cut.extended(bad, {"summary": "x"}) == "1,a,b\n"
    assert cut.extended(good, {"summary": "x"}) == "2,c,x\n"


def test_a_csv_row_with_cells_too_few_is_filled_up_where_there_is_something_to_say():
    cut = Cells(None, several_lines=True)
    _, bad, last = cut.rows(lines(b'id,text,more\n"1, or so"\n2,b,c\n'))
    assert bad.problem == "1 cell where 3 are needed"
    assert cut.extended(bad, {"summary": None, "error": None}) == '"1, or so"\n'
    assert cut.extended(bad, {"summary": None, "error": "why"}) == '"1, or so",,,,why\n'
    assert cut.extended(last, {"summary": "x", "error": None}) == "2,b,c,x,\n"


def test_two_columns_of_texts_are_one_too_many_where_one_is_wanted():
    same = lines(b"text,id,text\na,1,b\n")
    with pytest.raises(InvalidInput, match=r"these are 2: text, text"):
        list(Cells(None, several_lines=True, adding=["summary"]).rows(same))
    _, row = Cells(None, several_lines=True).rows(lines(b"text,id,text\na,1,b\n"))
    assert [entry.text for entry in row.entries] == ["a", "b"]


def test_a_csv_quote_that_never_closes_takes_no_more_than_a_stretch_with_it(monkeypatch):
    monkeypatch.setattr(csv_rows, "LONGEST_CELL", 10)
    data = b'id,text\n1,"stray\n2,b\n3,c\n4,d\n'
    _, bad, *rest = Cells(None, several_lines=True).rows(lines(data))
    assert (bad.raw, bad.line) == ('1,"stray\n2,b\n', 2)
    assert "never ends" in bad.problem
    assert [(row.raw, row.line) for row in rest] == [("3,c\n", 4), ("4,d\n", 5)]


def test_a_cell_of_megabytes_may_have_lines():
    cell = "a line of it\n" * 200_000
    _, long, last = Cells(None, several_lines=True).rows(
        ["id,text\n", '1,"' + "a line of it\n", *cell.splitlines(keepends=True), '"\n', "2,b\n"]
    )
    assert not long.problem and len(long.entries[0].text) > 2_000_000
    assert last.raw == "2,b\n"


def test_csv_semicolons_are_seen_after_empty_lines():
    *_, row = Cells(None, several_lines=True).rows(lines(b"\n\r\nid;text\n1;a, b\n"))
    assert row.entries[0].text == "a, b"


def test_values_of_every_kind_are_written_as_the_format_does():
    new = {"a": None, "b": 0.5, "c": True, "d": 'x "y"'}
    cut = Cells(None, several_lines=True)
    _, row = cut.rows(lines(b"text\nt\n"))
    assert cut.extended(row, new) == 't,,0.5,true,"x ""y"""\n'
    (line,) = JsonObjects().rows(lines(b'{"text": "t"}\n'))
    assert json.loads(JsonObjects().extended(line, new)) == {"text": "t", **new}


def test_a_csv_quote_that_never_closes_is_a_problem_at_its_line():
    *_, last = Cells(None, several_lines=True).rows(lines(b'id,text\n1,a\n2,"b\nc\nd'))
    assert (last.line, last.problem) == (3, "a quoted cell begins here and never ends")
    assert last.raw == '2,"b\nc\nd'


def test_csv_rows_know_the_line_they_begin_at():
    rows = Cells(None, several_lines=True).rows(lines(b'id,text\n1,"a\n\nb"\n\n2,c\n'))
    assert [row.line for row in rows] == [1, 2, 5, 6]


def test_csv_semicolons_are_seen_and_the_last_line_may_lack_its_ending():
    cut = Cells(None, several_lines=True)
    header, row = cut.rows(lines("id;text\r\n1;Käse, rund".encode()))
    assert row.entries[0].text == "Käse, rund"
    assert cut.extended(row, {"summary": "a;b"}) == '1;Käse, rund;"a;b"\r\n'
    assert header.raw.endswith("\r\n")


def test_quotes_in_tsv_never_join_lines():
    cut = Cells("\t", several_lines=False)
    rows = list(cut.rows(lines(b'text\tid\n"Yes\t1\n"No" she said\t2\n"a ""b"""\t3\n')))
    assert [row.entries[0].text for row in rows[1:]] == ['"Yes', '"No" she said', 'a "b"']


def test_the_column_is_the_only_one_or_text_or_must_be_named():
    def column(data: bytes, **options) -> str:
        *_, row = Cells(None, several_lines=True, **options).rows(lines(data))
        return row.entries[0].column

    assert column(b"title\nx\n") == "title"
    assert column(b"id,text\n1,x\n") == "text"
    assert column(b"id,title\n1,x\n", columns=["title"]) == "title"
    assert column(b"1,x\n", columns=["2"], named=False) == "2"
    with pytest.raises(InvalidInput, match=r"which column.*id, title"):
        column(b"id,title\n1,x\n")
    with pytest.raises(InvalidInput, match=r"no column 'name'.*id, title"):
        column(b"id,title\n1,x\n", columns=["name"])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


def texts(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for each in value.values() for text in texts(each)]
    if isinstance(value, list):
        return [text for each in value for text in texts(each)]
    return [value] if isinstance(value, str) else []


def doubled(value: object) -> object:
    if isinstance(value, dict):
        return {name: doubled(each) for name, each in value.items()}
    if isinstance(value, list):
        return [doubled(each) for each in value]
    return value * 2 if isinstance(value, str) else value


@given(JSON, st.booleans(), st.sampled_from([None, 2]))
def test_every_string_value_of_json_is_found_and_replaced_in_its_place(value, escaped, indent):
    raw = json.dumps(value, ensure_ascii=escaped, indent=indent)
    (row,) = JsonStrings(by_line=False).rows(lines(raw.encode()))
    assert [entry.text for entry in row.entries] == texts(value)
    assert row.replaced([None] * len(row.entries)) == raw
    after = row.replaced([entry.text * 2 for entry in row.entries])
    assert json.loads(after) == doubled(value)
    assert not escaped or after.isascii()


def test_json_strings_under_a_key_or_a_path_with_their_lines():
    raw = b'{"id": "a",\n "title": "x",\n "more": [{"title":\n "y"}, {"titles": ["z"]}]}'
    (row,) = JsonStrings(by_line=False).rows(lines(raw))

    def under(pattern: str) -> list[tuple[str, int]]:
        return [(e.text, e.line) for e in row.entries if e.stands_under(pattern)]

    assert under("title") == [("x", 2), ("y", 4)]
    assert under("more.*.title") == [("y", 4)]
    assert under("more.1.titles.0") == under("titles") == [("z", 4)]
    assert len(under("*")) == 4


def test_json_lines_take_new_keys_at_their_end():
    cut = JsonObjects("body")
    row, wrong, empty, missing = cut.rows(lines(b'{"body" : "x", "n":1}\r\n{oops\n\n{"b": 1}\n'))
    longer = cut.extended(row, {"summary": "é", "other": None})
    assert longer == '{"body" : "x", "n":1, "summary": "é", "other": null}\r\n'
    assert wrong.problem.startswith("not JSON")
    assert (empty.entries, empty.problem) == ((), "")
    assert missing.problem == "no key 'body'; choose with --column one of: b"


def test_bytes_that_are_no_utf8_are_found_and_given_back():
    (row,) = TextLines().rows(lines(b"caf\xe9 here\n"))
    told = undecodable(row.entries[0].text)
    assert told.startswith("not UTF-8: byte 0xe9 after 3 characters; ")
    assert told.endswith("--encoding cp1252")
    assert encoded(row.raw) == b"caf\xe9 here\n"


def test_a_json_string_takes_no_more_memory_than_it_is_long():
    raw = json.dumps({"text": "x", "other": 'x"' * 500_000})
    tracemalloc.start()
    try:
        (found,) = (each.entry for each in strings(raw, 1) if each.entry.column == "text")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.text == "x"
    assert peak < 5 * len(raw)
