"""The search, control by words and the released decoder, as rows that the command computes."""

from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

from nacc.apps.cli.reproduce import reproduce
from nacc.errors import InvalidInput
from nacc.evaluation import paper, reproduction, row_models
from nacc.evaluation.published import AsReleased, Searched, WordControlled
from nacc.evaluation.report import EvaluationProtocol
from nacc.evaluation.study import CRITERIA, Pair, Study
from nacc.evaluation.systems import Decoding
from nacc.length.budget import Budget
from nacc.search import SearchModel, SearchSettings, search
from nacc.search.training import SearchTraining, train_search_model


@pytest.fixture(scope="module")
def pairs_file(tmp_path_factory):
    """Enough headlines and sources to train a small search model on."""
    path = tmp_path_factory.mktemp("pairs") / "train.tsv"
    towns = ["leeds", "york", "dover", "hull"]
    what = ["bridge", "harbour", "stadium", "school", "market"]
    rows = [
        f"the mayor of {town} opened a new {thing} on monday .\tmayor opens {thing} in {town}\n"
        for town in towns
        for thing in what
    ]
    path.write_text("".join(rows * 3), "utf-8")
    return path


@pytest.fixture(scope="module")
def model(pairs_file) -> SearchModel:
    how = SearchTraining(dimension=8)
    found, held_out = train_search_model([pairs_file], [pairs_file], how)
    assert not held_out, "fewer than a thousand headlines"
    return found


def test_search_for_words_is_cut_and_within_characters_is_not(model, data):
    budget = Budget(20)
    words = Searched("words", model, 8).run(data.sources, budget)
    settings = SearchSettings(words=8, method="climb")
    expected = [each.text for each in search(model, data.sources, settings)]
    assert [output.full for output in words] == expected
    assert all(budget.fits(output.text) for output in words)
    assert any(output.text != output.full for output in words)
    for method in ("climb", "ascent"):
        found = Searched("characters", model, method=method).run(data.sources, budget)
        assert all(output.text == output.full and budget.fits(output.text) for output in found)


def test_control_by_words_says_that_many(ctc, data):
    said = WordControlled("naus", ctc, 3).run(data.sources, Budget(50))
    assert {len(output.full.split()) for output in said} == {3}
    short = WordControlled("naus", ctc, 3).run(data.sources, Budget(8))
    assert all(Budget(8).fits(output.text) for output in short)


def test_as_released_keeps_what_fits_and_else_fills_the_last_bucket(ctc, data):
    whole = Decoding.by("truncate", ctc).run(data.sources, Budget(200))
    wide = AsReleased("released", ctc).run(data.sources, Budget(200))
    assert [each.text for each in wide] == [each.full for each in whole]
    budget = Budget(max(len(each.full) for each in whole) - 1)
    narrow = AsReleased("released", ctc).run(data.sources, budget)
    for output, greedy in zip(narrow, whole, strict=True):
        assert budget.fits(output.text)
        if budget.fits(greedy.full):
            assert output.text == greedy.full
        else:
            assert output.text == output.full != greedy.full


def test_rows_of_the_search_are_run_where_there_is_a_model_for_it(model, data):
    run = reproduction.Reproduction({}, search=model)
    results = run.table(paper.TABLE_1, data, EvaluationProtocol.of(data))
    ours = [each.label for each in results if each.ours]
    assert ours == [
        "Lead-50 chars",
        "Schumann et al. (truncate)",
        "Char-constrained search",
        "Schumann et al., 10 words (truncate)",
        "Schumann et al., 13 words (truncate)",
        "Char-constrained search, ours",
    ]


def test_a_search_model_is_trained_once_on_gigaword_s_own_headlines(
    pairs_file, tsv, tmp_path, monkeypatch, packaged_ctc
):
    data = tmp_path / "data"
    (data / "gigaword").mkdir(parents=True)
    (data / "gigaword" / "dev.tsv").write_text(tsv.read_text("utf-8"), "utf-8")
    (data / "gigaword" / "train.tsv").write_text(pairs_file.read_text("utf-8"), "utf-8")
    monkeypatch.setattr(row_models, "TRAINING_PAIRS", "gigaword/train.tsv")
    monkeypatch.setenv("NACC_DATA", "elsewhere")
    app = typer.Typer()
    app.command()(reproduce)
    out = tmp_path / "out"
    asked = ["table1", "--data", str(data), "--time-on", "0", "--out", str(out)]
    for _ in range(2):
        result = CliRunner().invoke(app, asked)
        assert result.exit_code == 0, result.output
        rows = json.loads((out / "table1.json").read_text("utf-8"))["rows"]
        numbers = [row.get("paper_number") for row in rows if "ours_r1" in row]
        assert {7, 8} <= set(numbers)
        monkeypatch.setattr(row_models, "TRAINING_PAIRS", "not there the second time")
    assert (out / row_models.SEARCH_MODEL).is_file()


def test_table_3_counts_a_study(tmp_path):
    pairs = [Pair(f"source {i}", f"ours {i}", f"theirs {i}", ("ours", "theirs")) for i in range(9)]
    study = Study.make(tmp_path / "study.db", pairs)
    judge = study.enrol("Ada")
    while turn := study.turn(judge):
        for criterion in CRITERIA:
            choice = "A" if turn.a.startswith("ours") else "B"
            study.answer(judge, turn.place, criterion, choice)
    app = typer.Typer()
    app.command()(reproduce)
    asked = ["table3", "--study", str(study.path), "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(app, asked)
    assert result.exit_code == 0, result.output
    rows = json.loads((tmp_path / "out" / "table3.json").read_text("utf-8"))["rows"]
    assert {(row["wins"], row["losses"]) for row in rows} == {(9, 0)}


def test_further_systems_stand_in_every_table(linked_folder, ctc, data):
    beside = row_models.parse_beside([f"supervised=linked:=default:model={linked_folder}"])
    run = reproduction.Reproduction({"unsupervised": ctc}, beside=beside)
    for table in (paper.TABLE_1, paper.TABLE_4):
        results = run.table(table, data, EvaluationProtocol.of(data))
        assert ("supervised", "ours: linked") in [(r.setting, r.label) for r in results if r.ours]
    assert len(run.linked()) == 1
    assert [system.name for system in run.transferred()] == ["linked"]


def test_a_further_system_may_stand_in_one_table_alone(ctc, data):
    beside = row_models.parse_beside(["table4.unsupervised=first:=lead"])
    run = reproduction.Reproduction({"unsupervised": ctc}, beside=beside)
    for table, there in ((paper.TABLE_1, False), (paper.TABLE_4, True)):
        results = run.table(table, data, EvaluationProtocol.of(data))
        assert ("first" in [r.label for r in results if r.ours]) == there


@pytest.mark.parametrize("wrong", ["other=lead", "table9.supervised=lead", "supervised"])
def test_a_further_system_says_where_it_stands(wrong):
    with pytest.raises(InvalidInput, match="supervised=SYSTEM"):
        row_models.parse_beside([wrong])
