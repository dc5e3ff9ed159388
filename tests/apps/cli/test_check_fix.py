"""`nacc check --fix` never harms: formats, placeholders, backups, encodings."""

from __future__ import annotations

import json

import pytest

from nacc.text.placeholders import placeholders

from .texts import COUNCIL, RAIL, SQUID

LONG = "A long sentence that will have to be shortened very soon"
SHORT = "A long sentence that"
ICU = "Welcome back, {name}! You have {count, plural, one {# new message} other {# new messages}}"
DOCUMENTS = {
    "titles.txt": "Fits\n@\n",
    "t.csv": 'id,text\n1,"@"\n2,fits\n',
    "t.tsv": "id\ttext\n1\t@\n",
    "t.json": '{"a" : ["@"],\n "n":1.0}\n',
    "t.jsonl": '{"a":1.0}\n{"a": "@" }\n',
    "t.yaml": f"# {LONG}\na: &x @ # why\nb: >-\n  @\nc: '@'\n",
    "t.toml": f"# {LONG}\na = \"@\" # why\nb = '@'\n",
    "de.po": f'#. {LONG}\nmsgid "{LONG}"\nmsgstr "@"\n',
    "t.xlf": f"<xliff><trans-unit id='a'><source>{LONG}</source>\n<target>@</target>"
    "</trans-unit></xliff>",
    "strings.xml": f"<!-- {LONG} -->\n<resources><string name='a'>@</string></resources>",
    "t.strings": f'/* {LONG} */\n"{LONG}" = "@"; // {LONG}\n',
}
"""Documents with a text for each @."""


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_only_the_texts_change(nacc, stub, tmp_path, name, ending, mark):
    file, document = tmp_path / name, mark + DOCUMENTS[name].replace("\n", ending)
    file.write_bytes(document.replace("@", LONG).encode())
    done = nacc(["check", file, "--max", "20", "--fix"])
    assert (done.code, stub.asked[0]) == (0, (LONG, "20 characters"))
    assert done.err.endswith(f"{document.count('@')} fixed\n")
    assert file.read_bytes() == document.replace("@", SHORT).encode()
    assert nacc(["check", file, "--max", "20"]).code == 0


@pytest.mark.parametrize(
    "text",
    [
        ICU,
        "The file %1$s could not be sent to %2$@ because the connection was lost",
        'Read <a href="%s">the whole story</a> about the bridge, and what the mayor said of it',
        "Dear %{user}, the council closed the bridge on ${street} for {{months}} months",
        "The **council** voted on [Monday night](https://example.org/vote) to close the bridge",
        "Fish &amp; chips are served on Monday, Tuesday and Wednesday nights by the bridge",
        "Bitte bestätigen Sie, dass Sie %d%% der Summe an {{ user.name }} zahlen wollen",
    ],
)
@pytest.mark.parametrize("amount", [12, 40, 76])
def test_a_text_keeps_all_its_placeholders_or_is_left_alone(nacc, tmp_path, text, amount):
    file = tmp_path / "en.json"
    file.write_text(json.dumps({"a": text, "b": "fits"}))
    before = file.read_bytes()
    done = nacc(["check", file, "--max", str(amount), "--fix"])
    if done.code == 0:
        fixed = json.loads(file.read_text())["a"]
        assert len(fixed) <= amount
        assert placeholders(fixed) == placeholders(text)
    else:
        assert done.code == 1
        assert "no proposal: " in done.text or "not to be put in: " in done.text
        assert "Robert" not in done.text, "what stands in for a placeholder is not told"
        assert done.err.endswith(f"2 texts, 1 longer than {amount} characters, 0 fixed\n")
        assert file.read_bytes() == before
        assert list(tmp_path.iterdir()) == [file]
        assert amount < 76 or text.startswith("Bitte")


@pytest.mark.parametrize(
    "said",
    ["37 messages, Robert", "Robert Robert: 37 messages", "Robert: messages", "Roberta: 37", "37"],
)
def test_placeholders_come_back_each_once_and_in_order_or_not_at_all(nacc, stub, tmp_path, said):
    file = tmp_path / "en.json"
    text = f"Hello {{name}}, you have %d messages {LONG}"
    file.write_text(json.dumps([text]))
    stub.say = lambda text, budget: said
    done = nacc(["check", file, "--max", "30", "--fix"])
    assert (done.code, json.loads(file.read_text())) == (1, [text])
    assert "it would lose" in done.text or "placeholders would be changed" in done.text
    stub.say = lambda text, budget: "Robert: 37 messages"
    assert nacc(["check", file, "--max", "30", "--fix"]).code == 0
    assert json.loads(file.read_text()) == ["{name}: %d messages"]
    assert stub.asked[0] == (f"Hello Robert, you have 37 messages {LONG}", "30 characters")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"<p><b>{LONG}</b></p>", f"<p><b>{SHORT}</b></p>"),
        (f"**{LONG}**", "**A long sentence that will have**"),
        (f"  {LONG}\n", "  A long sentence that will have to\n"),
    ],
)
def test_markup_and_white_space_around_a_text_stay_and_count(nacc, stub, tmp_path, text, expected):
    file = tmp_path / "en.json"
    file.write_text(json.dumps([text]))
    assert nacc(["check", file, "--max", "36", "--fix"]).code == 0
    (found,) = json.loads(file.read_text())
    assert found == expected
    assert len(found) <= 36


def test_markup_that_leaves_no_room_is_told(nacc, stub, tmp_path):
    file = tmp_path / "t.txt"
    file.write_text(f'<a href="https://example.org/a/long/way">{LONG}</a>\n')
    done = nacc(["check", file, "--max", "36", "--fix"])
    assert (done.code, stub.asked) == (1, [])
    assert "leaves no room in 36 characters" in done.text


def test_real_proposals_within_markup(nacc, tmp_path):
    file = tmp_path / "a.po"
    file.write_text(f'msgid "a"\nmsgstr ""\n"<b>{COUNCIL}"\n"</b>\\n"\n')
    assert nacc(["check", file, "--max", "50", "--fix"]).code == 0
    _, line, end = file.read_text().split("\n")
    assert line.startswith('msgstr "<b>') and line.endswith('</b>\\n"') and end == ""
    assert "votes to close harbour" in line.lower()


def test_backups_are_numbered_and_never_overwritten(nacc, stub, tmp_path):
    file, own = tmp_path / "a.txt", tmp_path / "a.txt.bak"
    own.write_text("the user's own")
    for number, text in enumerate([COUNCIL, RAIL, SQUID], 1):
        file.write_text(text)
        assert nacc(["check", file, "--max", "30", "--fix"]).code == 0
        assert (tmp_path / f"a.txt.bak.{number}").read_text() == text
    assert own.read_text() == "the user's own"
    assert len(list(tmp_path.iterdir())) == 5


def test_a_format_that_is_not_known_is_refused(nacc, tmp_path):
    file = tmp_path / "page.html"
    file.write_text(f"<p>{LONG}</p>\n")
    done = nacc(["check", file, "--max", "30", "--fix"])
    assert (done.code, file.read_text()) == (2, f"<p>{LONG}</p>\n")
    assert ".html is no format whose texts can be told from the rest" in done.err
    assert "--format text" in done.err
    assert nacc(["check", file, "--max", "90", "--format", "text"]).code == 0


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("t.csv", f"id,title,note\n1,{LONG},x\n2,{LONG}\n3,a,b,c\n", 3),
        ("t.yaml", f"a: {LONG}\nb: [\n", 3),
        ("t.xml", f"<resources><string name='a'>{LONG}</string>\n</resource>", 2),
    ],
)
def test_a_file_that_is_not_valid_is_told_with_the_place_and_left_as_it_is(
    nacc, stub, tmp_path, name, text, line
):
    file = tmp_path / name
    file.write_text(text)
    done = nacc(["check", file, "--max", "30", "--fix", "--column", "*"])
    assert done.code == 2
    assert done.err.startswith(f"nacc: {file}:{line}: ")
    assert file.read_text() == text
    assert list(tmp_path.iterdir()) == [file]


def test_all_columns_count_that_were_asked_for(nacc, stub, tmp_path):
    file = tmp_path / "t.csv"
    file.write_text(f"a,b,c\n{LONG},{LONG},{LONG}\n")
    done = nacc(["check", file, "--max", "20", "--column", "a", "--column", "b", "--fix"])
    assert done.code == 0
    assert file.read_text() == f"a,b,c\n{SHORT},{SHORT},{LONG}\n"
    assert nacc(["check", file, "--max", "20", "--column", "d"]).code == 2


def test_utf16_strings_stay_utf16(nacc, stub, tmp_path):
    file = tmp_path / "Localizable.strings"
    before = f'/* Ж */\r\n"a" = "{LONG}";\r\n"b" = "😀";\r\n'
    file.write_bytes(before.encode("utf-16"))
    assert nacc(["check", file, "--max", "20", "--fix"]).code == 0
    assert file.read_bytes() == before.replace(LONG, SHORT).encode("utf-16")


def test_another_encoding_is_kept_or_the_text_left_alone(nacc, stub, tmp_path):
    file = tmp_path / "t.txt"
    before = f"Café\n{LONG}\n{LONG}!\n".encode("cp1252")
    file.write_bytes(before)
    assert "say e.g. --encoding cp1252" in nacc(["check", file, "--max", "20"]).err
    stub.say = lambda text, budget: "Ж" if text.endswith("!") else "Über"
    done = nacc(["check", file, "--max", "20", "--encoding", "cp1252", "--fix"])
    assert done.code == 1
    assert "not to be put in: 'Ж' cannot be written in cp1252" in done.text
    assert file.read_bytes() == f"Café\nÜber\n{LONG}!\n".encode("cp1252")
    assert nacc(["check", file, "--max", "20", "--encoding", "klingon"]).code == 2


def test_a_text_under_an_alias_and_the_first_words_of_one_are_not_put_in(nacc, stub, tmp_path):
    file = tmp_path / "t.yaml"
    file.write_text(f"a: &x {LONG}\nb: *x\n")
    done = nacc(["check", file, "--max", "20", "--fix"])
    assert (done.code, file.read_text()) == (1, f"a: &x {LONG}\nb: *x\n")
    assert f"→ {SHORT} (20)\n    not to be put in: it is used again under an alias" in done.text
    stub.method, stub.note = "lead", "not English"
    file.write_text(f"a: {LONG}\n")
    done = nacc(["check", file, "--max", "20", "--fix", "--json"])
    assert (done.code, file.read_text()) == (1, f"a: {LONG}\n")
    found = json.loads(done.text)
    assert (found["proposal"], found["problem"], found["fixed"]) == (SHORT, "not English", False)


def test_confidence_is_told_where_there_is_one(nacc, stub, tmp_path):
    file = tmp_path / "t.txt"
    file.write_text(LONG)
    assert json.loads(nacc(["check", file, "--max", "20", "--json"]).text)["confidence"] is None
    stub.confidence = 0.8251
    assert json.loads(nacc(["check", file, "--max", "20", "--json"]).text)["confidence"] == 0.8251
    assert f"→ {SHORT} (20, confidence 0.83)" in nacc(["check", file, "--max", "20"]).text


def test_a_file_that_changes_while_it_is_fixed_stays_as_it_has_become(nacc, stub, tmp_path):
    file = tmp_path / "t.txt"
    file.write_text(LONG)

    def say(text: str, budget: object) -> str:
        file.write_text("Somebody else's work")
        return SHORT

    stub.say = say
    done = nacc(["check", file, "--max", "20", "--fix"])
    assert (done.code, file.read_text()) == (2, "Somebody else's work")
    assert "was changed by somebody else meanwhile" in done.err
    assert list(tmp_path.iterdir()) == [file]
