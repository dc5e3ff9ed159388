"""The contrast set: rules that catch what is false and nothing else, on sound material."""

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from nacc.apps.cli.contrast import contrast as command
from nacc.errors import InvalidInput
from nacc.evaluation import contrast
from nacc.evaluation.contrast import Case, Rule

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
CASES = contrast.read_cases(BENCHMARKS / "contrast.tsv")
HELD_OUT = contrast.read_cases(BENCHMARKS / "contrast-heldout.tsv")
FRESH = contrast.read_cases(BENCHMARKS / "contrast-fresh.tsv")
_LINES = (BENCHMARKS / "sources.txt").read_text("utf-8").splitlines()
SOURCES = [line.split("\t") for line in _LINES]


@pytest.mark.parametrize(
    ("rule", "headline", "kept"),
    [
        ("never Ortiz beats?", "Ortiz beats Novotna", False),
        ("never Ortiz beats?", "ORTIZ BEAT NOVOTNA", False),
        ("never Ortiz beats?", "Ortiz beaten by Novotna", True),
        ("never Ortiz beats?", "Cortiz beats Novotna", True),
        ("resigns? needs <not>", "Minister resigns", False),
        ("resigns? needs <not>", "Minister won't resign", True),
        ("resigns? needs <not>", "Minister will not resign", True),
        ("resigns? needs <not>", "Minister stays", True),
        ("ban(?:s|ned)? needs <ask>", "Government bans boilers", False),
        ("ban(?:s|ned)? needs <ask>", "Will government ban boilers?", True),
        ("ban(?:s|ned)? needs <ask>", "Will government ban boilers", True),
        ("ban(?:s|ned)? needs <ask>", "Boilers that will be banned", False),
        ("never <ask>", "Government bans boilers?", False),
        ("never <ask>", "How government bans boilers", True),
        ("sold needs <may>", "Mayhem as shop sold", False),
    ],
)
def test_rules_are_about_whole_words_in_any_case(rule, headline, kept):
    assert Rule.of(rule).kept_by(headline) == kept
    assert str(Rule.of(rule)) == rule


@pytest.mark.parametrize(
    "rule", ["resigns", "never ", "never (", "a needs", "needs b", "a needs <hope>", ""]
)
def test_what_is_no_rule_is_refused(rule):
    with pytest.raises(InvalidInput):
        Rule.of(rule)


def test_a_typographic_apostrophe_is_an_apostrophe():
    case = Case("negation", "1", "negated", "text", (Rule.of("resigns? needs <not>"),))
    assert case.broken_by("He won’t resign") is None


def test_shares_are_counted_by_phenomenon_and_silence_keeps_nothing():
    never = (Rule.of("never no"),)
    cases = [Case("one", "1", "a", "t", never), Case("one", "2", "a", "t", never)]
    cases.append(Case("two", "3", "a", "t", never))
    said = {("mine", "30 characters"): ["yes", "no", " "]}
    one, two, everything = contrast.judge(cases, said)
    assert (one.share, two.share) == (0.5, 0) and everything.share == pytest.approx(1 / 3)
    assert [failure.rule for failure in everything.failures] == ["never no", "says nothing"]
    assert contrast.cells([one, two, everything]) == [
        ["System", "Budget", "one (2)", "two (1)", "all (3)"],
        ["mine", "30 characters", "50.0%", "0.0%", "33.3%"],
    ]
    assert "one: 1 of 2** (1 a)\n\n- no ← t" in contrast.markdown([one])
    assert "(nothing)" in contrast.markdown([two])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("p\t1\ta\ttext\tnever (\t", "line 2: '\\('"),
        ("p\t1\ta\ttext\tnever x", "line 2: 6 columns"),
        ("p\t1\ta\t\tnever x\t", "line 2: 6 columns"),
    ],
)
def test_a_bad_case_is_named_with_its_line(tmp_path, line, told):
    path = tmp_path / "cases.tsv"
    path.write_text("\t".join(contrast.COLUMNS) + f"\n{line}\n", "utf-8")
    with pytest.raises(InvalidInput, match=told):
        contrast.read_cases(path)
    path.write_text("text\n", "utf-8")
    with pytest.raises(InvalidInput, match="line 1: the columns must be"):
        contrast.read_cases(path)


def test_the_set_is_large_varied_and_in_pairs():
    assert len(CASES) >= 400 and len({case.text for case in CASES}) == len(CASES)
    assert min(len(case.text) for case in CASES) > 90
    assert set(Counter(case.pair for case in CASES).values()) == {2}
    rules = defaultdict(set)
    for case in CASES:
        if case.wrong and case.side != "active":
            rules[case.phenomenon].add(str(case.rules[0]).rpartition("(?:")[2])
    assert len(rules) == 6 and all(len(found) >= 12 for found in rules.values())


def test_the_held_out_set_is_another_in_the_same_pairs():
    assert len(HELD_OUT) >= 150 and len({case.text for case in HELD_OUT}) == len(HELD_OUT)
    assert {case.text for case in HELD_OUT}.isdisjoint(case.text for case in CASES)
    assert {case.phenomenon for case in HELD_OUT} == {case.phenomenon for case in CASES}
    assert set(Counter(case.pair for case in HELD_OUT).values()) == {2}


def test_the_fresh_set_is_another_once_more_and_has_numbers_too():
    assert len(FRESH) >= 120 and len({case.text for case in FRESH}) == len(FRESH)
    assert {case.text for case in FRESH}.isdisjoint(case.text for case in (*CASES, *HELD_OUT))
    known = {case.phenomenon for case in CASES}
    assert {case.phenomenon for case in FRESH} == known | {"number"}
    assert set(Counter(case.pair for case in FRESH).values()) == {2}


@pytest.mark.parametrize("cases", [CASES, HELD_OUT, FRESH], ids=["contrast", "held out", "fresh"])
def test_every_sentence_keeps_its_own_rules_and_its_false_headline_breaks_them(cases):
    assert not [case.text for case in cases if case.broken_by(case.text)]
    assert not [case.wrong for case in cases if case.wrong and not case.broken_by(case.wrong)]
    assert sum(bool(case.wrong) for case in cases) >= len(cases) / 2


def test_either_sentence_of_a_pair_breaks_the_rules_of_the_other():
    """But for active and passive, which say the same."""
    pairs = defaultdict(list)
    for case in CASES:
        if case.phenomenon != "voice":
            pairs[case.pair].append(case)
    assert len(pairs) > 150
    for plain, marked in pairs.values():
        assert plain.broken_by(marked.text) and marked.broken_by(plain.text), plain.pair
        assert not plain.broken_by(marked.wrong), plain.pair  # which is true of the plain one


def test_a_hundred_sources_of_many_kinds():
    news = (BENCHMARKS / "news.txt").read_text("utf-8").splitlines()
    assert ["\t".join(each) for each in SOURCES[:60]] == news
    kinds = Counter(kind for kind, _ in SOURCES[60:])
    assert len(SOURCES) == 100 and len(kinds) == 10 and set(kinds.values()) == {4}
    assert len({text for _, text in SOURCES}) == 100
    assert all(len(text) > 90 and 15 <= len(text.split()) <= 45 for _, text in SOURCES)


def test_the_command_runs_any_system_and_writes_its_table(tmp_path):
    cases = tmp_path / "cases.tsv"
    lines = (BENCHMARKS / "contrast.tsv").read_text("utf-8").splitlines(keepends=True)
    cases.write_text("".join(lines[:5]), "utf-8")
    theirs = tmp_path / "theirs.txt"
    theirs.write_text("\n".join(lines[n].split("\t")[3] for n in (1, 1, 3, 3)), "utf-8")
    app = typer.Typer()
    app.command()(command)
    asked = [str(cases), "--system", "default", "--system", f"theirs={theirs}", "--budget", "50"]
    done = CliRunner().invoke(app, [*asked, "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert "| theirs | 50 characters | 50.0% | 50.0% |" in done.output
    rows = json.loads((tmp_path / "out/contrast.json").read_text("utf-8"))["rows"]
    assert [row["system"] for row in rows] == ["default", "default", "theirs", "theirs"]
    assert [f["side"] for f in rows[2]["failures"]] == ["negated", "negated"]
    assert (tmp_path / "out/contrast.md").is_file()
