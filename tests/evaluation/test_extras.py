"""What the [eval] extra brings is asked for where it is needed, and nowhere else."""

import json
import sys

import pytest

from nacc.apps.cli import main

BROUGHT = ("matplotlib", "matplotlib.figure", "harper", "zstandard")


@pytest.fixture(autouse=True)
def without_the_extra(monkeypatch):
    for name in BROUGHT:
        monkeypatch.setitem(sys.modules, name, None)


def run(*arguments) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    return int(left.value.code or 0)


def test_evaluate_needs_no_extra_for_tables_examples_and_perplexity(
    tsv, tmp_path, ctc_folder, capsys
):
    asked = ("evaluate", "--data", tsv, "--system", "lead", "--system", "exact", "--time-on", 0)
    asked += ("--model", ctc_folder)
    shown = ("--headlines", tsv, "--headlines", tsv, "--show", 1, "--out", tmp_path / "out")
    assert run(*asked, *shown, "--json") == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["system"] for row in rows] == ["lead", "exact"]
    assert all(row["r1"] > 0 and row["perplexity"] for row in rows)
    assert (tmp_path / "out/examples.html").exists()


def test_reproducing_a_table_needs_no_extra(tmp_path, capsys):
    assert run("reproduce", "table3", "--out", tmp_path) == 0
    assert "sample (150)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("--figure", "--out", "{out}"), "drawing figures"),
        (("--grammar",), "the grammar check"),
        (("--headlines", "{zst}"), "reading headlines.tsv.zst"),
    ],
)
def test_what_does_need_it_says_so(tsv, tmp_path, capsys, arguments, part):
    (tmp_path / "headlines.tsv.zst").write_bytes(b"not read")
    named = {"out": tmp_path / "out", "zst": tmp_path / "headlines.tsv.zst"}
    asked = [argument.format(**named) for argument in arguments]
    assert run("evaluate", "--data", tsv, "--system", "lead", *asked) == 2
    told = capsys.readouterr()
    assert told.err.strip() == f'nacc: {part} needs an extra: pip install ".[eval]" in a checkout'
    assert not told.out


def test_a_figure_to_reproduce_says_so(tsv, tmp_path, capsys):
    assert run("reproduce", "figure4", "--gigaword", tsv, "--out", tmp_path) == 2
    assert (
        'drawing figures needs an extra: pip install ".[eval]" in a checkout'
        in capsys.readouterr().err
    )
