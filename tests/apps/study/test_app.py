"""The service of a study: judges over HTTP, refusals, what is kept when it is killed."""

from __future__ import annotations

import threading

import httpx
import pytest
from starlette.testclient import TestClient

from nacc.apps.cli import main
from nacc.apps.study.app import LARGEST_BODY, build
from nacc.evaluation.study import CRITERIA, Study
from nacc.evaluation.study_results import StudyResults

from .judges import SimulatedJudge, new_study


def asked(client, what: str, **body):
    response = client.post(f"/api/{what}", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def judge_all(client, name: str, judge: SimulatedJudge) -> int:
    token = asked(client, "enrol", name=name)["judge"]
    turns = 0
    while not (turn := asked(client, "turn", judge=token)).get("done"):
        turns += 1
        for criterion in CRITERIA:
            choice = judge.says(turn["source"], turn["a"], turn["b"], criterion)
            place = turn["place"]
            asked(client, "answer", judge=token, place=place, criterion=criterion, choice=choice)
    return turns


@pytest.fixture
def study(tmp_path):
    return new_study(tmp_path / "study.db", 40)


@pytest.fixture
def client(study):
    return TestClient(build(study))


def test_two_judges_at_a_time_and_their_preferences_come_out(study, client):
    judges = {
        "Ada": SimulatedJudge(1, overall=0.85, fluency=0.95, faithfulness=0.5),
        "Ben": SimulatedJudge(2, overall=0.85, fluency=0.95, faithfulness=0.5),
    }
    threads = [
        threading.Thread(target=judge_all, args=(client, name, judge))
        for name, judge in judges.items()
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    results = StudyResults(study.answers())
    [(systems, found)] = results.comparisons().items()
    assert systems[:2] == ("whole", "broken")
    by_vote = {each.tally.criterion: each for each in found if each.tally.unit == "vote"}
    assert {name: each.tally.wins + each.tally.losses for name, each in by_vote.items()} == (
        dict.fromkeys(CRITERIA, 80)
    )
    assert 0.75 < by_vote["overall"].share < 0.95
    assert by_vote["overall"].tally.p_value < 1e-4
    assert by_vote["fluency"].share > 0.88
    assert by_vote["faithfulness"].tally.p_value > 0.01
    assert all(judge.checks == 1.0 for judge in results.judges)


def test_nothing_served_tells_whose_or_what_is_a_check(client):
    token = asked(client, "enrol", name="Ada")["judge"]
    turn = asked(client, "turn", judge=token)
    assert set(turn) == {"place", "of", "source", "a", "b", "answers"}
    served = [client.get(path).text for path in ("/", "/study.js", "/style.css")]
    assert not any("broken" in text for text in served)


@pytest.mark.parametrize(
    ("what", "body", "why"),
    [
        ("enrol", {}, "name"),
        ("enrol", {"name": 7}, "name"),
        ("turn", {"judge": "nobody"}, "nobody"),
        ("turn", {"judge": ["x"]}, "judge"),
        ("answer", {"judge": "x", "place": True, "criterion": "overall", "choice": "A"}, "place"),
        ("answer", {"judge": "x", "place": 10**30, "criterion": "overall", "choice": "A"}, "place"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_reason(client, what, body, why):
    response = client.post(f"/api/{what}", json=body)
    assert response.status_code == 422
    assert why in response.json()["error"]


@pytest.mark.parametrize("body", [b"{", b"[]", b"\xff\xfe", b" " * (LARGEST_BODY + 1), b"[" * 4000])
def test_bodies_that_are_none(client, body):
    assert client.post("/api/turn", content=body).status_code == 422


def test_every_answer_has_the_policy_of_the_service(client):
    for response in (client.get("/"), client.post("/api/about"), client.post("/api/turn")):
        assert "script-src 'self'" in response.headers["content-security-policy"]
        assert response.headers["cache-control"] == "no-store"


def test_who_does_not_know_the_word_does_not_begin(study):
    client = TestClient(build(study, "tulip"))
    assert asked(client, "about")["invitation"] is True
    for body in ({"name": "Ada"}, {"name": "Ada", "invitation": "rose"}):
        assert client.post("/api/enrol", json=body).status_code == 422
    assert asked(client, "enrol", name="Ada", invitation="tulip")["judge"]


def test_what_was_confirmed_is_there_after_a_kill(tmp_path, serve):
    file = tmp_path / "study.db"
    new_study(file, 5).close()
    server = serve(file)
    with httpx.Client(base_url=server.url) as client:
        token = asked(client, "enrol", name="Ada")["judge"]
        place = asked(client, "turn", judge=token)["place"]
        asked(client, "answer", judge=token, place=place, criterion="overall", choice="B")
    server.kill()
    assert Study(file).turn(token).answers == {"overall": "B"}
    with httpx.Client(base_url=serve(file).url) as client:
        assert asked(client, "turn", judge=token)["answers"] == {"overall": "B"}


def run(capsys, *arguments: str) -> str:
    with pytest.raises(SystemExit) as left:
        main(["study", *arguments])
    captured = capsys.readouterr()
    assert left.value.code == 0, captured.err
    return captured.out


def test_results_and_export_by_command(tmp_path, capsys, study, client):
    turns = judge_all(client, "Ada", SimulatedJudge(1, overall=1, fluency=1, faithfulness=1))
    shown = run(capsys, str(study.path), "--results", "--export", str(tmp_path / "answers.csv"))
    assert "whole against broken" in shown
    assert "| overall | vote | 40 | 0 | 0 | 100% |" in shown
    rows = (tmp_path / "answers.csv").read_text().splitlines()
    assert len(rows) == 1 + 3 * turns
    assert '"wins": 40' in run(capsys, str(study.path), "--results", "--json")


def test_how_many_judgements_a_study_needs(capsys):
    assert "| 80% | 20 |" in run(capsys)


def test_a_study_from_systems(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("nacc.apps.study.app.run", lambda *_: None)
    sources = tmp_path / "sources.txt"
    words = "The council of the town has approved a plan for the new houses"
    sources.write_text("".join(f"{words} number {i} .\n" for i in range(8)))
    (tmp_path / "mine.txt").write_text("".join(f"Plan {i} approved\n" for i in range(8)))
    file = tmp_path / "study.db"
    shown = run(
        capsys, str(file), "--sources", str(sources), "--system", "lead",
        "--system", f"mine={tmp_path / 'mine.txt'}", "--count", "6", "--check-every", "0",
    )  # fmt: skip
    assert shown.startswith("6 pairs; 0 more")
    study = Study(file)
    assert study.turns(study.enrol("Ada")) == 6
