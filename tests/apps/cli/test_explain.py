"""`nacc explain`, `nacc units`, `nacc models`: what they tell is so."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from nacc.fitting.explain import explain_said
from nacc.length import PRESETS, UNITS, Budget
from nacc.runtime.folder import PACKAGED

from .process import finish, start
from .texts import COUNCIL, RAIL

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def explained(nacc):
    def explain(text: str, *options: str):
        return json.loads(nacc(["explain", text, "--json", *options]).text)

    return explain


@pytest.fixture
def slots_are(ctc_folder):
    """The flags that ask for a model of linked slots, the packaged one, or for one with ε."""
    return {"linked": [], "ctc": ["--model", ctc_folder]}


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("linked", []),
        ("linked", ["--max", "20"]),
        ("linked", ["--method", "linked", "--max", "75"]),
        ("ctc", []),
        ("ctc", ["--max", "20"]),
        ("ctc", ["--method", "exact", "--max", "75"]),
    ],
)
def test_the_path_explained_is_that_of_the_summary(nacc, explained, slots_are, kind, options):
    asked = [*slots_are[kind], *options]
    found = explained(RAIL, *asked)
    assert nacc(["fit", RAIL, *asked]).lines == [found["summary"]["text"]]
    said = [slot["says"] for slot in found["slots"] if slot["says"]]
    assert said == [word["text"] for word in found["summary"]["words"]]
    lengths = [slot["length"] for slot in found["slots"]]
    assert lengths == sorted(lengths)
    assert lengths[-1] == found["summary"]["length"]
    for slot in found["slots"]:
        passed_by = kind == "linked" and slot["says"] is None  # where there is no ε to choose
        assert sum(each["chosen"] for each in slot["candidates"]) == (0 if passed_by else 1)
        assert sum(each["probability"] for each in slot["candidates"]) <= 1.001


COFFEE = (
    "Is coffee bad for you? No, says a new study of 500,000 people. "
    "It may even help you to live longer."
)
POLICE = "The mayor of Oslo resigned after a row about a bridge, police said on Monday."


@pytest.mark.parametrize(
    ("text", "options", "method", "why"),
    [
        ("The mayor quit.", ["--max", "20"], "as-is", "the text fits as it is"),
        (POLICE, ["--max", "60"], "trimmed", "it fits without what can be spared"),
        (
            "Die Feuerwehr rettete am Montag drei Kinder aus einem brennenden Haus.",
            ["--max", "30"],
            "lead",
            "it is not English",
        ),
        (RAIL, ["--min-confidence", "1"], "lead", "of 100% asked for"),
    ],
)
def test_first_comes_what_fit_says_and_why(nacc, explained, text, options, method, why):
    (said,) = (json.loads(line) for line in nacc(["fit", text, *options, "--json"]).lines)
    assert said["method"] == method
    first, how, *table = nacc(["explain", text, *options]).lines
    assert first == said["text"]
    assert f"characters, {method}: " in how and why in how
    found = explained(text, *options)
    assert found["summary"]["text"] == said["text"]
    other = found["would_say"]
    assert table[1:3] == ["The model would have said:", other["text"]]
    assert other["method"] == "linked"
    path = [slot["says"] for slot in found["slots"] if slot["says"]]
    assert path == [word["text"] for word in other["words"]]


def test_what_the_model_would_have_said_but_for_the_rules_is_called_so(nacc, monkeypatch):
    monkeypatch.setattr("nacc.fitting.task.violates", lambda *_: "all of it")
    told = nacc(["explain", RAIL, "--max", "50"]).lines
    assert RAIL.startswith(told[0])
    assert told[1].endswith("lead: what the model says of it would be false: all of it")
    assert told[5].endswith(": but for the rules")


def test_there_is_an_answer_where_with_more_room_none_would_keep_the_rules(nacc):
    asked = [COFFEE, "--max", "30"]
    done = nacc(["explain", *asked])
    assert done.code == 0
    assert done.lines[0] == nacc(["fit", *asked]).lines[0]
    assert "candidates" in done.text


def test_an_extract_is_explained_by_its_own_path(model):
    budget, options = Budget(40), model.settled(None)
    said = replace(model.summarize(RAIL, 40, extract=True), method="extract", note="why not")
    (reading,) = model.read([RAIL], budget, options)
    found = explain_said(said, reading, budget, options, top=2)
    assert (found.summary, found.would_say) == (said, None)
    assert [slot.says for slot in found.slots if slot.says] == [word.text for word in said.words]


def test_without_anything_of_the_models_there_is_no_table_and_no_picture(nacc, tmp_path):
    asked = ["explain", "%", "--max", "1"]
    assert nacc(asked).lines[-1] == "The model has nothing to say of this text."
    done = nacc([*asked, "--svg", tmp_path / "a.svg"])
    assert (done.code, "no path to draw" in done.err) == (2, True)
    assert not list(tmp_path.iterdir())


def test_alternatives_are_told_with_their_scores(nacc):
    asked = [RAIL, "--max", "40", "--alternatives", "3"]
    said = nacc(["fit", *asked]).lines
    told = nacc(["explain", *asked]).lines
    assert [told[0], *(line[4:].rsplit(" (", 1)[0] for line in told[2:4])] == said
    assert all(line.startswith("or: ") and "score" in line for line in told[2:4])


def test_every_word_is_said_or_has_a_reason_why_not(explained):
    found = explained(RAIL, "--max", "30")
    said = {word["text"].lower() for word in found["summary"]["words"]}
    dropped = {each["word"].lower() for each in found["dropped"]}
    source = {word.strip(",.").lower() for word in RAIL.split()}
    assert source <= said | dropped
    assert not said & dropped


@pytest.mark.parametrize(
    ("kind", "lost"), [("linked", "the path goes past slot"), ("ctc", "lost to ε")]
)
def test_for_people_it_is_a_table(nacc, slots_are, kind, lost):
    asked = [COUNCIL, "--max", "40", *slots_are[kind]]
    done = nacc(["explain", *asked])
    assert done.code == 0
    assert done.lines[0] == nacc(["fit", *asked]).lines[0]
    assert "candidates" in done.text
    assert lost in done.text


@pytest.fixture
def pictured(nacc, tmp_path):
    """What is told of a text, the boxes taken in its picture, and the words above the columns."""

    def draw(*flags):
        file = tmp_path / "lattice.svg"
        text = RAIL.replace("new", "<new> & “old”")
        asked = ["explain", text, "--max", "40", *flags]
        assert nacc([*asked, "--svg", file]).code == 0
        picture = ElementTree.fromstring(file.read_bytes())
        width = float(picture.get("width", 0))
        for rect in picture.iter(f"{SVG}rect"):
            assert float(rect.get("x", 0)) + float(rect.get("width", 0)) <= width
        assert "prefers-color-scheme: dark" in file.read_text()
        found = json.loads(nacc([*asked, "--json"]).text)
        kinds = [each.get("class", "") for each in picture.iter(f"{SVG}rect")]
        words = [each.text for each in picture.iter(f"{SVG}text") if each.get("class") == "source"]
        return found, sum("taken" in kind for kind in kinds), words

    return draw


def test_the_picture_has_a_column_for_each_slot_and_one_chosen_box_in_each(pictured, slots_are):
    found, taken, words = pictured(*slots_are["ctc"])
    assert taken == len(found["slots"])
    assert words == [slot["source"] for slot in found["slots"]]


def test_of_linked_slots_it_has_a_chosen_box_for_each_word_said(pictured, slots_are):
    found, taken, words = pictured(*slots_are["linked"])
    said = [slot["source"] for slot in found["slots"] if slot["says"]]
    assert taken == len(said) == len(found["summary"]["words"])
    every = iter(slot["source"] for slot in found["slots"])
    assert all(word in every for word in words), "columns are slots, in their order"
    assert not Counter(said) - Counter(words)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["explain", RAIL, "--max", "1"], 3),
        (["explain", " "], 2),
        (["explain", RAIL, "--method", "truncate"], 2),
        (["explain", RAIL, "--max", "30", "--for", "sms"], 2),
        (["explain", RAIL, "--svg", "/no/such/folder/x.svg"], 2),
    ],
)
def test_what_cannot_be_explained(nacc, arguments, code):
    done = nacc(arguments)
    assert (done.code, done.out) == (code, b"")
    assert done.err.count("\n") == 1


def test_what_is_cut_inside_a_word_is_not_explained(nacc, ctc_folder):
    done = nacc(["explain", RAIL, "--model", ctc_folder, "--method", "truncate"])
    assert (done.code, done.out) == (2, b"")
    assert "truncate" in done.err and "none for this model" not in done.err


def test_units_lists_every_unit_and_preset(nacc):
    told = nacc(["units"]).text
    found = json.loads(nacc(["units", "--json"]).text)
    assert [each["name"] for each in found["units"]] == [unit.name for unit in UNITS]
    assert [each["name"] for each in found["presets"]] == [preset.name for preset in PRESETS]
    assert all(each["name"] in told for each in found["units"] + found["presets"])
    assert all(Budget.of(each["name"]).amount for each in found["presets"])


def test_models_tells_of_the_packaged_one_and_of_damage(nacc, tmp_path):
    assert "intact" in nacc(["models"]).text
    found = json.loads(nacc(["models", "--json"]).lines[0])
    assert (found["name"], found["damaged"]) == ("default", [])
    assert found["max_words"] > 10
    broken = tmp_path / "broken"
    broken.mkdir()
    for name in ("config.json", "words.txt"):
        shutil.copy(PACKAGED / "default" / name, broken / name)
    with (broken / "words.txt").open("a") as words:
        words.write("more\n")
    done = nacc(["models", broken, "--json"])
    assert done.code == 1
    assert "words.txt" in json.loads(done.text)["damaged"]
    assert nacc(["models", tmp_path]).code == 2


def test_models_tells_what_each_can_say(nacc):
    def says(name: str) -> str:
        lines = nacc(["models", name]).lines
        assert lines == nacc(["models", PACKAGED / name]).lines
        return next(line.split(maxsplit=1)[1] for line in lines if line.split()[0] == "says")

    assert says("default").endswith(" words, and any word of the text")


def test_models_tells_of_links_styles_and_what_is_damaged(nacc, linked_folder):
    (found,) = map(json.loads, nacc(["models", linked_folder, "--json"]).lines)
    assert (found["slots"], found["reranks"]) == (2, True)
    assert found["styles"] == ["wire", "web", "any"]
    shown = nacc(["models", linked_folder]).text
    assert "linked, re-ranked" in shown and "wire, web, any" in shown


def test_linked_slots_show_their_links_and_the_path(linked_folder, tmp_path):
    picture = tmp_path / "links.svg"
    asked = ["explain", RAIL, "--max", "45", "--model", linked_folder]
    shown = finish(start([*asked, "--svg", picture, "--no-tidy"])).text
    said = shown.split("\n")[0]
    assert "goes on" in shown and "→end" in shown and "Expected in an answer:" in shown
    (found,) = map(json.loads, finish(start([*asked, "--json", "--no-tidy"])).lines)
    path = [slot for slot in found["slots"] if slot["says"]]
    assert " ".join(slot["says"] for slot in path).lower() == said.lower()
    ways = [found["begins"], *(slot["links"] for slot in path)]
    taken = [next(link["to"] for link in links if link["chosen"]) for links in ways]
    assert taken == [*(slot["number"] for slot in path), None]
    assert all(0 <= slot["passed"] <= 1.0001 for slot in found["slots"])
    assert len(found["expected"]) == len(path)
    svg = picture.read_text("utf-8")
    assert svg.count('class="grows"') > len(path) + 1  # the path's links, and the legend's
    assert 'class="link"' in svg and "the path" in svg and "expected " in svg
