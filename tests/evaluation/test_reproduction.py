"""The paper's rows stand as printed; ours stand beside them only where they were run."""

import json

import pytest
import typer
from typer.testing import CliRunner

from nacc.apps.cli.evaluate import evaluate
from nacc.apps.cli.reproduce import reproduce
from nacc.errors import InvalidInput
from nacc.evaluation import human, paper, reproduction, row_models, sheets, side_by_side
from nacc.evaluation.report import EvaluationProtocol
from nacc.evaluation.systems import OutputFile


@pytest.fixture(autouse=True)
def no_data(tmp_path, monkeypatch):
    """No test finds data to train a search model on."""
    monkeypatch.setenv("NACC_DATA", str(tmp_path / "no-data"))


def _run(command, *arguments):
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.mark.parametrize("table", paper.TABLES.values(), ids=lambda table: table.name)
def test_printed_differences_follow_from_printed_scores(table):
    """All but the one the paper misprints: row 5 of table 1."""
    baselines = [row for row in table.rows if row.number in table.baselines]
    for row in table.rows:
        if row.delta is None or (table.name, row.number) == ("table1", 5):
            continue
        [baseline] = [other for other in baselines if other.setting == row.setting]
        assert row.total - baseline.total == pytest.approx(row.delta, abs=0.02)
    five = paper.TABLE_1.rows[4]
    assert five.delta == 4.74 and five.total - paper.TABLE_1.rows[0].total == pytest.approx(2.13)


def test_rows_without_a_model_or_outputs_say_so(ctc, data):
    given = OutputFile("theirs", tuple(["bridge"] * 4), to_cut=True)
    run = reproduction.Reproduction({"supervised": ctc}, {("table1", 7): given})
    results = run.table(paper.TABLE_1, data, EvaluationProtocol.of(data))
    by_number = {result.paper.number: result for result in results if result.paper}
    assert [n for n, result in by_number.items() if result.ours] == [4, 5, 6, 7]
    assert by_number[1].note == "not run: needs --model table1.1=DIR"
    assert by_number[8].note == "not run: needs SEARCH"
    assert by_number[13].note == "not run: needs MODEL"
    assert [result.label for result in results if not result.paper and result.ours] == [
        "NACC (length control, as released)",
        "ours: exact",
        "ours: coherent",
    ]
    text = side_by_side.paper_markdown(results, "table1")
    assert "| 13 | unsupervised | NACC (length control) | paper | 47.03 | 27.45 |" in text
    assert "NACC (length control) | ours" in text
    missing = "| NAUS, 8 words (truncate) | ours | – | – | – | – | – | – | not run: needs MODEL |"
    assert missing in text


def test_rows_of_the_paper_are_not_run_on_a_linked_model(linked, data):
    run = reproduction.Reproduction({"supervised": linked}, {})
    results = run.table(paper.TABLE_1, data, EvaluationProtocol.of(data))
    assert [each.label for each in results if each.ours and not each.paper] == ["ours: linked"]
    [four] = [each for each in results if each.paper and each.paper.number == 4]
    assert four.ours is None and "linked slots" in four.note
    with pytest.raises(InvalidInput, match="figures need a CTC model"):
        run.swept()


def test_ours_are_compared_with_the_papers_baseline_where_its_outputs_are_given(ctc, data):
    given = OutputFile("theirs", tuple(["bridge"] * 4), to_cut=True)
    run = reproduction.Reproduction({"supervised": ctc}, {("table1", 1): given})
    results = run.table(paper.TABLE_1, data, EvaluationProtocol.of(data))
    assert results[0].delta == 0
    assert results[3].delta == pytest.approx(results[3].ours.total - results[0].ours.total)
    [lead] = [result for result in results if result.label.startswith("Lead")]
    assert lead.ours and lead.delta is None  # of the other setting


def test_the_sign_test_is_the_exact_binomial():
    assert human.sign_test(0, 0) == human.sign_test(5, 5) == 1
    assert human.sign_test(9, 1) == human.sign_test(1, 9) == pytest.approx(22 / 1024)
    assert human.sign_test(171, 81) == pytest.approx(1.4e-8, rel=0.1)
    with pytest.raises(InvalidInput):
        human.sign_test(-1, 0)


def test_table_3_p_values_follow_from_no_plain_unit():
    """The printed 0.0001 and 0.0002 lie between those of votes and those of samples."""
    tallies = human.printed_tallies()
    assert len(tallies) == 4
    for tally in tallies:
        by_vote = tally.unit.startswith("vote")
        assert (tally.p_value < tally.paper_p_value) == by_vote


def test_blind_votes_count_for_the_right_system():
    sources, ours, theirs = (tuple(f"{name} {i}" for i in range(20)) for name in "sxy")
    rows = human.blind_rows(sources, ours, theirs, 12, seed=3)
    _, key = sheets.make(human.FORM, rows)
    assert len(rows) == 12 and set(key.behind) == {"A", "B"}
    cast = [
        {"overall": "A" if a.startswith("x") else "B", "fluency": "tie"} for (_, a, _), _ in rows
    ]
    by_vote, by_sample = human.tally([cast, cast], key, "overall")
    assert (by_vote.wins, by_vote.losses, by_sample.wins) == (24, 0, 12)
    assert human.tally([cast], key, "fluency")[0].p_value == 1


def test_evaluate_prints_and_writes_the_table(tsv, tmp_path, ctc_folder):
    out = tmp_path / "out"
    result = _run(
        evaluate, "--data", tsv, "--time-on", 2, "--repeats", 1, "--show", 2, "--figure",
        "--headlines", tsv, "--headlines", tsv, "--out", out, "--against", "lead",
        "--model", ctc_folder,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    for name in ("lead", "truncate", "bucketed", "exact", "coherent", "/small: 4 pairs"):
        assert name in result.output
    written = {path.name for path in out.iterdir()}
    assert {"evaluation.json", "evaluation.csv", "evaluation.md", "examples.html"} <= written
    assert "quality-and-speed.svg" in written
    rows = json.loads((out / "evaluation.json").read_text("utf-8"))["rows"]
    assert [row["within_budget"] for row in rows] == [1.0] * 5


def test_evaluate_prints_json_alone(tsv):
    result = _run(evaluate, "--data", tsv, "--system", "lead-cut", "--json", "--budget", "20")
    rows = json.loads(result.stdout)["rows"]
    assert [row["system"] for row in rows] == ["lead-cut"] and rows[0]["length"] <= 20


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--metric", "f2"], "f1, recall"),
        (["--budget", "many"], "many"),
        (["--system", "best"], "unknown system"),
        (["--figure"], "--out"),
        (["--first", "0"], "first 0"),
    ],
)
def test_evaluate_refuses_what_it_cannot_do(tsv, arguments, named):
    result = _run(evaluate, "--data", tsv, "--system", "lead", *arguments)
    assert isinstance(result.exception, InvalidInput) and named in str(result.exception)


def test_reproduce_all_writes_every_table_and_figure(tsv, tmp_path, packaged_ctc):
    duc = tmp_path / "duc"
    duc.mkdir()
    (duc / "input.txt").write_text("the mayor of the town opened a bridge .\n", "utf-8")
    for i in range(4):
        (duc / f"reference.{i}.txt").write_text("mayor opens bridge\n", "utf-8")
    out = tmp_path / "out"
    mine = packaged_ctc / "extractive"
    result = _run(
        reproduce, "all", "--gigaword", tsv, "--duc", duc, "--time-on", 1, "--sweep-on", 2,
        "--unsupervised", mine, "--out", out,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    told = "".join(result.output.split())
    assert f"figure4:unsupervised(network:{mine})," in told and "2pairs" in told
    assert f"supervised(ournetwork:default)andunsupervised(network:{mine})" in told
    names = {path.name for path in out.iterdir()}
    for table in ("table1", "table2", "table3", "table4"):
        assert {f"{table}.json", f"{table}.csv", f"{table}.md"} <= names
    for figure in (
        "figure3-bucket-size", "score-lost", "figure4-length-transfer", "quality-and-speed",
    ):  # fmt: skip
        assert {f"{figure}.png", f"{figure}.svg", f"{figure}.csv"} <= names
    assert "not run" in result.output
    drawn = (out / "quality-and-speed.csv").read_text("utf-8")
    assert "supervised: NACC (truncate)" in drawn and "unsupervised: ours: exact" in drawn
    page = (out / "case-study.html").read_text("utf-8")
    assert "unsupervised: NAUS, 8 words (truncate)" in page and "supervised: ours: exact" in page


def _rows(out, table):
    """A written table's rows that were run, by number."""
    rows = json.loads((out / f"{table}.json").read_text("utf-8"))["rows"]
    return {row["paper_number"]: row for row in rows if "paper_number" in row and "ours_r1" in row}


def test_reproduced_rows_say_on_which_network(tsv, tmp_path, packaged_ctc):
    theirs = tmp_path / "extracts.txt"
    theirs.write_text("bridge\n" * 4, "utf-8")
    out, mine = tmp_path / "out", tmp_path / "mine"
    mine.symlink_to(packaged_ctc / "extractive")
    result = _run(
        reproduce, "table1", "--gigaword", tsv, "--time-on", 0, "--unsupervised", mine,
        "--output", f"table1.7={theirs}", "--out", out,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert {number: row["note"] for number, row in _rows(out, "table1").items()} == {
        4: "our network: default",
        5: "our network: default",
        6: "",
        7: f"outputs of {theirs}",
        12: f"network: {mine}",
        13: f"network: {mine}",
    }
    assert side_by_side.LEGEND in (out / "table1.md").read_text("utf-8")


def test_reproduce_takes_a_test_set_for_the_report_alone(tsv, tmp_path, monkeypatch):
    monkeypatch.setenv("NACC_DATA", str(tmp_path))
    (tmp_path / "gigaword").mkdir()
    tsv.rename(tmp_path / "gigaword/test.tsv")
    asked = ("table1", "--gigaword", "gigaword-test", "--time-on", 0, "--out", tmp_path / "out")
    refused = _run(reproduce, *asked)
    assert "for the report alone" in str(refused.exception)
    assert _run(reproduce, *asked, "--report").exit_code == 0
    missing = _run(reproduce, "table1", "--out", tmp_path / "out")
    assert "gigaword/dev.tsv does not exist" in str(missing.exception)


def test_without_an_unsupervised_model_its_rows_are_not_run(tsv, tmp_path, packaged_ctc):
    result = _run(reproduce, "table1", "--gigaword", tsv, "--time-on", 0, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert set(_rows(tmp_path, "table1")) == {4, 5, 6}


def test_a_row_s_own_network_is_asked_for_by_its_system(ctc_folder, data, monkeypatch):
    asked = []

    def parsed(spec, open_model):
        asked.append(spec)
        return OutputFile(spec.partition(":=")[0], tuple(["bridge"] * 4), to_cut=True)

    monkeypatch.setattr(reproduction, "parse_system", parsed)
    of_rows = row_models.parse_networks(
        ["table1.1,table1.9=su", "table1.2=qi,style=wire,told=45", f"table1.13={ctc_folder}"]
    )
    run = reproduction.Reproduction({}, of_rows=of_rows)
    results = run.table(paper.TABLE_1, data, EvaluationProtocol.of(data))
    assert [spec.partition(":=")[2] for spec in asked] == [
        "rival:model=su,control=truncate",
        "rival:model=qi,style=wire,told=45,control=truncate",
        "rival:model=su,control=truncate",
        "rival:model=su,control=exact",
        "rival:model=su,control=exact",
    ]
    by_number = {result.paper.number: result for result in results if result.paper}
    assert [n for n, result in by_number.items() if result.ours] == [1, 2, 6, 9, 13]
    assert by_number[13].note == f"network: {ctc_folder}"
    assert by_number[2].note == "network: qi, style=wire,told=45, without BANG's pretraining"
    labels = [result.label for result in results if result.ours and not result.paper]
    assert labels.count("Su et al. (length control)") == 2
    assert "NAUS, 8 words (truncate)" in labels
    assert [system.name for system in run.transferred()] == ["Su et al."]


def test_how_a_network_with_lattices_is_decoded_is_its_row_s_to_say(ctc_folder, data):
    of_rows = row_models.parse_networks([f"table1.13={ctc_folder},beam=5"])
    run = reproduction.Reproduction({}, of_rows=of_rows)
    with pytest.raises(InvalidInput, match="beam=5"):
        run.table(paper.TABLE_1, data, EvaluationProtocol.of(data))


def test_reproduce_table_3_makes_and_counts_a_blind_vote(tsv, tmp_path, packaged_ctc):
    out = tmp_path / "out"
    mine = packaged_ctc / "extractive"
    asked = _run(
        reproduce, "table3", "--gigaword", tsv, "--unsupervised", mine, "--blind", "--out", out
    )
    assert asked.exit_code == 0, asked.output
    filled = tmp_path / "filled.tsv"
    sheet = (out / "votes.tsv").read_text("utf-8")
    filled.write_text(sheet.replace("\t\t\n", "\ttie\ta\n"), "utf-8")
    counted = _run(reproduce, "table3", "--votes", filled, "--out", out)
    assert counted.exit_code == 0, counted.output
    assert "by majority" in counted.output
    filled.write_text(sheet.replace("\t\t\n", "\ttie\tC\n"), "utf-8")
    refused = _run(reproduce, "table3", "--votes", filled, "--out", out)
    assert "line 2: fluency 'C' must be one of A, B, tie" in str(refused.exception)


@pytest.mark.parametrize(
    "arguments",
    [
        ["table9"],
        ["table1", "--output", "table1.99=x"],
        ["table1", "--model", "table7.1=x"],
        ["table1", "--gigaword", "no"],
    ],
)
def test_reproduce_refuses_what_it_cannot_do(arguments, tmp_path):
    result = _run(reproduce, *arguments, "--out", tmp_path)
    assert isinstance(result.exception, InvalidInput)
