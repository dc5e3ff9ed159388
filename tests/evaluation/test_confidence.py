"""From a folder of grades and a data set to a table in a model's folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from nacc.apps.cli.calibrate import calibrate as command
from nacc.data.datasets import Dataset
from nacc.errors import InvalidInput
from nacc.evaluation import grades, sheets
from nacc.evaluation.confidence import expected_share, graded, scored, signs_of
from nacc.fitting.fit import paths
from nacc.fitting.task import Task
from nacc.length.budget import Budget
from nacc.options import Options
from nacc.summarizer import Summarizer

SOURCES = (
    "The mayor of the town opened a new bridge over the river on Monday after a long delay.",
    "Two farmers sold 300 sheep at the market in spring and said that prices were fair.",
    "Rain delayed the final of the village chess cup, which nobody had thought was possible.",
    "A small bakery in the old town won the prize for the best bread in the whole region.",
)
ALWAYS = Options(rewrite="always", rerank=8)


@pytest.fixture
def reading(tmp_path: Path, linked: Summarizer) -> Path:
    """A folder with two systems' headlines, graded by two."""
    said = {
        ("new", "40 characters"): [s.text for s in linked.summarize(SOURCES, 40, options=ALWAYS)],
        ("old", "40 characters"): ["Chess bread bridge sheep"] * 4,
    }
    folder = tmp_path / "reading"
    folder.mkdir()
    text, key = sheets.make(grades.FORM, grades.blind_rows(SOURCES, said))
    key.write(folder / "key.json")
    for grader in (1, 2):
        header, *rows = text.splitlines()
        marks = [
            "F" if "Chess bread" in row else "AC"[(i + grader) % 2] for i, row in enumerate(rows)
        ]
        filled = [row + mark for row, mark in zip(rows, marks, strict=True)]
        (folder / f"grader-{grader}.tsv").write_text("\n".join([header, *filled]), "utf-8")
    return folder


@pytest.mark.parametrize("source", SOURCES)
def test_a_headline_of_its_own_has_the_signs_it_had_when_it_was_said(linked, source) -> None:
    budget, options = Budget.of(40), linked.settled(ALWAYS)
    (read,) = linked.read([source], budget, options)
    best = paths(read, budget, options)[0]
    again = signs_of(Task.of(read, budget, options), best.summary.text)
    assert again.words == best.signs.words
    assert again.expected == pytest.approx(best.signs.expected, abs=0.02)
    assert again.log_p == pytest.approx(best.signs.log_p, abs=1e-4)


def test_what_nobody_expects_has_worse_signs(linked) -> None:
    budget, options = Budget.of(40), linked.settled(ALWAYS)
    (read,) = linked.read([SOURCES[0]], budget, options)
    task = Task.of(read, budget, options)
    assert signs_of(task, "Zebra zebra quagga").expected == 0
    assert expected_share(read.word_lattice.lattice, []) == 0


def test_a_model_without_links_cannot_be_calibrated(ctc) -> None:
    (read,) = ctc.read([SOURCES[0]])
    with pytest.raises(InvalidInput, match="linked slots"):
        expected_share(read.word_lattice.lattice, [0])


def test_graded_headlines_are_taken_of_the_systems_asked_for(linked, reading) -> None:
    every, new = graded(linked, reading), graded(linked, reading, ["new"])
    assert len(every) == 2 * len(new) == 2 * 2 * len(SOURCES)
    assert {each.figure for each in new} == {"A", "C"}
    assert all(each.good == (each.figure == "A") for each in every)
    with pytest.raises(InvalidInput, match="no headline of nobody"):
        graded(linked, reading, ["nobody"])


def test_what_the_model_says_of_a_data_set_is_good_where_its_rouge_is(linked) -> None:
    said = linked.summarize(SOURCES, 50, options=ALWAYS)
    references = tuple((one.text if i else "Something else",) for i, one in enumerate(said))
    found = scored(linked, Dataset("set", SOURCES, references), {"rerank": 8})
    assert [each.good for each in found] == [False, True, True, True]
    assert [each.figure for each in found[1:]] == [1.0] * 3


def test_the_command_writes_the_table_and_the_model_is_sure(
    linked_folder, reading, tmp_path, tsv
) -> None:
    pytest.importorskip("matplotlib")
    folder, out = tmp_path / "model", tmp_path / "out"
    shutil.copytree(linked_folder, folder)
    app = typer.Typer()
    app.command()(command)
    asked = [str(folder), "--grades", str(reading), "--data", "none", "--out", str(out)]
    done = CliRunner().invoke(app, [*asked, "--dry-run"], catch_exceptions=False)
    assert done.exit_code == 0 and "min_confidence" in done.output
    assert "confidence" not in json.loads((folder / "config.json").read_text("utf-8"))
    done = CliRunner().invoke(app, asked, catch_exceptions=False)
    assert {path.suffix for path in out.iterdir()} == {".json", ".md", ".csv", ".png", ".svg"}
    written = json.loads((folder / "config.json").read_text("utf-8"))["confidence"]
    assert written == json.loads((out / "confidence.json").read_text("utf-8"))["confidence"]
    said = Summarizer.load(folder).summarize(SOURCES[0], 40, options=ALWAYS)
    assert said.confidence is not None and 0 < said.confidence < 1
