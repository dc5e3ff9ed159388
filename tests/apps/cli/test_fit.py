"""`nacc fit`: texts in from anywhere, summaries out that fit, in order, whatever the format."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from .texts import COUNCIL, RAIL, SQUID


def test_an_argument_gives_a_line_that_fits_and_fit_may_be_left_out(nacc):
    done = nacc([COUNCIL, "--max", "40"])
    assert done.code == 0
    (line,) = done.lines
    assert 0 < len(line) <= 40
    assert nacc(["fit", COUNCIL, "--max", "40"]).out == done.out


def test_every_budget_gives_a_line_in_the_order_asked(nacc):
    done = nacc(["fit", COUNCIL, SQUID, "--max", "30", "-m", "60 bytes", "--for", "lcd-20"])
    limits = [30, 60, 20] * 2
    assert len(done.lines) == 6
    assert all(0 < len(line.encode()) <= n for line, n in zip(done.lines, limits, strict=True))


@pytest.mark.parametrize(
    ("options", "unit", "amount"),
    [
        (["--max", "8", "--unit", "words"], "words", 8),
        (["--max", "300", "--font", "Roboto", "--size", "16"], "px Roboto 16", 300),
        (["--max", "300px", "--size", "12"], "px Arial 12", 300),
        (["--for", "push-title"], "characters", 30),
        (["--max", "sms"], "sms", 1),
        ([], "characters", 50),
    ],
)
def test_ways_to_say_a_budget(nacc, options, unit, amount):
    done = nacc(["fit", RAIL, "--json", *options])
    found = json.loads(done.text)
    assert (found["unit"], found["budget"]) == (unit, amount)
    assert 0 < found["length"] <= amount


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--max", "abc"], "cannot read the budget 'abc'"),
        (["--for", "pager"], "unknown preset 'pager'; known: sms, push"),
        (["--for", "search-title", "--size", "9"], "go with --max, not with --for"),
        (["--max", "5", "--unit", "bytes", "--font", "Arial"], "not with --unit bytes"),
        (["--max", "5 words", "--size", "9"], "need a bare number of pixels"),
        (["--method", "best"], "unknown method 'best'"),
        (["--case", "upper"], "unknown case 'upper'"),
        (["--fill", "half"], "cannot read --fill 'half'"),
        (["--at-least", "60"], "--at-least = 60 is more than the budget of 50 characters"),
        (
            ["--fill", "45"],
            "more than the whole budget; an amount in the budget's unit: --at-least",
        ),
        (["--fill", "120%"], "more than the whole budget"),
        (["--method", "greedy", "-n", "2"], "--alternatives needs method exact or coherent"),
        (["--json", "--tsv"], "choose --json or --tsv"),
        (["--in", "x.txt"], "as arguments or with --in, not both"),
        (["--column", "title"], "is read as plain text"),
        (["--out", "/no/such/folder/x"], "cannot write /no/such/folder/x"),
        (["--require", "zebra"], "required word 'zebra'"),
    ],
)
def test_what_cannot_be_asked_is_one_line_and_exit_code_2(nacc, options, told):
    done = nacc(["fit", RAIL, *options])
    assert done.code == 2
    assert done.out == b""
    assert told in done.err
    assert done.err.count("\n") == 1


def test_a_text_that_is_not_to_be_trusted_has_an_exit_code_as_one_that_nothing_fits(nacc):
    asked = ["--max", "40", "--min-confidence", "1", "--fallback", "error"]
    alone = nacc([COUNCIL, *asked])
    assert (alone.code, alone.out, alone.err.count("\n")) == (3, b"", 1)
    assert nacc(["fit", *asked], stdin=COUNCIL.encode()).code == 1
    strict = nacc(["fit", "--strict", *asked], stdin=f"Man bites dog\n{COUNCIL}".encode())
    assert (strict.code, strict.err) == (3, alone.err.replace(": ", ": standard input:2: ", 1))


def test_an_argument_that_nothing_fits_is_exit_code_3_and_names_what_would_do(nacc):
    done = nacc([COUNCIL, "--max", "1"])
    assert done.code == 3
    smallest = re.search(r"is (\d+) characters", done.err)
    assert smallest and nacc([COUNCIL, "--max", smallest[1]]).code == 0


def test_wishes_are_met(nacc):
    fits = ["fit", RAIL, "--max", "60"]
    assert "flights" in nacc([*fits, "--require", "flights"]).text
    assert "EU" not in nacc([*fits, "--forbid", "EU", "--forbid", "euros"]).text.split()
    assert nacc([*fits, "--case", "lower"]).text.islower()
    assert len(nacc([*fits, "--at-least", "55"]).lines[0]) >= 55
    assert len(nacc([*fits, "--fill", "0%"]).lines[0]) <= len(nacc([*fits]).lines[0])
    source = {word.strip(",.").lower() for word in RAIL.split()}
    faithful = nacc([*fits, "--faithful"]).text.lower().split()
    assert [word for word in faithful if len(word) > 4 and word not in source] == []
    several = nacc([*fits, "-n", "3"]).lines
    assert len(set(several)) == 3 and all(len(line) <= 60 for line in several)


def test_a_line_in_is_a_line_out_and_bad_ones_are_told_and_stay_empty(nacc):
    data = f"{COUNCIL}\r\n\n{SQUID}\nna\xefve".encode() + b"\xff\n" + RAIL.encode()
    done = nacc(["fit", "--max", "40"], stdin=data)
    assert done.code == 1
    assert [bool(line) for line in done.lines] == [True, False, True, False, True]
    assert done.lines[0] == nacc([COUNCIL, "--max", "40"]).lines[0]
    assert done.err == (
        "nacc: standard input:2: empty text\n"
        "nacc: standard input:4: not UTF-8: byte 0xff after 5 characters; "
        "another encoding? say e.g. --encoding cp1252\n"
    )


def test_strict_stops_at_the_first_bad_row(nacc, tmp_path):
    out = tmp_path / "out.txt"
    out.write_text("old")
    done = nacc(["fit", "--strict", "--out", out], stdin=f"{COUNCIL}\n \n{SQUID}\n".encode())
    assert (done.code, done.err) == (2, "nacc: standard input:2: empty text\n")
    assert out.read_text() == "old"
    assert list(tmp_path.iterdir()) == [out]
    small = nacc(["fit", "--strict", "--max", "1"], stdin=COUNCIL.encode())
    assert small.code == 3


def test_order_is_kept_over_all_cores(nacc, tmp_path):
    file = tmp_path / "leads.txt"
    sources = [COUNCIL, SQUID, RAIL, SQUID, RAIL, COUNCIL, RAIL] * 3
    file.write_text("\n".join(sources))
    alone = {text: nacc([text]).lines[0] for text in set(sources)}
    assert nacc(["fit", "--in", file]).lines == [alone[text] for text in sources]


def test_empty_input_gives_empty_output(nacc):
    assert nacc(["fit"], stdin=b"") == nacc(["fit", "--json"], stdin=b"")
    assert nacc(["fit"], stdin=b"").code == 0
    assert nacc(["fit", "--format", "csv"], stdin=b"").out == b""


def test_a_huge_line_is_one_text(nacc):
    done = nacc(["fit", "--max", "40"], stdin=(COUNCIL + " ").encode() * 20_000 + b"\n")
    assert done.code == 0
    assert done.lines == nacc([COUNCIL, "--max", "40"]).lines


def test_csv_comes_back_with_a_column_more(nacc, tmp_path):
    file, out = tmp_path / "news.csv", tmp_path / "short.csv"
    rows = f'id,lead,note\r\n1,"{COUNCIL}\r\n",x\r\n2,"",""\r\n3,{SQUID},"a ""b"", c"\r\n'
    file.write_bytes(b"\xef\xbb\xbf" + rows.encode())
    done = nacc(["fit", "-i", file, "--column", "lead", "--max", "40", "-o", out])
    assert (done.code, done.out) == (1, b"")
    assert done.err == f"nacc: {file}:4: empty text\n"
    written = out.read_bytes()
    assert written.startswith(b"\xef\xbb\xbfid,lead,note,summary\r\n")
    found = list(csv.DictReader(io.StringIO(written.decode("utf-8-sig"), newline="")))
    before = list(csv.DictReader(io.StringIO(rows, newline="")))
    assert [{k: v for k, v in row.items() if k != "summary"} for row in found] == before
    assert [bool(row["summary"]) for row in found] == [True, False, True]
    assert all(len(row["summary"]) <= 40 for row in found)


def test_several_budgets_and_summaries_get_columns_of_their_own(nacc):
    document = f'text\n"{RAIL}"\n'.encode()
    several = ["fit", "--format", "csv", "--max", "30", "--max", "75 bytes", "-n", "2"]
    header, row = csv.reader(io.StringIO(nacc([*several, "--into", "s"], document).text))
    assert header == ["text", "s_30_1", "s_30_2", "s_75_bytes_1", "s_75_bytes_2"]
    assert len(set(row)) == 5
    taken = nacc(["fit", "--format", "csv", "--into", "text"], document)
    assert (taken.code, taken.out) == (2, b"")
    assert "there is a column 'text' already" in taken.err


def test_what_is_known_of_a_summary_may_have_columns_too(nacc):
    document = f'text\n"{RAIL}"\nMan bites dog\n""\n'.encode()
    asked = ["fit", "--format", "csv", "--max", "40", "--with", "length,method,note,confidence"]
    done = nacc([*asked, "--errors", "why"], document)
    header, *rows = csv.reader(io.StringIO(done.text))
    assert header == ["text", "summary", "length", "method", "note", "confidence", "why"]
    for _, summary, length, *_ in rows[:2]:
        assert len(summary) == int(length) <= 40
    assert rows[1][3] == "as-is"
    assert rows[2] == ["", "", "", "", "", "", "empty text"]
    several = csv.reader(io.StringIO(nacc([*asked[:-1], "note", "--max", "30"], document).text))
    assert next(several) == ["text", "summary_40", "note_40", "summary_30", "note_30"]
    assert "unknown detail 'mood'" in nacc([*asked[:-1], "mood"], document).err
    for without in (["fit", RAIL], [*asked[:-2], "--json"]):
        assert (
            "--with and --errors add columns" in nacc([*without, "--errors", "why"], document).err
        )


def test_another_encoding_is_read_and_written(nacc, tmp_path):
    file, out = tmp_path / "a.csv", tmp_path / "b.csv"
    file.write_bytes("text\r\nCafé “Zur Post”\r\n".encode("cp1252"))
    assert "--encoding cp1252" in nacc(["fit", "-i", file, "-o", out]).err
    assert nacc(["fit", "-i", file, "-o", out, "--encoding", "cp1252"]).code == 0
    said = out.read_bytes().decode("cp1252")
    assert said == "text,summary\r\nCafé “Zur Post”,Café “Zur Post”\r\n"
    unknown = nacc(["fit", "Man bites dog", "--encoding", "klingon"])
    assert (unknown.code, unknown.err.count("\n")) == (2, 1)


def test_jsonl_comes_back_with_a_key_more_and_bad_rows_as_they_were(nacc):
    rows = [
        json.dumps({"id": 1, "body": COUNCIL}),
        '{"id": 2, "body": ',
        json.dumps({"id": 3}),
        json.dumps({"id": 4, "body": SQUID}),
    ]
    done = nacc(["fit", "--format", "jsonl", "--column", "body"], "\n".join(rows).encode())
    assert done.code == 1
    assert done.lines[1:3] == rows[1:3]
    for line, row in ((done.lines[0], rows[0]), (done.lines[3], rows[3])):
        assert line.startswith(row[:-1])
        assert 0 < len(json.loads(line)["summary"]) <= 50
    told = done.err.splitlines()
    assert told[0].startswith("nacc: standard input:2: not JSON")
    assert told[1] == "nacc: standard input:3: no key 'body'; choose with --column one of: id"


def test_files_of_one_format_are_read_one_after_the_other(nacc, tmp_path):
    a, b, c = tmp_path / "a.csv", tmp_path / "b.csv", tmp_path / "c.csv"
    a.write_text(f"id,text\n1,{COUNCIL}\n")
    b.write_text(f"id,text\n2,{SQUID}")
    c.write_text(f"text,id\n{SQUID},2")
    found = list(csv.DictReader(io.StringIO(nacc(["fit", "-i", a, "-i", b]).text)))
    assert [row["id"] for row in found] == ["1", "2"]
    assert all(row["summary"] for row in found)
    other = nacc(["fit", "-i", a, "-i", c])
    assert (other.code, "files with different columns" in other.err) == (2, True)
    mixed = nacc(["fit", "-i", a, "-i", tmp_path / "d.txt"])
    assert (mixed.code, "different formats" in mixed.err) == (2, True)


def test_reports_as_json_and_tsv(nacc):
    data = f"{COUNCIL}\n\n{SQUID}\n".encode()
    first, bad, second = map(json.loads, nacc(["fit", "--json"], data).lines)
    assert (first["line"], second["line"]) == (1, 3)
    assert first["length"] == len(first["text"]) <= first["budget"] == 50
    assert bad == {"line": 2, "error": "empty text"}
    small = json.loads(nacc(["fit", "--json", "--max", "1"], COUNCIL.encode()).text)
    assert small["smallest"] > 1
    head, *rows = [line.split("\t") for line in nacc(["fit", "--tsv"], data).lines]
    assert head == ["line", "length", "budget", "unit", "text"]
    assert rows[0] == ["1", str(first["length"]), "50", "characters", first["text"]]
    assert rows[1] == ["2", "", "50", "characters", ""]


def test_out_may_be_the_input_itself(nacc, tmp_path):
    file = tmp_path / "leads.txt"
    file.write_text(f"{COUNCIL}\n{SQUID}\n")
    file.chmod(0o640)
    expected = nacc(["fit", "-i", file]).out
    assert nacc(["fit", "-i", file, "-o", file]).code == 0
    assert file.read_bytes() == expected
    assert file.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_unreadable_input_is_exit_code_2(nacc, tmp_path):
    for path in (tmp_path / "none.txt", tmp_path):
        done = nacc(["fit", "--in", path])
        assert (done.code, done.out) == (2, b"")
        assert done.err.startswith(f"nacc: cannot read {path}")


@pytest.mark.parametrize("how", [["--in", "a.PARQUET"], ["--in", "a.x", "--format", "parquet"]])
def test_parquet_is_pointed_to_bulk(nacc, how):
    done = nacc(["fit", *how])
    assert (done.code, done.out) == (2, b"")
    assert done.err == f"nacc: {how[1]}: Parquet is not read row by row, but by nacc bulk\n"


def test_what_is_said_of_a_file_says_nothing_to_the_terminal(nacc, tmp_path):
    file = tmp_path / "a.parquet"
    file.write_bytes(b"PAR1\x15\x00\x1b[31m\x9b\xff,b\rc\xc2\x85\xe2\x80\xae\nx,\x1b[2J\n")
    asked = ["fit", "--in", file, "--format"]
    done = nacc([*asked, "csv"])
    names = r"PAR1\x15\x00\x1b[31m\udc9b\udcff, b\rc\x85\u202e"
    assert done.err == f"nacc: which column?; choose with --column one of: {names}\n"
    row = b'{"\\u001b[2J": 1}\n'
    told = nacc(["fit", "--format", "jsonl"], row).err
    assert told.endswith(": no key 'text'; choose with --column one of: \\x1b[2J\n")


def test_json_documents_are_pointed_to_json_lines(nacc, tmp_path):
    file = tmp_path / "a.json"
    file.write_text("[]")
    done = nacc(["fit", "-i", file])
    assert done.code == 2
    assert "make it JSON Lines" in done.err
