"""`nacc search-model` and `nacc search`: files in, files out, nothing finished is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from nacc.apps.cli import main
from nacc.search import SearchModel, SearchSettings, search

SIX_WORDS = SearchSettings(words=6)


@pytest.fixture(scope="module")
def folder(model, sentences, tmp_path_factory) -> Path:
    """A search model, sentences, and their extracts of 6 words."""
    folder = tmp_path_factory.mktemp("search")
    model.save(folder / "model.npz")
    (folder / "in.txt").write_text("\n".join(sentences) + "\n", "utf-8")
    run(folder, "--words", "6", out="whole.tsv")
    return folder


def run(folder: Path, *options: str, out: str, source: str = "in.txt") -> int:
    arguments = ["search", "--model", folder / "model.npz", "--in", folder / source]
    with pytest.raises(SystemExit) as ended:
        main([*map(str, arguments), "--out", str(folder / out), *options])
    return int(ended.value.code or 0)


def begun(folder: Path, out: str, content: bytes) -> Path:
    """An output as a run with 6 words left it."""
    path = folder / out
    path.write_bytes(content)
    settings = (folder / "whole.tsv.settings.json").read_bytes()
    path.with_name(out + ".settings.json").write_bytes(settings)
    return path


def test_sources_extracts_and_scores_come_out_in_order(folder, model, sentences):
    lines = (folder / "whole.tsv").read_text("utf-8").splitlines()
    expected = search(model, sentences, SIX_WORDS)
    for line, text, extract in zip(lines, sentences, expected, strict=True):
        assert line.split("\t") == [text, extract.text, f"{extract.score:.4f}"]


@pytest.mark.parametrize("cut", [0, 1, 100, 5_000, 12_345])
def test_a_killed_run_goes_on_where_it_stopped(folder, capsys, cut):
    whole = (folder / "whole.tsv").read_bytes()
    path = begun(folder, f"cut{cut}.tsv", whole[:cut])
    assert run(folder, "--words", "6", out=path.name) == 0
    assert path.read_bytes() == whole
    there = whole[:cut].count(b"\n")
    assert (f"{there} were there" in capsys.readouterr().out) is (there > 0)


def test_a_finished_run_changes_nothing(folder, capsys):
    before = (folder / "whole.tsv").read_bytes()
    assert run(folder, "--words", "6", out="whole.tsv") == 0
    assert (folder / "whole.tsv").read_bytes() == before
    assert "0 sentences" in capsys.readouterr().out


def test_another_inputs_file_is_refused(folder, capsys):
    lines = (folder / "whole.tsv").read_bytes().splitlines(keepends=True)
    path = begun(folder, "foreign.tsv", b"".join([lines[0], lines[2], lines[1]]))
    assert run(folder, "--words", "6", out=path.name) == 2
    assert "foreign.tsv:2 is not of the input's sentence 2" in capsys.readouterr().err
    assert path.read_bytes().splitlines(keepends=True) == [lines[0], lines[2], lines[1]]


def test_a_damaged_line_is_refused(folder, capsys):
    path = begun(folder, "damaged.tsv", b"no tabs here\n")
    assert run(folder, "--words", "6", out=path.name) == 2
    assert "damaged" in capsys.readouterr().err


def test_a_file_of_other_settings_is_refused_and_fresh_starts_over(folder, capsys):
    path = begun(folder, "other.tsv", (folder / "whole.tsv").read_bytes())
    assert run(folder, "--words", "5", out=path.name) == 2
    assert "words 6, now 5" in capsys.readouterr().err
    assert run(folder, "--words", "5", "--fresh", out=path.name) == 0
    assert {len(line.split("\t")[1].split()) for line in path.read_text("utf-8").splitlines()} == {
        5
    }
    assert json.loads((folder / "other.tsv.settings.json").read_text("utf-8"))["words"] == 5


def test_a_file_made_by_something_else_is_left_alone(folder, capsys):
    path = folder / "mine.tsv"
    path.write_text("my notes\n")
    assert run(folder, "--words", "6", out=path.name) == 2
    assert "nacc search did not make it" in capsys.readouterr().err
    assert path.read_text() == "my notes\n"


def test_lines_can_be_chosen(folder, sentences):
    options = ("--words", "4", "--every", "3", "--at-least", "27", "--limit", "10")
    assert run(folder, *options, out="chosen.tsv") == 0
    chosen = [text for text in sentences[::3] if len(text.split()) >= 27][:10]
    lines = (folder / "chosen.tsv").read_text("utf-8").splitlines()
    assert [line.split("\t")[0] for line in lines] == chosen


def test_a_higher_limit_goes_on(folder):
    for limit in ("5", "20"):
        assert run(folder, "--words", "6", "--limit", limit, out="limit.tsv") == 0
    whole = (folder / "whole.tsv").read_text("utf-8").splitlines()
    assert (folder / "limit.tsv").read_text("utf-8").splitlines() == whole[:20]


def test_pairs_give_their_first_column(folder, pairs):
    rows = [f"{source}\t{headline}\tan outlet" for source, headline in pairs[:20]]
    (folder / "in.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    assert run(folder, "--words", "6", out="pairs.tsv", source="in.tsv") == 0
    whole = (folder / "whole.tsv").read_text("utf-8").splitlines()
    assert (folder / "pairs.tsv").read_text("utf-8").splitlines() == whole[:20]


def test_empty_and_short_lines_are_counted(folder, capsys):
    (folder / "odd.txt").write_text("\nRain\n  two\twords \r\n", "utf-8")
    assert run(folder, "--max", "30", out="odd.tsv", source="odd.txt") == 0
    assert "2 kept whole, 1 without a word to keep" in capsys.readouterr().out
    lines = (folder / "odd.tsv").read_text("utf-8").splitlines()
    assert [line.split("\t")[:2] for line in lines] == [
        ["", ""], ["Rain", "Rain"], ["two words", "two words"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "either words or max_length"),
        (("--words", "6", "--max", "50"), "either words or max_length"),
        (("--words", "0"), "say at least 1"),
        (("--words", "6", "--every", "0"), "every = 0"),
        (("--words", "6", "--in", "nowhere.txt"), "cannot read nowhere.txt"),
        (("--words", "6", "--model", "nowhere.npz"), "no search model at nowhere.npz"),
    ],
)
def test_wrong_usage_is_one_line(folder, capsys, options, message):
    assert run(folder, *options, out="never.tsv") == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert not (folder / "never.tsv").exists()


def test_a_search_model_is_trained_from_pairs(pairs, sentences, tmp_path, capsys):
    rows = [f"{source}\t{headline}" for source, headline in pairs * 3]
    (tmp_path / "pairs.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    out = tmp_path / "model.npz"
    options = ["--out", str(out), "--dimension", "8", "--epochs", "1", "--weight-sim", "9"]
    with pytest.raises(SystemExit) as ended:
        main(["search-model", str(tmp_path / "pairs.tsv"), *options])
    assert ended.value.code in (0, None)
    printed = capsys.readouterr().out
    assert "2 held-out headlines: perplexity" in printed
    model = SearchModel.load(out)
    assert model.weight_sim == 9
    assert all(len(e.positions) == 6 for e in search(model, sentences[:10], SIX_WORDS))


def test_pairs_without_a_telegraphic_headline_are_refused(tmp_path, capsys):
    (tmp_path / "pairs.tsv").write_text("The mayor slept.\tThe mayor is asleep\n", "utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["search-model", str(tmp_path / "pairs.tsv"), "--out", str(tmp_path / "model.npz")])
    assert ended.value.code == 2
    assert "no headline to train" in capsys.readouterr().err


def test_no_extra_is_needed():
    extras = "torch zstandard matplotlib onnx safetensors harper fastapi fontTools".split()
    program = (
        f"import sys; sys.modules.update(dict.fromkeys({extras}))\n"
        "import nacc.search.labels, nacc.apps.cli.search, nacc.apps.cli.search_model"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
