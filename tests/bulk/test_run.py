"""A job from beginning to end: every format, every cut, every row."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc.bulk import parts, unchanged
from nacc.bulk.columns import NewColumns
from nacc.bulk.parts import Counts
from nacc.bulk.run import RECORD, Run
from nacc.bulk.unchanged import Unchanged
from nacc.errors import InvalidInput

from .jobs import (
    PAD,
    NoWatch,
    job_of,
    one_by_one,
    roomy,
    run,
    stopping_after,
    text,
    tree,
    write_all,
)


def test_every_format_has_every_row_once_in_order_with_its_other_columns(
    tmp_path, linked_folder, linked, small_parts
):
    pq = pytest.importorskip("pyarrow.parquet")
    job = job_of(write_all(tmp_path / "in", 40), tmp_path / "out", linked_folder)
    assert run(job) == Counts(200, 40)
    said = [linked.summarize(text(i), 40).text if text(i) else None for i in range(40)]
    errors = [None if text(i) else "empty text" for i in range(40)]
    out = tmp_path / "out"
    assert sorted(tree(out)) == [RECORD, "a.csv", "b.jsonl", "c.csv", "d.tsv", "e.parquet"]
    with (out / "a.csv").open(encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream)
    assert header == ["\ufeffid", "text", "other, too", "summary", "error"]
    assert [row[3] or None for row in rows] == said
    assert [row[2] for row in rows] == [f'says "{i}"\nand {PAD}' for i in range(40)]
    objects = [json.loads(line) for line in (out / "b.jsonl").read_text("utf-8").splitlines()]
    assert [each["summary"] for each in objects] == said
    assert [each["error"] for each in objects] == errors
    with (out / "c.csv").open(encoding="utf-8", newline="") as stream:
        plain = list(csv.DictReader(stream))
    assert [each["summary"] or None for each in plain] == said
    assert [each["text"] for each in plain] == [text(i) for i in range(40)]
    lines = (out / "d.tsv").read_text("utf-8").splitlines()
    assert [line.split("\t")[2] or None for line in lines[1:]] == said
    table = pq.read_table(out / "e.parquet")
    assert table["summary"].to_pylist() == said
    assert table["error"].to_pylist() == errors
    before = pq.read_table(tmp_path / "in" / "e.parquet")
    assert table.select(before.column_names).equals(before)


PIECES = '"| |,|;|\n|\r\n|\ufeff|a|é|,,|""|text|\n\n|"x\ny"|{"text": "x"}\n|[1]|}'.split("|")


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
    st.sampled_from(["csv", "tsv", "jsonl", "text"]),
    st.integers(1, 40),
    st.booleans(),
)
def test_wherever_a_file_is_cut_the_same_comes_out(tmp_path_factory, body, form, size, named):
    folder = tmp_path_factory.mktemp("cut")
    first = "id,text\n" if form == "csv" else "id\ttext\n" if form == "tsv" else ""
    (folder / "a").write_text((first if named else "") + body, "utf-8", newline="")
    column = "1" if first and not named else "text"
    job = roomy([str(folder / "a")], folder / "out", form=form, named=named, column=column)
    kind = job.kind(job.files[0])
    try:
        cuts = list(kind.cuts(size))
    except InvalidInput:
        return
    assert [begin for begin, _ in cuts][1:] == [end for _, end in cuts][:-1]
    assert (cuts[0][0], cuts[-1][1]) == (0, (folder / "a").stat().st_size)
    pieces, whole = io.BytesIO(), io.BytesIO()
    counts = [kind.work(*cut, pieces, lambda share: None, Unchanged()) for cut in cuts]
    all_at_once = kind.work(0, cuts[-1][1], whole, lambda share: None, Unchanged())
    assert sum(counts, Counts(0, 0)) == all_at_once
    assert pieces.getvalue() == whole.getvalue()


def test_it_is_what_fit_writes(tmp_path, linked_folder, nacc, small_parts):
    named = write_all(tmp_path / "in", 15)
    run(job_of(named, tmp_path / "out", linked_folder))
    for name in ("a.csv", "b.jsonl", "d.tsv"):
        asked = ["--in", tmp_path / "in" / name, "--column", "text", "--errors", "error"]
        fitted = nacc(["fit", *asked, "--max", "40", "--model", linked_folder])
        assert fitted.out == (tmp_path / "out" / name).read_bytes()


def test_another_encoding_comes_out_as_it_went_in(tmp_path):
    data = "id,text\r\n1,Café “x”\r\n2,".encode("cp1252") + b"\x81\r\n"
    (tmp_path / "a.csv").write_bytes(data)
    job = roomy([str(tmp_path / "a.csv")], tmp_path / "out", encoding="cp1252")
    assert run(job) == Counts(2, 1)
    lines = (tmp_path / "out" / "a.csv").read_bytes().split(b"\r\n")
    assert lines[1] == "1,Café “x”,Café “x”,".encode("cp1252")
    assert lines[2].startswith(b"2,\x81,,")
    for unknown in ("klingon", "idna"):
        with pytest.raises(InvalidInput, match=f"unknown encoding '{unknown}'; try"):
            run(replace(job, encoding=unknown, folder=tmp_path / "new"))


def test_what_an_encoding_lacks_is_an_error_of_its_row(tmp_path, small_parts):
    (tmp_path / "a.csv").write_bytes(b"text\nMan bites dog\n")
    job = roomy([str(tmp_path / "a.csv")], tmp_path / "out", encoding="ascii")
    job.__dict__["summaries"] = Saying("Ça")
    assert run(job) == Counts(1, 1)
    lines = (tmp_path / "out" / "a.csv").read_text().splitlines()
    assert lines[1] == "Man bites dog,,U+00C7 cannot be written in ascii"


class Saying:
    """In the place of Summaries."""

    def __init__(self, said: str) -> None:
        self._said = said

    def of(self, rows):
        from nacc.summary import Summary

        for row in rows:
            made = Summary(self._said, 2, "characters", 9, 0.0, "stub", (), False)
            yield row, [made] if row.entries else []


def test_rows_that_cannot_be_read_say_so_where_they_have_a_place(tmp_path):
    (tmp_path / "a.csv").write_text('id,text\n1\n2,b,c\n3,ok\n"4,never', "utf-8")
    (tmp_path / "b.jsonl").write_text('{}\n[1]\nno\n{"text": 1, "error": 2}\n{"text": "ok"}\n')
    named = [str(tmp_path / name) for name in ("a.csv", "b.jsonl")]
    columns = NewColumns("short", ("9",), errors="error")
    assert run(roomy(named, tmp_path / "out", columns=columns)) == Counts(9, 7)
    assert (tmp_path / "out" / "a.csv").read_text().splitlines() == [
        "id,text,short,error",
        "1,,,1 cell where 2 are needed",
        "2,b,c",
        "3,ok,ok,",
        '"4,never',
    ]
    assert (tmp_path / "out" / "b.jsonl").read_text().splitlines() == [
        '{"short": null, "error": "no key \'text\'; choose with --column one of: none"}',
        "[1]",
        "no",
        '{"text": 1, "error": 2}',
        '{"text": "ok", "short": "ok", "error": null}',
    ]


def test_what_is_told_of_a_row_is_text_whatever_the_row_has(tmp_path, nacc):
    keys = ["\\ud83d", "\\udc80"]
    (tmp_path / "a.jsonl").write_text("".join(f'{{"{key}": 1}}\n' for key in keys))
    assert run(roomy([str(tmp_path / "a.jsonl")], tmp_path / "out")) == Counts(2, 2)
    made = (tmp_path / "out" / "a.jsonl").read_bytes()
    told = [json.loads(line)["error"] for line in made.decode("utf-8").splitlines()]
    assert told == [f"no key 'text'; choose with --column one of: {key}" for key in keys]
    fitted = nacc(["fit", "--in", tmp_path / "a.jsonl", "--errors", "error"])
    assert fitted.out == made


BARE = ["no", '{"text": "ok"}', "[1]", '{"text": "ok", "error": 2}', '{"text": ""}']
"""Lines of which the first, third and fourth have no place for what is wrong with them."""


def bare_rows(folder, times):
    folder.mkdir()
    (folder / "a.jsonl").write_text("\ufeff\n" + "\n".join(BARE * times) + "\n", "utf-8")
    cells = "\n".join(['1,"a\nb"', "2,b,c", "", "3,ok"] * times)
    (folder / "b.csv").write_text(f"id,text\n{cells}\n", "utf-8")
    return [str(folder)]


def test_a_row_without_a_place_for_its_error_is_told_with_its_line(tmp_path, monkeypatch):
    monkeypatch.setattr(unchanged, "MOST", 75)
    named = bare_rows(tmp_path / "in", 20)
    whole = Run(roomy(named, tmp_path / "whole"))
    assert whole.go(one_by_one, NoWatch()) == Counts(160, 100)
    told = whole.unchanged()
    assert (told.rows, len(told.first)) == (80, 75)
    at = [(path.rpartition("/")[2], line) for path, line, _ in told.first]
    lines = [2 + 5 * i + bad for i in range(20) for bad in (0, 2, 3)]
    assert at[:60] == [("a.jsonl", line) for line in lines]
    assert at[60:] == [("b.csv", 4 + 5 * i) for i in range(15)]
    assert told.first[0][2].startswith("not JSON: Expecting value")
    assert [why for _, _, why in told.first[1:3]] == [
        "a JSON list, not an object",
        "there is a key 'error' already",
    ]
    assert told.first[60][2] == "3 cells where 2 are needed"
    monkeypatch.setattr(parts, "SMALLEST", 64)
    job = roomy(named, tmp_path / "cut")
    asked = json.loads((tmp_path / "whole" / RECORD).read_text("utf-8"))
    for number in (3, 8):
        with pytest.raises(KeyboardInterrupt):
            Run(job).go(stopping_after(number), NoWatch())
    again = Run(job)
    assert again.go(one_by_one, NoWatch()) == Counts(160, 100)
    assert again.unchanged() == told
    record = json.loads((tmp_path / "cut" / RECORD).read_text("utf-8"))
    assert record["job"].pop("part") < asked["job"].pop("part")
    assert record == asked
    assert Run(job).go(one_by_one, NoWatch()) == Counts(160, 100)


def test_empty_files_come_out_empty(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    for name in ("a.csv", "b.jsonl", "c.txt"):
        (tmp_path / name).touch()
    pq.write_table(pa.table({"text": pa.array([], pa.string())}), tmp_path / "d.parquet")
    job = roomy([str(tmp_path)], tmp_path / "out")
    assert run(job) == Counts(0, 0)
    out = tree(tmp_path / "out")
    assert (out["a.csv"], out["b.jsonl"], out["c.csv"]) == (b"", b"", b"text,summary,error\n")
    assert pq.read_table(tmp_path / "out" / "d.parquet").num_rows == 0
