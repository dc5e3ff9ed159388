"""Options on the command line are those of Python: a flag for each, None what the model says."""

from __future__ import annotations

import json
import re
from dataclasses import fields

import pytest

from nacc.errors import InvalidInput
from nacc.options import Options
from nacc.runtime.folder import PACKAGED
from nacc.summarizer import Summarizer

from .process import finish, start
from .texts import COUNCIL, RAIL


@pytest.fixture
def folder(tmp_path):
    """Makes a model folder as the packaged one, but for what it says of generation."""

    def make(of=PACKAGED / "default", **generation):
        for path in of.iterdir():
            if path.name != "config.json":
                (tmp_path / path.name).symlink_to(path)
        config = json.loads((of / "config.json").read_text())
        config["generation"] = {**config["generation"], **generation}
        (tmp_path / "config.json").write_text(json.dumps(config))
        return tmp_path

    return make


@pytest.fixture
def unloaded(nacc, monkeypatch):
    """`nacc`, where no model can be loaded."""

    def refuse(path=None):
        raise AssertionError("the model was loaded")

    monkeypatch.setattr("nacc.summarizer.Summarizer.load", refuse)
    return nacc


def run(*arguments, stdin=b""):
    done = finish(start(arguments), stdin)
    assert (done.code, done.err) == (0, "")
    return done


@pytest.mark.parametrize("command", ["fit", "check", "explain"])
def test_every_option_is_a_flag(nacc, command):
    shown = nacc([command, "--help"]).text
    flags = ["--" + each.name.replace("_", "-") for each in fields(Options)]
    if command == "check":  # which proposes one
        flags.remove("--alternatives")
    assert [flag for flag in flags if not re.search(rf"{flag}\b", shown)] == []


def test_what_the_folder_says_holds_unless_a_flag_says_otherwise(folder, ctc_folder):
    title = folder(ctc_folder, case="title", method="exact")
    asked = ["fit", COUNCIL, "--model", title, "--max", "40"]
    (found,) = map(json.loads, run(*asked, "--json").lines)
    assert found["text"] == Summarizer.load(title).summarize(COUNCIL, 40).text
    long_words = [word for word in found["text"].split() if len(word) > 3]
    assert long_words and all(word[0].isupper() for word in long_words)
    assert found["method"] == "exact"
    (found,) = map(json.loads, run(*asked, "--json", "--case", "lower", "-m", "40").lines[:1])
    assert found["text"].islower()


def test_faithful_may_be_the_folders_wish_and_refused_by_a_flag(folder, model):
    source = {word.strip(",.").lower() for word in RAIL.split()}
    new = [word for word in model.summarize(RAIL, 50).text.lower().split() if word not in source]
    assert "eu" in new
    asked = ["fit", RAIL, "--model", folder(faithful=True)]
    assert "eu" not in run(*asked).text.lower().split()
    assert run(*asked, "--no-faithful").text == model.summarize(RAIL, 50).text + "\n"


def test_a_table_has_a_column_for_each_summary_that_the_folder_asks_for(folder):
    document = f'text\n"{RAIL}"\n'.encode()
    shown = run("fit", "--format", "csv", "--model", folder(alternatives=2), stdin=document)
    header, row = shown.lines
    assert header == "text,summary_1,summary_2"
    assert len(set(row.rsplit(",", 2))) == 3


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (["--require", "flights"], ["--required", "flights"]),
        (["--forbid", "EU"], ["--forbidden", "EU"]),
        (["-n", "2"], ["--alternatives", "2"]),
        (["--all"], ["--sentences", "all"]),
        (["--fill", "0.5"], ["--fill", "50%"]),
        (["--fill", "100%"], ["--fill", "1"]),
    ],
)
def test_ways_to_spell_an_option(nacc, a, b):
    text = f"{RAIL} {COUNCIL}"
    first, second = (nacc(["fit", text, "--max", "60", *each]) for each in (a, b))
    assert (first.code, first.out) == (0, second.out)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--method", "best"], "--method: unknown method 'best'; known: "),
        (["--case", "upper"], "--case: unknown case 'upper'; known: "),
        (["--alternatives", "0"], "--alternatives = 0 must be a whole number between 1 and 100"),
        (["-n", "101"], "--alternatives = 101 must be a whole number between 1 and 100"),
        (["-n", "2", "--method", "greedy"], "--alternatives needs method exact or coherent"),
        (["--at-least", "60"], "--at-least = 60 is more than the budget of 50 characters"),
        (["--at-least", "nan"], "--at-least = nan must be a number of at least 0"),
        (["--coherence", "11"], "--coherence = 11.0 must be a number between 0 and 10"),
        (["--fill", "-10%"], "--fill = -0.1 must be a number between 0 and 1"),
        (["--fill", "45"], "an amount in the budget's unit: --at-least"),
        (["--min-confidence", "70"], "--min-confidence = 70.0 must be a number between 0 and 1"),
        (["--required", "a", "--forbidden", "A"], "--required word 'a' is also forbidden"),
        (["--require", "a"] * 4, "--required: 4 required words; at most 3"),
        (["--all", "--sentences", "first"], "--all is --sentences all, not first"),
        (["--model", "nowhere"], "there is no model folder at nowhere"),
    ],
)
def test_what_no_text_could_have_is_refused_before_the_model_is_loaded(unloaded, options, told):
    done = unloaded(["fit", RAIL, *options])
    assert (done.code, done.out) == (2, b"")
    assert done.err.startswith("nacc: ") and told in done.err
    assert done.err.count("\n") == 1


def test_explain_and_check_refuse_the_same(unloaded, tmp_path):
    file = tmp_path / "titles.txt"
    file.write_text(COUNCIL)
    for asked in (["explain", COUNCIL], ["check", file, "--max", "30"]):
        done = unloaded([*asked, "--adjacency", "-1"])
        assert (done.code, "--adjacency = -1.0 must be" in done.err) == (2, True)


@pytest.mark.parametrize("flag", ["--max", "--for"])
def test_explain_and_check_take_one_budget(nacc, unloaded, tmp_path, flag):
    file, ways = tmp_path / "titles.txt", ["push", "push-title"]
    file.write_text(COUNCIL)
    for asked in (["explain", COUNCIL], ["check", file]):
        done = unloaded([*asked, flag, ways[0], flag, ways[1]])
        told = f"nacc: give {flag} once, not 2 times: push, push-title\n"
        assert (done.code, done.err) == (2, told)
    assert nacc(["check", file, flag, ways[0]]).err.startswith("nacc: 1 text")


def test_a_folder_that_says_nonsense_is_to_blame(folder):
    done = finish(start(["fit", RAIL, "--model", folder(case="upper")]))
    assert done.code == 2
    assert "config.json: generation: unknown case 'upper'" in done.err
    with pytest.raises(InvalidInput):
        Options(case="upper")
