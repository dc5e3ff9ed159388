"""`nacc check`: finds what is too long, proposes what fits, and with --fix changes nothing else."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .texts import COUNCIL, RAIL, SQUID


def test_what_fits_is_exit_code_0_and_no_output(nacc, tmp_path):
    file = tmp_path / "titles.txt"
    file.write_text("Short\n\nAlso short\n")
    done = nacc(["check", file, "--max", "30"])
    assert (done.code, done.out) == (0, b"")
    assert done.err == "nacc: 3 texts, 0 longer than 30 characters\n"


def test_a_name_that_a_terminal_would_obey_is_told_in_words_it_does_not(nacc, tmp_path):
    (tmp_path / "a\x1b[2Jb.txt").write_bytes(b"Short\n\xff\n")
    assert "\x1b" not in nacc(["check", tmp_path / "a\x1b[2Jb.txt", "--max", "30"]).err
    (tmp_path / "one.txt").write_text("Short\n")
    done = nacc(["check", tmp_path / "one.txt", "--max", "30"])
    assert done.err == "nacc: 1 text, 0 longer than 30 characters\n"


def test_what_is_too_long_is_told_with_its_line_length_and_a_proposal(nacc, tmp_path):
    file = tmp_path / "titles.txt"
    file.write_text(f"Short\n{COUNCIL}\n")
    done = nacc(["check", file, "--max", "30"])
    assert done.code == 1
    place, proposal = done.lines
    assert place == f"{file}:2: {len(COUNCIL)}: {COUNCIL}"
    text, told = proposal.removeprefix("    → ").removesuffix(")").rsplit(" (", 1)
    length, sure = told.split(", confidence ")
    assert int(length) == len(text)
    assert 0 < float(sure) < 1
    assert len(text) <= 30
    assert file.read_text() == f"Short\n{COUNCIL}\n"


def test_json_output_has_an_object_for_each(nacc, tmp_path):
    file = tmp_path / "t.csv"
    file.write_text(f"id,title\n1,{SQUID}\n2,ok\n")
    done = nacc(["check", file, "--max", "8 words", "--column", "title", "--json"])
    (found,) = map(json.loads, done.lines)
    assert (done.code, done.err) == (1, "")
    assert found["file"] == str(file)
    assert (found["line"], found["column"], found["text"]) == (2, "title", SQUID)
    assert (found["length"], found["budget"], found["unit"]) == (len(SQUID.split()), 8, "words")
    assert found["proposal_length"] == len(found["proposal"].split()) <= 8
    assert found["fixed"] is False


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_fix_changes_only_what_was_too_long_and_keeps_a_backup(nacc, tmp_path, ending):
    file = tmp_path / "products.csv"
    rows = ["\ufeffid;title;note", f'1;"{RAIL}";"a ""b"""', ' 2 ;"fits" ; x', f"3;{SQUID};", ""]
    before = ending.join(rows).encode()
    file.write_bytes(before)
    file.chmod(0o600)
    fixing = ["check", file, "--column", "title", "--max", "40", "--fix"]
    done = nacc(fixing)
    assert done.code == 0
    assert done.err.endswith("2 longer than 40 characters, 2 fixed\n")
    assert (tmp_path / "products.csv.bak").read_bytes() == before
    after = file.read_bytes().decode().split(ending)
    assert [after[i] for i in (0, 2, 4)] == [rows[i] for i in (0, 2, 4)]
    assert after[1].startswith('1;"') and after[1].endswith('";"a ""b"""')
    assert len(after[1]) < len(rows[1])
    assert after[3].startswith("3;") and after[3].endswith(";")
    assert file.stat().st_mode & 0o777 == 0o600
    again = file.read_bytes()
    assert nacc(fixing).code == 0
    assert file.read_bytes() == again
    assert (tmp_path / "products.csv.bak").read_bytes() == before
    assert nacc(fixing[:-1]).code == 0
    assert len(list(tmp_path.iterdir())) == 2


def test_json_documents_and_lines_are_fixed_in_place(nacc, tmp_path):
    document, rows = tmp_path / "en.json", tmp_path / "rows.jsonl"
    document.write_text(
        '{\n\t"home" : {"title":"Caf\\u00e9",\n\t"lead": ' + json.dumps(COUNCIL) + "}, \n"
        f'\t"count": 1.50,"list":[{json.dumps(SQUID)}, "ok"]}}\n'
    )
    rows.write_text(f'{{"t":"x","id":1.0}}\n\n{{"id": 2e3 , "t": {json.dumps(RAIL)}}}')
    done = nacc(["check", document, rows, "--max", "40", "--fix", "--json"])
    assert done.code == 0
    assert [json.loads(line)["line"] for line in done.lines] == [3, 4, 3]
    after = document.read_text()
    assert after.startswith('{\n\t"home" : {"title":"Caf\\u00e9",\n\t"lead": "')
    assert ', \n\t"count": 1.50,"list":["' in after and after.endswith('", "ok"]}\n')
    assert len(json.loads(after)["home"]["lead"]) <= 40
    assert rows.read_text().startswith('{"t":"x","id":1.0}\n\n{"id": 2e3 , "t": "')
    assert nacc(["check", document, rows, "--max", "40"]).code == 0


def test_only_the_key_that_was_named(nacc, tmp_path):
    file = tmp_path / "a.json"
    file.write_text(json.dumps([{"title": "ok", "body": COUNCIL}]))
    assert nacc(["check", file, "--max", "30", "--column", "title"]).code == 0
    assert nacc(["check", file, "--max", "30"]).code == 1


def test_what_cannot_be_read_is_exit_code_2_and_the_rest_is_told_but_not_fixed(nacc, tmp_path):
    file = tmp_path / "rows.jsonl"
    before = b'{"t": "ok"}\n{"t": \n{"t": "caf\xe9"}\n' + json.dumps({"t": COUNCIL}).encode()
    file.write_bytes(before)
    done = nacc(["check", file, "--max", "30", "--fix", "--json"])
    assert done.code == 2
    told = done.err.splitlines()
    assert told[0].startswith(f"nacc: {file}:2: not JSON")
    assert told[1].startswith(f"nacc: {file}:3: not UTF-8: byte 0xe9 after 3 characters")
    assert told[1].endswith("--encoding cp1252")
    assert told[2] == f"nacc: {file} is left as it is: not all of it could be read"
    (found,) = map(json.loads, done.lines)
    assert (found["line"], found["fixed"], len(found["proposal"]) <= 30) == (4, False, True)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_what_has_no_proposal_stays_and_is_exit_code_1(nacc, tmp_path):
    file = tmp_path / "titles.txt"
    file.write_text(f"{COUNCIL}\n")
    done = nacc(["check", file, "--max", "1", "--fix"])
    assert done.code == 1
    assert "no proposal: nothing sensible fits in 1 character" in done.text
    assert file.read_text() == f"{COUNCIL}\n"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--max", "30", "--for", "sms"], "with --max or --for"),
        ([], "with --max or --for"),
        (["--max", "30", "--column", "x"], "is read as plain text"),
        (["--max", "30", "--format", "xml"], "unknown format 'xml'"),
    ],
)
def test_wrong_usage_is_exit_code_2(nacc, tmp_path, options, told):
    file = tmp_path / "titles.txt"
    file.write_text("ok\n")
    done = nacc(["check", file, *options])
    assert (done.code, done.out) == (2, b"")
    assert told in done.err


def test_missing_files_and_standard_input(nacc, tmp_path):
    done = nacc(["check", tmp_path / "none", "--max", "3"])
    assert (done.code, "cannot read" in done.err) == (2, True)
    assert nacc(["check", "-", "--max", "30"], stdin=COUNCIL.encode()).code == 1
    assert nacc(["check", "-", "--max", "30", "--fix"]).code == 2


CELL = st.sampled_from([COUNCIL, RAIL, SQUID, "", "ok", 'a "b", c', "two\nlines", "ü\t;"])


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(CELL, CELL, CELL), max_size=4), st.sampled_from(["\n", "\r\n"]))
def test_after_fix_all_fits_and_other_columns_are_untouched(nacc, tmp_path, rows, ending):
    file = tmp_path / "any.csv"
    stream = io.StringIO()
    csv.writer(stream, lineterminator=ending).writerows([("a", "title", "c"), *rows])
    file.write_bytes(stream.getvalue().encode())
    fixing = ["check", file, "--column", "title", "--max", "40", "--fix"]
    assert nacc(fixing).code == 0
    assert nacc(fixing[:-1]).code == 0
    with file.open(newline="") as after:
        _, *found = csv.reader(after)
    assert [(a, c) for a, _, c in found] == [(a, c) for a, _, c in rows]
    for (_, new, _), (_, old, _) in zip(found, rows, strict=True):
        assert new == old if len(old) <= 40 else 0 < len(new) <= 40
