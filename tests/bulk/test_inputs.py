"""Which files are meant, and what they become."""

from __future__ import annotations

import io
import os

import pytest

from nacc.bulk.inputs import files
from nacc.errors import InvalidInput

from .jobs import roomy, run


@pytest.fixture
def folder(tmp_path):
    for name in (
        "in/a.csv", "in/deep/b.jsonl", "in/deep/c.parquet", "in/deep/notes.md", "in/.hidden/d.csv",
        "in/_nacc.json", "in/e.txt", "other/a.csv", "out/f.csv",
    ):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


def found(folder, *names, form=None):
    named = [str(folder / name) for name in names]
    return {
        str(each.path.relative_to(folder)): (each.form, each.out)
        for each in files(named, form, folder / "out")
    }


def test_folders_are_searched_and_files_keep_their_place(folder):
    assert found(folder, "in") == {
        "in/a.csv": ("csv", "a.csv"),
        "in/deep/b.jsonl": ("jsonl", "deep/b.jsonl"),
        "in/deep/c.parquet": ("parquet", "deep/c.parquet"),
        "in/e.txt": ("text", "e.csv"),
    }


def test_patterns_and_files_and_each_once(folder):
    assert list(found(folder, "in/deep/b.jsonl", "in/**/[bc].*", "in/deep")) == [
        "in/deep/b.jsonl",
        "in/deep/c.parquet",
    ]
    assert found(folder, "in/deep/notes.md") == {"in/deep/notes.md": ("text", "notes.csv")}
    assert found(folder, "in/deep/notes.md", form="tsv")["in/deep/notes.md"][0] == "tsv"


def test_what_was_written_is_not_read(folder):
    assert "out/f.csv" not in found(folder, "in", "out", "out/*.csv", "out/f.csv")


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["in/a.csv", "other/a.csv"], "would both be written to a.csv"),
        (["nowhere"], "no such file, folder or pattern"),
        (["in/*.xls"], "no files in"),
        (["in/_nacc.json"], "JSON Lines"),
        (["out"], "all files in .*out are in .*out, where they would be written to"),
    ],
)
def test_what_cannot_be_is_told(folder, names, told):
    with pytest.raises(InvalidInput, match=told):
        found(folder, *names)


@pytest.mark.parametrize("name", ["a.csv.gz", "b.jsonl.ZST", "c.zip"])
def test_a_packed_file_is_not_taken_for_text(folder, nacc, name):
    (folder / name).write_bytes(b"\x1f\x8b")
    with pytest.raises(InvalidInput, match=f"{name} is packed; unpack it first"):
        found(folder, name)
    assert f"{name} is packed; unpack it first" in nacc(["fit", "--in", folder / name]).err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_no_file(folder):
    os.mkfifo(folder / "pipe.csv")
    with pytest.raises(InvalidInput, match=r"pipe\.csv is no file or folder; .* nacc fit"):
        found(folder, "pipe.csv")


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("column", "has", "told"),
    [
        ("lead", ["text"], "no column 'lead'"),
        ("text", ["text", "summary"], "there is a column 'summary'"),
    ],
)
def test_of_many_files_the_one_that_cannot_be_is_named(tmp_path, ending, column, has, told):
    csv, parquet = (pytest.importorskip(f"pyarrow.{name}") for name in ("csv", "parquet"))
    write = csv.write_csv if ending == "csv" else parquet.write_table
    table = csv.read_csv(io.BytesIO(b"text,lead,summary\na,b,c\n"))
    (tmp_path / "in").mkdir()
    for number, left in enumerate((["text", "lead"], has)):
        write(table.select(left), tmp_path / "in" / f"{number}.{ending}")
    job = roomy([str(tmp_path / "in")], tmp_path / "out", column=column)
    with pytest.raises(InvalidInput, match=rf"1\.{ending}: {told}"):
        run(job)
