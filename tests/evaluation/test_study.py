"""A study: what is asked of whom, what is kept, and what comes out of it."""

from __future__ import annotations

import csv
import io
import random
import sqlite3
import threading
from collections import Counter

import pytest

from nacc.errors import InvalidInput
from nacc.evaluation import grades, human, sheets
from nacc.evaluation.study import CRITERIA, Pair, Study
from nacc.evaluation.study_pairs import (
    pairs_of_outputs,
    pairs_of_sheet,
    with_checks,
    without_twins,
)
from nacc.evaluation.study_results import StudyResults, answer_records, planning_cells
from nacc.evaluation.tables import as_csv


def some_pairs(count: int = 30) -> list[Pair]:
    return [
        Pair(f"source {i}", f"good one of number {i}", f"bad two of number {i}", ("ours", "theirs"))
        for i in range(count)
    ]


@pytest.fixture
def study(tmp_path):
    return Study.make(tmp_path / "study.db", with_checks(some_pairs(), 10))


def say(study: Study, judge: str, choose) -> int:
    """Answer all that the judge is asked by `choose(turn, criterion)`; how many turns it took."""
    turns = 0
    while turn := study.turn(judge):
        turns += 1
        for criterion in CRITERIA:
            study.answer(judge, turn.place, criterion, choose(turn, criterion))
    return turns


def attentive(liking: float, seed: int):
    """A judge who likes the first system's headlines with that probability and passes checks; in
    whatever order they come, always the same ones."""

    def choose(turn, criterion):
        texts = {"A": turn.a, "B": turn.b}
        number = turn.source.split()[-1]
        right = [side for side, text in texts.items() if text.endswith(f"of number {number}")]
        if len(right) == 1:  # the other is a check's
            return right[0]
        [ours] = [side for side, text in texts.items() if text.startswith("good")]
        drawn = random.Random(f"{seed} {number} {criterion}").random()
        return ours if drawn < liking else "B" if ours == "A" else "A"

    return choose


def test_known_preferences_come_out(tmp_path):
    study = Study.make(tmp_path / "study.db", with_checks(some_pairs(100), 10))
    for seed, name in enumerate(("Ada", "Ben", "Cleo")):
        say(study, study.enrol(name), attentive(0.8, seed))
    results = StudyResults(study.answers())
    [found] = results.comparisons().values()
    by_vote = {each.tally.criterion: each for each in found if each.tally.unit == "vote"}
    assert set(by_vote) == set(CRITERIA)
    for each in by_vote.values():
        assert each.tally.wins + each.tally.losses == 300
        assert 0.73 < each.share < 0.87
        assert each.tally.p_value < 1e-6
        assert abs(each.agreement) < 0.15, "they share a liking, and agree on no pair but by chance"
        assert each.power > 0.99
    assert all(judge.checks == 1.0 and not judge.left_out for judge in results.judges)


def test_judges_who_see_the_same_agree(tmp_path):
    study = Study.make(tmp_path / "study.db", some_pairs(40))
    for name in ("Ada", "Ben"):
        say(study, study.enrol(name), lambda turn, _: _even_ours(turn))
    [found] = StudyResults(study.answers()).comparisons().values()
    assert found[0].agreement == 1.0
    assert found[0].tally.wins == found[0].tally.losses == 40


def _even_ours(turn) -> str:
    even = int(turn.source.split()[-1]) % 2 == 0
    return "A" if turn.a.startswith("good") == even else "B"


def test_no_preference_is_found_where_there_is_none(tmp_path):
    study = Study.make(tmp_path / "study.db", with_checks(some_pairs(100), 10))
    say(study, study.enrol("Ada"), attentive(0.5, 3))
    [found] = StudyResults(study.answers()).comparisons().values()
    assert all(each.tally.p_value > 0.05 for each in found)


def test_a_judge_who_does_not_look_is_left_out(study):
    say(study, study.enrol("Ada"), attentive(1.0, 0))
    awake = attentive(1.0, 0)

    def asleep(turn, criterion):  # right in half of what is known, in whatever order it comes
        right = awake(turn, criterion)
        return right if criterion != "overall" else "B" if right == "A" else "A"

    say(study, study.enrol("Asleep"), asleep)
    results = StudyResults(study.answers())
    assert [judge.name for judge in results.judges if judge.left_out] == ["Asleep"]
    [found] = results.comparisons().values()
    assert found[0].tally.wins == 30
    assert found[0].tally.losses == 0


def test_every_judge_has_her_own_order_and_sides(study):
    seen = []
    for name in ("Ada", "Ben"):
        judge, mine = study.enrol(name), []
        while turn := study.turn(judge):
            mine.append((turn.source, turn.a))
            for criterion in CRITERIA:
                study.answer(judge, turn.place, criterion, "tie")
        seen.append(mine)
    assert seen[0] != seen[1]
    first = sum(a.startswith("good") for _, a in seen[0])
    assert 8 <= first <= 26, "which stands first is by lot"


def test_one_turn_in_ten_is_a_check_and_nothing_tells_which(study):
    judge = study.enrol("Ada")
    turns = say(study, judge, lambda turn, criterion: "A")
    checks = {a.number for a in study.answers() if a.pair.checks}
    assert turns == 30 + len(checks) == study.turns(judge)
    assert len(checks) in (3, 4)
    assert set(vars(study.turn(judge, 0))) == {"place", "source", "a", "b", "answers"}


def test_a_reload_loses_nothing_and_an_answer_can_be_changed(study):
    judge = study.enrol("Ada")
    first = study.turn(judge)
    study.answer(judge, first.place, "overall", "A")
    again = Study(study.path).turn(judge)
    assert (again.place, again.source, again.a, again.b) == (0, first.source, first.a, first.b)
    assert again.answers == {"overall": "A"}
    study.answer(judge, 0, "overall", "tie")
    assert study.turn(judge).answers == {"overall": "tie"}
    assert len(study.answers()) == 1


def test_pairs_are_shared_out_evenly(tmp_path):
    study = Study.make(tmp_path / "study.db", with_checks(some_pairs(30), 0), each=10)
    for name in ("Ada", "Ben", "Cleo"):
        assert say(study, study.enrol(name), lambda turn, criterion: "tie") == 10
    asked = Counter(a.number for a in study.answers() if a.criterion == "overall")
    assert set(asked.values()) == {1}
    assert len(asked) == 30


def test_two_judges_at_a_time(tmp_path):
    """Each with a connection of its own, as two processes would have."""
    path = tmp_path / "study.db"
    study = Study.make(path, with_checks(some_pairs(20), 10), each=10)
    judges = [study.enrol(name) for name in ("Ada", "Ben")]
    failed = []

    def work(judge):
        try:
            say(Study(path), judge, lambda turn, criterion: "A")
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(judge,)) for judge in judges]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failed
    overall = [a for a in study.answers() if a.criterion == "overall" and not a.pair.checks]
    assert len({a.number for a in overall}) == len(overall) == 20


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (lambda study: study.enrol("  "), "name"),
        (lambda study: study.enrol("x" * 61), "name"),
        (lambda study: study.enrol(" Ada "), "taken"),
        (lambda study: study.turn("nobody"), "nobody"),
        (lambda study: study.answer("nobody", 0, "overall", "A"), "nobody"),
    ],
)
def test_what_is_refused(study, act, why):
    study.enrol("Ada")
    with pytest.raises(InvalidInput, match=why):
        act(study)


def test_answers_out_of_turn_are_refused(study):
    judge = study.enrol("Ada")
    study.turn(judge)
    for place, criterion, choice in ((1, "overall", "A"), (0, "beauty", "A"), (0, "overall", "C")):
        with pytest.raises(InvalidInput):
            study.answer(judge, place, criterion, choice)
    with pytest.raises(InvalidInput, match="turn 7"):
        study.turn(judge, 7)
    assert not study.answers()


def test_files_that_are_no_study(tmp_path):
    with pytest.raises(InvalidInput, match="no such study"):
        Study(tmp_path / "none.db")
    other = tmp_path / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE x (y)").connection.commit()
    with pytest.raises(InvalidInput, match="not a study"):
        Study(other)
    text = tmp_path / "text.db"
    text.write_text("no database " * 100)
    with pytest.raises(InvalidInput, match="not a study"):
        Study(text)
    with pytest.raises(InvalidInput, match="there already"):
        Study.make(text, some_pairs())
    with pytest.raises(InvalidInput, match="say the same"):
        Study.make(tmp_path / "new.db", [])


def test_pairs_of_a_voting_sheet(tmp_path):
    rows = human.blind_rows(["s1", "s2", "s3"], ["a1", "a2", "a3"], ["b1", "b2", "b3"], 3)
    sheets.write(tmp_path / "votes.tsv", human.FORM, rows)
    pairs = pairs_of_sheet(tmp_path / "votes.tsv", ("ours", "theirs"))
    assert [(p.source, p.one, p.other) for p in pairs] == [
        ("s1", "a1", "b1"), ("s2", "a2", "b2"), ("s3", "a3", "b3"),
    ]  # fmt: skip
    assert {p.systems for p in pairs} == {("ours", "theirs")}


def test_pairs_of_a_sheet_to_grade(tmp_path):
    said = {
        ("x", "50 characters"): ["x1", "same"],
        ("y", "50 characters"): ["y1", "same"],
        ("x", "30 characters"): ["x3", "x4"],
    }
    sheets.write(tmp_path / "s.tsv", grades.FORM, grades.blind_rows(["s1", "s2"], said))
    pairs = pairs_of_sheet(tmp_path / "s.tsv")
    assert {(p.source, frozenset((p.one, p.other))) for p in pairs} == {
        ("s1", frozenset(("x1", "y1"))), ("s2", frozenset(("same",))),
    }  # fmt: skip
    [left] = without_twins(pairs)
    assert dict(zip(left.systems, (left.one, left.other), strict=True)) == {"x": "x1", "y": "y1"}


def test_a_changed_sheet_is_refused(tmp_path):
    rows = human.blind_rows(["s1"], ["a1"], ["b1"], 1)
    sheets.write(tmp_path / "votes.tsv", human.FORM, rows)
    path = tmp_path / "votes.tsv"
    path.write_text(path.read_text().replace("a1", "a9"))
    with pytest.raises(InvalidInput, match="does not read"):
        pairs_of_sheet(path)


def test_pairs_of_outputs():
    said = {("x", "50"): ["x1", "x2", ""], ("y", "50"): ["y1", "y2", "y3"]}
    pairs = pairs_of_outputs(["s1", "s2", "s3"], said, 3)
    assert [p.one for p in pairs] == ["x1", "x2", grades.NOTHING]
    assert len(pairs_of_outputs(["s1", "s2", "s3"], said, 2)) == 2
    with pytest.raises(InvalidInput, match="no two systems"):
        pairs_of_outputs(["s1"], {("x", "50"): ["x1"]}, 1)


def test_answers_as_csv(study):
    judge = study.enrol("Ada, the first")
    turn = study.turn(judge)
    study.answer(judge, turn.place, "fluency", "B")
    [row] = csv.DictReader(io.StringIO(as_csv(answer_records(study.answers()))))
    assert row["judge"] == "Ada, the first"
    assert row["criterion"] == "fluency"
    assert {row["first"], row["second"]} == {turn.a, turn.b}
    assert row[row["preferred"]] == turn.b


def test_the_report_names_systems_and_judges(study):
    say(study, study.enrol("Ada"), attentive(1.0, 0))
    results = StudyResults(study.answers())
    text = results.markdown()
    assert "ours against theirs" in text
    assert "| Ada |" in text
    record = results.record()
    assert record["comparisons"][0]["wins"] == 30
    assert record["comparisons"][0]["agreement"] is None


def test_what_a_study_needs():
    header, *rows = planning_cells()
    assert dict(row[:2] for row in rows)["80%"] == "20"
    assert len(header) == 3
