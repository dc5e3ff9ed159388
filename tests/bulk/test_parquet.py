"""Which column of a Parquet file has the texts, and what is said where none can be."""

from __future__ import annotations

import pytest

from nacc.bulk.parts import Counts
from nacc.errors import InvalidInput

from .jobs import roomy, run

pa = pytest.importorskip("pyarrow", reason='needs pip install ".[bulk]"')
pq = pytest.importorskip("pyarrow.parquet")


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
