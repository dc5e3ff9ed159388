"""Standard output and standard error that are full, closed or no longer read."""

from __future__ import annotations

from pathlib import Path

import pytest

from .process import bash

LINES = ["units", "models", "--help", "--version", "fit --help", "fit bridge", "explain bridge"]
FULL = b"nacc: cannot write standard output: No space left on device\n"
CLOSED = b"nacc: cannot write standard output: Bad file descriptor\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("line", LINES)
def test_a_full_disk_is_told_in_one_line_whatever_is_written(line, unbuffered):
    done = bash(f'"$0" {line} > /dev/full', PYTHONUNBUFFERED=unbuffered)
    assert (done.returncode, done.stderr) == (2, FULL)


@pytest.mark.parametrize("line", LINES)
def test_a_closed_standard_output_is_told_in_one_line(line):
    done = bash(f'"$0" {line} >&-')
    assert (done.returncode, done.stderr) == (2, CLOSED)


def test_a_closed_standard_output_that_is_not_needed_is_no_error(tmp_path):
    done = bash('"$0" fit bridge --out "$1" >&-', tmp_path / "short.txt")
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "short.txt").read_text() == "bridge\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("line", ["--help", "--version", "units"])
def test_a_reader_that_leaves_at_once_is_no_error(line, unbuffered):
    done = bash(f'"$0" {line} | true', PYTHONUNBUFFERED=unbuffered)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("line", ["units", "explain 'The mayor did not resign.' --max 20"])
def test_results_are_utf_8_whatever_the_locale(line):
    ascii_only, usual = (bash(f'"$0" {line}', PYTHONIOENCODING=each) for each in ("ascii", "utf-8"))
    assert (ascii_only.returncode, ascii_only.stderr) == (0, b"")
    assert ascii_only.stdout == usual.stdout
    assert not usual.stdout.isascii()


TABLE = "id,text\n1,\n2,Man bites dog\n"
SHORT = b"id,text,summary\n1,,\n2,Man bites dog,Man bites dog\n"


@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full"])
def test_what_nobody_can_be_told_is_in_no_result_and_costs_none(tmp_path, where):
    table = tmp_path / "a.csv"
    table.write_text(TABLE)
    done = bash(f'"$0" fit --in "$1" {where}', table)
    assert (done.returncode, done.stdout, done.stderr) == (1, SHORT, b"")
    wrong = bash(f'"$0" fit --nonsense {where}')
    assert (wrong.returncode, wrong.stdout, wrong.stderr) == (2, b"", b"")
