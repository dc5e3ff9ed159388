"""Sheets hide who said what, come back only as they were made, and count for the right system."""

import json

import pytest
import typer
from typer.testing import CliRunner

from nacc.apps.cli.blind import blind
from nacc.apps.cli.grades import grades as grades_command
from nacc.errors import InvalidInput
from nacc.evaluation import grades, sheets
from nacc.evaluation.grades import FORM, Graded

SOURCES = ["A mayor opened a bridge.", 'He said "no" to it.', "Rain fell in the north."]
OUTPUTS = {
    ("old", "30 characters"): ["Mayor bridge", "He said", "Rain"],
    ("new", "30 characters"): ["Mayor opens bridge", "He said", "Rain  in north"],
    ("old", "50 characters"): ["Mayor bridge", "He said no", ""],
    ("new", "50 characters"): ["Mayor opens bridge", "He says no", "Rain in north"],
}
MARKS = {"Mayor opens bridge": "A", "Mayor bridge": "C", "He said no": "B", "He says no": "B"}


def _filled(sheet: str, marks=MARKS) -> str:
    header, *lines = sheet.splitlines()
    done = [line + marks.get(line.split("\t")[2], "F") for line in lines]
    return "\n".join([header, *done]) + "\n"


@pytest.fixture
def sheet(tmp_path):
    """The path of a sheet that has been filled in."""
    path = tmp_path / "sheet.tsv"
    sheets.write(path, FORM, grades.blind_rows(SOURCES, OUTPUTS, seed=1))
    path.write_text(_filled(path.read_text("utf-8")), "utf-8")
    return path


def _read(path):
    return sheets.read(path, FORM, sheets.Key.read(sheets.key_of(path)))


def _graded(path):
    answers = [row["grade"] for row in _read(path)]
    return Graded(sheets.Key.read(sheets.key_of(path)), [answers])


def test_a_headline_of_a_source_is_graded_once_and_no_row_tells_whose_it_is(sheet):
    header, *lines = sheet.read_text("utf-8").splitlines()
    assert header == "number\tsource\theadline\tgrade"
    shown = [line.split("\t")[1:3] for line in lines]
    assert len(shown) == len({tuple(each) for each in shown}) == 8  # of 12 headlines
    assert [SOURCES[2], grades.NOTHING] in shown and [SOURCES[1], "He said"] in shown
    assert not any(name in "\n".join(lines) for name in ("old", "new"))
    other = grades.blind_rows(SOURCES, OUTPUTS, seed=2)
    assert [list(cells) for cells, _ in other] != shown


def test_grades_count_for_every_run_that_said_so(sheet):
    counts = {(each.system, each.budget[:2]): each.counts for each in _graded(sheet).counts()}
    assert counts["new", "30"] == {"A": 1, "B": 0, "C": 0, "F": 2}
    assert counts["old", "30"] == {"A": 0, "B": 0, "C": 1, "F": 2}
    assert counts["new", "50"] == {"A": 1, "B": 1, "C": 0, "F": 1}
    assert counts["old", "50"] == {"A": 0, "B": 1, "C": 1, "F": 1}


def test_the_sign_test_compares_source_by_source_at_one_budget(sheet):
    thirty, fifty = _graded(sheet).sign_tests()
    assert (thirty.criterion, thirty.unit) == ("new against old", "30 characters")
    assert (thirty.wins, thirty.ties, thirty.losses) == (1, 2, 0) and thirty.p_value == 1
    assert fifty.unit == "50 characters"


def test_rows_may_be_sorted_quoted_and_spaced_anew(sheet):
    before = _read(sheet)
    header, *lines = sheet.read_text("utf-8").splitlines()
    moved = [line[:-1].replace('"', '""') + f" {line[-1].lower()} " for line in reversed(lines)]
    quoted = ["\t".join(f'"{cell}"' for cell in line.split("\t")) for line in moved]
    sheet.write_text("\r\n".join(["\ufeff" + header, *quoted]), "utf-8")
    assert _read(sheet) == before


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda line: line[:-1], "line 3: no grade"),
        (lambda line: line[:-1] + "D", "line 3: grade 'D' must be one of A, B, C, F"),
        (lambda line: line.replace(" ", " not ", 1), "line 3: row 2 does not read as it did"),
        (lambda line: "99" + line[1:], "line 3: the key has no row '99'"),
        (lambda line: f"{line}\n{line}", "line 4: row 2 is there twice"),
        (lambda line: "", "1 rows are missing: 2"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(sheet, change, told):
    lines = sheet.read_text("utf-8").split("\n")
    lines[2] = change(lines[2])
    sheet.write_text("\n".join(lines), "utf-8")
    with pytest.raises(InvalidInput, match=told):
        _read(sheet)


def test_a_sheet_or_key_of_another_kind_is_refused(sheet, tmp_path):
    key = sheets.key_of(sheet)
    sheet.write_text(sheet.read_text("utf-8").replace("grade", "mark", 1), "utf-8")
    with pytest.raises(InvalidInput, match="line 1: no column grade"):
        _read(sheet)
    with pytest.raises(InvalidInput, match="is not the key of a sheet"):
        sheets.Key.read(sheet)
    key.write_text('[{"behind": "A", "digest": "0"}]', "utf-8")
    with pytest.raises(InvalidInput, match="another kind of sheet"):
        Graded(sheets.Key.read(key), [["A"]])


def test_a_sheet_that_may_hold_work_is_never_written_over(sheet):
    before = sheet.read_text("utf-8")
    with pytest.raises(InvalidInput, match="is there already"):
        sheets.write(sheet, FORM, grades.blind_rows(SOURCES, OUTPUTS))
    assert sheet.read_text("utf-8") == before


def test_agreement_is_cohens_kappa():
    found = grades.agreement("AABB", "ABBB")
    assert found.same == 0.75 and found.kappa == pytest.approx(0.5)
    assert grades.agreement("AAAA", "AAAA").kappa == 1
    assert grades.agreement("AABB", "BBAA").kappa == -1


def _run(command, *arguments):
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_from_sources_to_grades(tmp_path):
    sources = tmp_path / "sources.txt"
    sources.write_text("".join(f"wire\t{text}\n" for text in SOURCES), "utf-8")
    for amount in (12, 20):
        (tmp_path / f"theirs-{amount}.txt").write_text(f"a {amount}\nb\nc\n", "utf-8")
    sheet = tmp_path / "reading" / "sheet.tsv"
    asked = ("--sources", sources, "--system", "first words:=lead", "--out", sheet)
    asked += ("--system", f"theirs={tmp_path}/theirs-{{budget}}.txt")
    made = _run(blind, *asked, "--budget", 12, "--budget", 20)
    assert made.exit_code == 0, made.output
    assert f"to grade in {sheet}" in made.output
    text = sheet.read_text("utf-8")
    sheet.write_text(_filled(text, {"a 12": "A", "a 20": "B"}), "utf-8")
    second = tmp_path / "second.tsv"
    second.write_text(_filled(text, {"a 12": "A"}), "utf-8")
    done = _run(grades_command, sheet, second, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "| theirs | 12 characters | 2 | 0 | 0 | 4 | 33% | 67% |" in done.output
    assert "| first words against theirs | 12 characters | 0 | 2 | 1 | 1 |" in done.output
    assert "kappa" in done.output
    record = json.loads((tmp_path / "out/grades.json").read_text("utf-8"))
    assert record["graders"] == 2 and len(record["grades"]) == 4
    twice = _run(blind, *asked[:-2], "--system", "first words:=lead-cut")
    assert "NAME:=SYSTEM" in str(twice.exception)
