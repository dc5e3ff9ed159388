"""Rows say of each system what its outputs show, and how sure that is."""

import csv
import io
import json
from dataclasses import replace

import pytest

from nacc.decoding.registry import methods
from nacc.errors import InvalidInput, InvalidOption
from nacc.evaluation import report, systems, tables, timing
from nacc.evaluation.qualities import qualities
from nacc.evaluation.report import EvaluationProtocol
from nacc.length.budget import Budget
from nacc.options import Options


def _load(model):
    return lambda path: model


def test_qualities_are_counted_as_an_editor_would():
    outputs = [
        "mayor opens bridge of",  # ends on a function word
        "sheep sold sheep",  # says a word twice
        "300 sheep sold for 5,000",  # has a number of its own
        "",
        "unk opens bridge",  # one new word of three
        "far lengthy headlines exceeding budgets badly",  # five new words of six, and too long
    ]
    sources = ["mayor opens bridge of steel", "sheep sold", "300 sheep sold", "nothing"]
    sources += ["mayor opens bridge", "far away"]
    found = qualities(outputs, sources, Budget(40))
    assert found.dangling == found.repeating == found.invented_numbers == 1 / 6
    assert found.unknown == found.empty == 1 / 6
    assert found.within_budget == 5 / 6
    assert found.budget_used == pytest.approx(found.length / 40)
    assert found.novel_words == 6 / 17


def test_numbers_are_the_same_with_and_without_commas():
    found = qualities(["5000 sheep", "5,000 sheep"], ["5,000 sheep", "5000 sheep"], Budget(50))
    assert found.invented_numbers == 0


def test_truncate_cuts_what_greedy_says_and_remembers_the_rest(ctc, data):
    outputs = systems.parse_system("truncate", _load(ctc)).run(data.sources, Budget(9))
    greedy = systems.parse_system("greedy", _load(ctc)).run(data.sources, Budget(10_000))
    for output, uncut in zip(outputs, greedy, strict=True):
        assert output.full == uncut.text
        assert output.text == output.full[:9].rstrip() != output.full


def test_decoding_options_reach_the_model(ctc, data):
    plain = {"method": "bucketed", "at_least": 0, "tidy": False}
    said = {}
    for spec, options in (
        ("bucketed", plain),
        ("bucketed:bucket=20", {**plain, "bucket": 20}),
        ("bucketed:at_least=12,bucket=1", {**plain, "at_least": 12, "bucket": 1}),
    ):
        found = systems.parse_system(spec, _load(ctc)).run(data.sources, Budget(12))
        said[spec] = tuple(output.text for output in found)
        expected = ctc.summarize(data.sources, 12, options=Options(**options))
        assert said[spec] == tuple(summary.text for summary in expected)
    assert len(set(said.values())) == 3


def test_where_nothing_fits_the_output_is_empty_and_the_others_stand(extractive):
    sources = ("hurricanes approach .", "two farmers .", "rain delays .", "bakery closes .")
    exact = systems.parse_system("exact", _load(extractive))
    assert [output.text for output in exact.run(sources, Budget(4))] == ["", "two", "rain", ""]


def test_an_option_that_cannot_be_had_is_no_empty_output(ctc, data):
    with pytest.raises(InvalidOption, match="more than the budget"):
        systems.parse_system("exact:at_least=40", _load(ctc)).run(data.sources, Budget(20))
    with pytest.raises(InvalidOption, match="required needs method"):
        systems.parse_system("bucketed:required=mayor", _load(ctc))


def test_every_method_is_a_system(ctc, linked, data):
    assert systems.system_names() == ("lead", "lead-cut", "default", *methods())
    for name in systems.system_names():
        able = ctc if name not in methods() or systems.runs_on(name, ctc) else linked
        found = systems.parse_system(name, _load(able)).run(data.sources, Budget(30))
        assert all(output.text and len(output.text) <= 30 for output in found)


def test_a_method_decodes_what_fits_too(ctc):
    short = ("Rain delays the village chess final",)
    [said] = systems.parse_system("greedy", _load(ctc)).run(short, Budget(200))
    [kept] = systems.parse_system("default", _load(ctc)).run(short, Budget(200))
    assert kept.text == short[0] != said.text


def test_output_files_are_read_named_and_cut(tmp_path, data, model):
    path = tmp_path / "other.txt"
    path.write_text("mayor opens bridge\n\nrain\nbakery\n", "utf-8")
    whole = systems.parse_system(f"file:{path}", _load(model))
    cut = systems.parse_system(f"cut:theirs={path}", _load(model))
    assert (whole.name, cut.name) == ("other", "theirs")
    assert whole.run(data.sources, Budget(8))[0].text == "mayor opens bridge"
    assert cut.run(data.sources, Budget(8))[0].text == "mayor op"
    with pytest.raises(InvalidInput, match="4 outputs but there are 1 sources"):
        whole.run(data.sources[:1], Budget(8))


@pytest.mark.parametrize(
    "spec",
    [
        "best",
        "exact:bucket",
        "exact:sentences=all",
        "exact:method=greedy",
        "exact:best=1",
        "lead:x=1",
        "",
    ],
)
def test_unknown_systems_are_refused(spec, model):
    with pytest.raises(InvalidInput):
        systems.parse_system(spec, _load(model))


def test_the_protocol_follows_the_data(data):
    assert EvaluationProtocol.of(data) == EvaluationProtocol(Budget(50), "f1", None)
    four = type(data)("duc", ("a",), (("b", "c"),))
    assert EvaluationProtocol.of(four) == EvaluationProtocol(Budget.of("75 bytes"), "recall", 75)


def test_rows_are_compared_with_the_chosen_one(ctc, data):
    chosen = [systems.parse_system(name, _load(ctc)) for name in ("lead", "exact")]
    protocol = EvaluationProtocol(Budget(50), time_on=2, repeats=1)
    lead, exact = report.evaluate_systems(chosen, data, protocol, against="exact")
    assert (exact.delta, exact.p_value) == (0.0, None)
    assert lead.delta == pytest.approx(lead.total - exact.total)
    assert lead.timing is None and exact.timing.sentences == 2
    assert lead.r1.low <= lead.r1.value <= lead.r1.high
    assert lead.mean.value == pytest.approx(lead.total / 3)


def test_a_model_reads_the_data_once_for_all_its_systems(ctc, data, sentences_read):
    chosen = [systems.parse_system(name, _load(ctc)) for name in ("truncate", "bucketed", "exact")]
    report.evaluate_systems(chosen, data, EvaluationProtocol.of(data))
    assert len(sentences_read) == len(data)


def test_a_source_with_nothing_to_read_is_named(ctc, data):
    holed = replace(data, sources=("", *data.sources[:2], " "))
    with pytest.raises(InvalidInput, match="source 1 is empty"):
        report.evaluate_systems(
            [systems.parse_system("exact", _load(ctc))],
            holed,
            EvaluationProtocol.of(holed),
        )


def test_comparing_with_a_row_that_is_not_there_is_refused(model, data):
    chosen = [systems.parse_system("lead", _load(model))]
    with pytest.raises(InvalidInput, match="rows: lead"):
        report.evaluate_systems(chosen, data, EvaluationProtocol.of(data), against="best")
    with pytest.raises(InvalidInput, match="share a name"):
        report.evaluate_systems(chosen * 2, data, EvaluationProtocol.of(data))


def test_tables_say_the_same_in_every_format(ctc, data, tmp_path):
    chosen = [systems.parse_system(name, _load(ctc)) for name in ("lead", "exact")]
    protocol = EvaluationProtocol(Budget(50), time_on=1, repeats=1)
    rows = report.evaluate_systems(chosen, data, protocol)
    tables.write(tmp_path, rows, "small", protocol, timing.machine())
    found = json.loads((tmp_path / "evaluation.json").read_text("utf-8"))
    flat = list(csv.DictReader(io.StringIO((tmp_path / "evaluation.csv").read_text("utf-8"))))
    text = (tmp_path / "evaluation.md").read_text("utf-8")
    for row, record, line in zip(rows, found["rows"], flat, strict=True):
        assert record["r1"] == row.r1.value == float(line["r1"])
        assert f"| {row.name} | {row.qualities.length:.2f} | {row.r1.value:.2f} ±" in text
    assert found["machine"]["cpu"] and "PPL" not in text  # nobody has a perplexity here


def test_timing_warms_up_then_repeats(ctc, data, sentences_read):
    system = systems.parse_system("exact", _load(ctc))
    [found] = timing.time_decodings([system], data.sources, Budget(50), repeats=3)
    assert len(sentences_read) == 4 * (2 + 2 * 3)  # warm-up twice; three repeats of each kind
    assert 0 < found.single.fastest <= found.single.median <= found.single.slowest


def test_what_is_timed_takes_turns():
    calls = []
    timing.time_calls([lambda: calls.append("a"), lambda: calls.append("b")], 1, repeats=3)
    assert calls == ["a", "b"] * 3
