"""`nacc check` on the strings of an app: most that are a little too long get a proposal, and every
proposal keeps what a program fills in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nacc.text.placeholders import placeholders

FOLDER = Path(__file__).parent / "interface"


@pytest.fixture(scope="module")
def strings():
    return {}


@pytest.fixture
def found(nacc, strings, monkeypatch):
    """What is told of each string, by its path."""
    if not strings:
        monkeypatch.chdir(FOLDER)
        told = map(json.loads, nacc(["check", "--json"]).lines)
        strings.update({each["path"]: each for each in told})
    return strings


def test_most_strings_that_are_a_little_too_long_get_a_proposal(found):
    assert len(found) == 30
    without = [path for path, each in found.items() if not each["proposal"] or each["problem"]]
    assert len(without) <= 2, without


def test_every_proposal_fits_and_keeps_all_placeholders_in_order(found):
    for each in found.values():
        if each["proposal"] is not None:
            assert placeholders(each["proposal"]) == placeholders(each["text"])
            assert each["proposal_length"] == len(each["proposal"]) <= each["budget"]


@pytest.mark.parametrize(
    ("path", "proposal"),
    [
        ("dialog.delete", "Do you really want to remove {folder} from this device?"),
        ("hint.docs", 'Click <a href="{url}">here</a> to read how we store your data'),
        ("en.email.renewed", "Your subscription to %{product} has been renewed until %{date}"),
        ("push.parcel", "Hi {name}! Your parcel with {number} items will be delivered on {date}"),
        ("owner", "%(user)s's document moved to the archive"),
    ],
)
def test_what_is_proposed(found, path, proposal):
    assert found[path]["proposal"] == proposal


def test_sentences_that_are_left_out_are_told_and_warnings_called_so(found):
    assert found["dialog.delete"]["note"] == (
        "it leaves out a warning, “This cannot be undone and every photo in it will be lost.”"
    )
    assert found["save"]["note"] == (
        "it leaves out a warning, “or all of your changes will be lost.”"
    )
    assert found["en.error.payment"]["note"] == "it leaves out “Please try another card.”"
    assert found["push.invited"]["note"] is None


def test_a_proposal_of_several_lines_is_shown_in_one(nacc, stub, tmp_path):
    file = tmp_path / "a.yaml"
    file.write_text("a: |\n  A text of\n  several lines\n")
    stub.say = lambda text, budget: "Two\nlines"
    told = nacc(["check", file, "--max", "12"]).lines
    assert told[1:] == ["    → Two lines (10)"]


@pytest.mark.parametrize(
    ("options", "text", "proposal"),
    [
        (["--forbid", "close"], "Please close {app} now. Your work in it is saved.", None),
        ([], "Please close {app} now. Your work in it is saved.", "Please close {app} now."),
        ([], "Hi {name}! Your work was saved just a minute ago.", None),
        ([], "Your work was saved. Restart {app} now.", "Restart {app} now."),
    ],
)
def test_whole_sentences_are_as_asked_for_and_fill_the_budget(
    nacc, stub, tmp_path, options, text, proposal
):
    file = tmp_path / "a.txt"
    file.write_text(text)
    stub.say = lambda text, budget: ""
    done = nacc(["check", file, "--max", "28", "--json", *options])
    assert json.loads(done.text)["proposal"] == proposal


def test_a_proposal_says_more_than_what_a_program_fills_in(nacc, stub, tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("On {day} we are going to have a party for all")
    stub.say = lambda text, budget: "On Robert"
    told = nacc(["check", file, "--max", "20"]).text
    assert "no proposal: nothing else fits beside {day}" in told


TEAM = "{name} has asked the whole team to come to the meeting that begins at noon on Monday."


def test_at_least_so_long_counts_what_stays(nacc, tmp_path):
    file = tmp_path / "a.txt"
    file.write_text(f"<b>{TEAM.replace('name', 'the_name_of_a_user')}</b>")
    asked = ["check", file, "--max", "80", "--json"]
    assert 75 <= json.loads(nacc([*asked, "--at-least", "75"]).text)["proposal_length"] <= 80


def test_a_method_that_cannot_be_told_what_to_say_may_still_trim(nacc, ctc_folder, tmp_path):
    file = tmp_path / "a.txt"
    file.write_text(TEAM)
    asked = ["check", file, "--json", "--model", ctc_folder, "--method", "greedy", "--max"]
    assert json.loads(nacc([*asked, str(len(TEAM) - 1)]).text)["proposal"] == TEAM[:-1]


def test_what_must_stay_and_is_forbidden_is_told(nacc, tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("Click <b>here</b> to see all that has happened since you were gone")
    done = nacc(["check", file, "--max", "30", "--forbid", "here"])
    assert done.code == 1
    assert "no proposal: required word 'here' is also forbidden" in done.text
