"""Which column of a Parquet file has the texts, and what is said where none can be."""

from __future__ import annotations

import os

import pytest

from nacc.bulk.parts import Counts
from nacc.errors import InvalidInput

from .jobs import roomy, run

pa = pytest.importorskip("pyarrow", reason='needs pip install ".[bulk]"')
pq = pytest.importorskip("pyarrow.parquet")
parquet = pytest.importorskip("nacc.bulk.parquet")


def job(tmp_path, table, column):
    pq.write_table(table, tmp_path / "a.parquet")
    return roomy([str(tmp_path / "a.parquet")], tmp_path / "out", column=column)


NONE = pa.table({"id": [1], "text": [b"x"]})
ONE = pa.table({"id": [1], "lead": ["x"], "tags": [["x"]]})


@pytest.mark.parametrize(
    ("table", "column", "told"),
    [
        (NONE, None, "which column?; no column holds strings: id (int64), text (binary)"),
        (NONE, "text", "column 'text' holds binary, no strings; no column holds strings: id"),
        (NONE, "x", "no column 'x'; no column holds strings: id"),
        (ONE, "id", "column 'id' holds int64, no strings; choose with --column one of: lead"),
        (ONE, "tags", "column 'tags' holds list<element: string>, no strings; choose with"),
        (ONE, "x", "no column 'x'; choose with --column one of: lead"),
        (
            pa.Table.from_arrays([["x"], ["y"]], ["text", "text"]),
            "text",
            "2 columns are called 'text'; choose with --column one of: text, text",
        ),
        (pa.table({}), None, "which column?; there are no columns"),
    ],
)
def test_what_the_columns_hold_is_told_where_none_will_do(tmp_path, table, column, told):
    with pytest.raises(InvalidInput) as raised:
        run(job(tmp_path, table, column))
    assert str(raised.value).startswith(f"{tmp_path / 'a.parquet'}: {told}")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_strings_may_be_kept_in_any_way(tmp_path, kind):
    table = pa.table({"id": [1, 2], "lead": pa.array(["Man bites dog", None], kind)})
    assert run(job(tmp_path, table, None)) == Counts(2, 1)
    made = pq.read_table(tmp_path / "out" / "a.parquet")
    assert made["summary"].to_pylist() == ["Man bites dog", None]
    assert made.select(["id", "lead"]).equals(table)


def damaged(kind):
    """Strings of which one is no UTF-8, as other writers leave them: nothing checks them here."""
    raw = pa.array([b"Man bites dog", b"caf\xe9", None], pa.large_binary()).buffers()
    found = pa.LargeStringArray.from_buffers(3, raw[1], raw[2], raw[0])
    return found.dictionary_encode() if kind == "dictionary" else found.cast(kind)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), "dictionary"], ids=str)
def test_a_string_that_is_no_utf_8_is_an_error_of_its_row(tmp_path, kind):
    table = pa.table({"text": damaged(kind), "other": damaged(kind)})
    assert run(job(tmp_path, table, "text")) == Counts(3, 2)
    made = pq.read_table(tmp_path / "out" / "a.parquet")
    assert made["summary"].to_pylist() == ["Man bites dog", None, None]
    assert made["error"].to_pylist() == [None, "not UTF-8: byte 0xe9 after 3 bytes", "empty text"]
    assert made.select(["text", "other"]).equals(pq.read_table(tmp_path / "a.parquet"))


def test_a_file_that_is_damaged_inside_is_named(tmp_path):
    table = pa.table({"text": [f"Man bites dog {i}" for i in range(2000)]})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=500, compression="snappy")
    data = bytearray((tmp_path / "a.parquet").read_bytes())
    data[1000:2000] = b"\xff" * 1000
    (tmp_path / "a.parquet").write_bytes(data)
    with pytest.raises(InvalidInput, match=r"cannot read .*a\.parquet: "):
        run(roomy([str(tmp_path / "a.parquet")], tmp_path / "out"))


def test_rows_are_fewer_at_a_time_where_they_are_wide(tmp_path, monkeypatch):
    table = pa.table(
        {"text": ["Man bites dog"] * 1000, "wide": [bytes([i % 256]) * 10_000 for i in range(1000)]}
    )
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=400, use_dictionary=False)
    monkeypatch.setattr(parquet, "MOST", 100_000)
    made = roomy([str(tmp_path / "a.parquet")], tmp_path / "out")
    cuts = list(made.kind(made.files[0]).cuts(10_000))
    assert max(end - begin for begin, end in cuts) < 10
    assert run(made) == Counts(1000, 0)
    groups = pq.ParquetFile(tmp_path / "out" / "a.parquet").metadata
    assert all(groups.row_group(i).num_rows < 10 for i in range(groups.num_row_groups))
    assert pq.read_table(tmp_path / "out" / "a.parquet").select(["text", "wide"]).equals(table)


def test_what_is_read_ahead_does_not_grow_with_the_file(tmp_path):
    table = pa.table(
        {"text": ["Man bites dog"] * 9000, "wide": [os.urandom(5000) for _ in range(9000)]}
    )
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=200, compression="none")
    before = pa.total_allocated_bytes()
    reader = parquet.Reader(tmp_path / "a.parquet")
    assert len(reader.stretch(0, 10)) == 10
    assert pa.total_allocated_bytes() - before < 12_000_000
