"""The same systems on several data sets; options reach the data they are meant for."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from nacc.apps.cli.evaluate import evaluate
from nacc.errors import InvalidInput, InvalidOption
from nacc.evaluation import survey, systems
from nacc.length.budget import Budget


def _run(*arguments):
    app = typer.Typer()
    app.command()(evaluate)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def folder(tmp_path, monkeypatch, tsv):
    """A data folder with one set of news, two kinds of short text, and a test set."""
    monkeypatch.setenv("NACC_DATA", str(tmp_path))
    lines = tsv.read_text("utf-8").splitlines(keepends=True)
    for path, text in (
        ("gigaword/dev.tsv", lines[:2]),
        ("gigaword/test.tsv", lines[2:]),
        ("short/notice.dev.tsv", lines[:1]),
        ("short/talk.dev.tsv", lines[1:]),
    ):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("".join(text), "utf-8")
    return tmp_path


def test_kinds_of_short_text_have_a_mean_in_which_each_counts_the_same(folder, tmp_path):
    out = tmp_path / "out"
    done = _run(
        "--data", "gigaword-dev", "--data", "short", "--system", "lead", "--system", "default",
        "--time-on", 1, "--repeats", 1, "--out", out,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    sets = json.loads((out / "survey.json").read_text("utf-8"))["data"]
    assert [each["title"].partition(":")[0] for each in sets] == [
        "gigaword/dev", "short/notice.dev", "short/talk.dev",
    ]  # fmt: skip
    written = (out / "survey.md").read_text("utf-8").splitlines()
    [mean] = [line for line in written if "mean of 2 kinds" in line]
    both = [each["rows"][0] for each in sets[1:]]  # of one pair, and of three
    expected = [sum(row[name] for row in both) / 2 for name in ("r1", "r2", "rl")]
    assert " / ".join(f"{value:.2f}" for value in expected) in mean.split("|")[2]
    [times] = [line for line in written if line.startswith("| ms a sentence")]
    assert times.split("|")[2].strip() == "–" and float(times.split("|")[3]) > 0
    assert (out / "survey.csv").read_text("utf-8").count("\n") == 7


def test_a_test_set_needs_to_be_asked_for_as_one(folder):
    refused = _run("--data", "gigaword-test", "--system", "lead")
    assert isinstance(refused.exception, InvalidInput)
    assert "for the report alone" in str(refused.exception)
    assert _run("--data", "gigaword-test", "--system", "lead", "--report").exit_code == 0


def test_options_are_for_every_model_or_for_some_of_the_data(folder):
    paths = [folder / "gigaword/dev.tsv", folder / "short/talk.dev.tsv"]
    given = survey.options_by_data(["fill=0.5", "short:fill=0.25", "short/talk:case=lower"], paths)
    assert given == {paths[0]: {"fill": 0.5}, paths[1]: {"fill": 0.25, "case": "lower"}}
    with pytest.raises(InvalidInput, match="duc2003 is none of the data"):
        survey.options_by_data(["duc2003:fill=0.5"], paths)
    with pytest.raises(InvalidInput, match="option=value"):
        survey.options_by_data(["fill"], paths)


def test_what_a_system_names_itself_comes_before_what_is_set_for_all(model, data):
    common = {"case": "lower", "fill": 0.5}
    one = systems.parse_system("quiet:=default:fill=0.25", lambda path: model, common)
    assert one.name == "quiet" and (one.options.case, one.options.fill) == ("lower", 0.25)
    assert all(output.text.islower() for output in one.run(data.sources, Budget(40)))
    other = systems.parse_system("default:model=other", lambda path: model, {"volume": 3})
    assert other.options.case is None  # another model has its own options
    with pytest.raises(InvalidOption, match="volume"):
        systems.parse_system("default", lambda path: model, {"volume": 3})


def test_the_default_system_is_what_a_user_gets(model, data):
    said = systems.parse_system("default", lambda path: model).run(data.sources, Budget(40))
    assert [output.text for output in said] == [
        summary.text for summary in model.summarize(data.sources, 40)
    ]


def test_the_ablation_adds_one_part_at_a_time():
    ctc, *linked = survey.ablation(Path("runs/ctc"))
    assert ctc == "CTC, coherent:=default:model=runs/ctc"
    assert linked[0].endswith(":=default:expected_words=0,expected_pairs=0,rerank=0")
    assert linked[-1] == "+ re-ranking:=default:rerank=20"
    assert len({spec.partition(":=")[0] for spec in linked}) == len(linked) == 5


def test_a_linked_model_is_not_asked_for_what_only_others_can(ctc, linked, model):
    assert systems.usual_systems(ctc) == systems.DEFAULT_SYSTEMS
    assert systems.usual_systems(linked) == systems.usual_systems(model) == ("lead", "default")
    assert systems.runs_on("linked", linked) and not systems.runs_on("linked", ctc)


def test_the_ablation_runs_on_a_linked_model_in_its_own_style(
    folder, linked_folder, ctc_folder, tmp_path
):
    done = _run(
        "--data", "short", "--ablation", ctc_folder, "--model", linked_folder,
        "--time-on", 1, "--repeats", 1, "--set", "short:style=web", "--out", tmp_path / "out",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    header = (tmp_path / "out/survey.md").read_text("utf-8").splitlines()[0]
    assert header.startswith("|  | CTC, coherent | linked, best path | + expected words |")
    refused = _run("--data", "short", "--model", linked_folder, "--set", "style=tabloid")
    assert isinstance(refused.exception, InvalidOption) and "tabloid" in str(refused.exception)


def test_what_shows_one_data_set_is_refused_for_several(folder, tsv):
    done = _run("--data", "short", "--system", "lead", "--show", 1)
    assert isinstance(done.exception, InvalidInput) and "one data set" in str(done.exception)
    both = _run("--data", tsv, "--system", "lead", "--ablation", "runs/ctc")
    assert "leave --system out" in str(both.exception)
