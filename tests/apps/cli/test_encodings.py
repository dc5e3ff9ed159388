"""`--encoding`: by whatever name, and what comes out has the marks that went in."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("name", ["utf-8-sig", "UTF8", "U8"])
def test_utf_8_is_utf_8_however_it_is_named(nacc, tmp_path, name):
    file, data = tmp_path / "a.csv", b"\xef\xbb\xbfid,text\n1,Man bites dog\n2,caf\xe9\n"
    file.write_bytes(data)
    asked = ["--column", "text", "--encoding", name]
    said = nacc(["fit", "-i", file, *asked])
    assert said.out == b"\xef\xbb\xbfid,text,summary\n1,Man bites dog,Man bites dog\n2,caf\xe9,\n"
    nacc(["bulk", file, "--out", tmp_path / "out", *asked])
    made = (tmp_path / "out" / "a.csv").read_bytes()
    assert made.startswith(b"\xef\xbb\xbfid,text,summary,error\n1,Man bites dog,Man bites dog,\n2,")
    file.write_bytes(data.removesuffix(b"2,caf\xe9\n"))
    assert nacc(["check", file, *asked, "--max", "5", "--fix"]).code == 0
    assert file.read_bytes().count(b"\xef\xbb\xbf") == 1


def test_an_encoding_that_marks_every_text_is_refused(nacc, tmp_path):
    (tmp_path / "a.csv").write_bytes("text\nMan bites dog\n".encode("utf-16"))
    for command in (["fit", "-i"], ["bulk", "-o", tmp_path / "out"], ["check", "--max", "5"]):
        done = nacc([*command, tmp_path / "a.csv", "--encoding", "utf-16"])
        assert (done.code, done.out) == (2, b"")
        assert "utf-16 has a mark; say utf-16-le or utf-16-be" in done.err
