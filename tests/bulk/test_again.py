"""A job that was stopped, killed or done before: it goes on, and ends with the same files."""

from __future__ import annotations

import errno
import os
from dataclasses import replace

import pytest

from nacc.bulk.parts import Counts
from nacc.bulk.run import WORK, Run
from nacc.errors import InvalidInput, MissingExtra
from nacc.length import Budget

from .jobs import NoWatch, one_by_one, roomy, run, stopping_after, tree, write_all


def test_called_again_it_does_nothing_and_says_the_same(tmp_path, small_parts):
    job = roomy(write_all(tmp_path / "in", 20), tmp_path / "out")
    counts, made = run(job), tree(tmp_path / "out")
    again = Run(job).go(lambda *_: pytest.fail("it was done already"), NoWatch())
    assert again == counts == Counts(100, 20)
    assert tree(tmp_path / "out") == made


@pytest.mark.parametrize("number", [0, 1, 2, 5])
def test_stopped_again_and_again_it_ends_with_the_very_same_files(tmp_path, small_parts, number):
    named = write_all(tmp_path / "in", 30)
    run(roomy(named, tmp_path / "whole"))
    job = roomy(named, tmp_path / "out")
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            Run(job).go(stopping_after(number), NoWatch())
    assert (tmp_path / "out" / WORK).exists()
    run(job)
    assert tree(tmp_path / "out") == tree(tmp_path / "whole")


@pytest.mark.skipif(os.fsencode("\udcff") != b"\xff", reason="names of files are no bytes here")
def test_a_file_whose_name_is_no_utf_8_is_one_of_the_job(tmp_path, small_parts):
    named = write_all(tmp_path / "in", 10)
    try:
        (tmp_path / "in" / "c.txt").rename(tmp_path / "in" / "c\udcff.txt")
    except OSError:
        pytest.skip("this disk takes no such name")
    job = roomy(named, tmp_path / "out")
    with pytest.raises(KeyboardInterrupt):
        Run(job).go(stopping_after(2), NoWatch())
    assert run(job) == run(job) == Counts(50, 10)
    assert (tmp_path / "out" / "c\udcff.csv").exists()


@pytest.mark.parametrize("last", ["a.csv", "b.jsonl"])
def test_killed_between_a_files_name_and_its_mark_it_is_made_again(
    tmp_path, small_parts, monkeypatch, last
):
    named = write_all(tmp_path / "in", 10)
    run(roomy(named, tmp_path / "whole"))
    job, touch = roomy(named, tmp_path / "out"), type(tmp_path).touch

    def killed(self):
        if (tmp_path / "out" / last).exists():
            raise KeyboardInterrupt
        touch(self)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(type(tmp_path), "touch", killed)
        run(job)
    run(job)
    assert tree(tmp_path / "out") == tree(tmp_path / "whole")


def test_another_job_or_changed_input_is_refused(tmp_path):
    named = write_all(tmp_path / "in", 5)
    job = roomy(named, tmp_path / "out")
    with pytest.raises(KeyboardInterrupt):
        Run(job).go(stopping_after(1), NoWatch())
    with pytest.raises(InvalidInput, match=r"different: budgets\)"):
        run(replace(job, budgets=(Budget.of(100_001),)))
    os.utime(tmp_path / "in" / "b.jsonl", (1, 2))
    with pytest.raises(InvalidInput, match=r"different: files\)"):
        run(job)


def test_what_was_there_is_not_overwritten_and_a_bad_job_leaves_nothing(tmp_path):
    named = write_all(tmp_path / "in", 5)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "b.jsonl").write_text("mine")
    with pytest.raises(InvalidInput, match=r"b\.jsonl is there already"):
        run(roomy(named, tmp_path / "out"))
    with pytest.raises(InvalidInput, match="no column 'lead'"):
        run(replace(roomy(named, tmp_path / "new"), column="lead"))
    assert tree(tmp_path / "out") == {"b.jsonl": b"mine"}
    assert not (tmp_path / "new").exists()


def test_a_part_that_other_machines_wrote_elsewhere_is_missed(tmp_path):
    job = roomy(write_all(tmp_path / "in", 5), tmp_path / "out")

    def elsewhere(job, parts, folder):
        (tmp_path / "elsewhere").mkdir()
        yield from one_by_one(job, parts, tmp_path / "elsewhere")

    with pytest.raises(InvalidInput, match="all machines must see that folder"):
        Run(job).go(elsewhere, NoWatch())


def test_an_input_that_changes_while_it_is_read_ends_the_run(tmp_path, small_parts):
    job = roomy(write_all(tmp_path / "in", 30), tmp_path / "out")

    def engine(*given):
        for step in one_by_one(*given):
            yield step
            os.utime(tmp_path / "in" / "a.csv", (1, 2))

    with pytest.raises(InvalidInput, match=r"a\.csv changed while it was read"):
        Run(job).go(engine, NoWatch())
    assert not (tmp_path / "out" / "a.csv").exists()


def test_a_full_disk_is_named_wherever_it_is_felt(tmp_path, monkeypatch):
    (tmp_path / "a.jsonl").write_text("not JSON\n")
    job = roomy([str(tmp_path / "a.jsonl")], tmp_path / "out")

    def full(*given):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr("nacc.bulk.unchanged.Unchanged.keep", full)
        with pytest.raises(InvalidInput, match=r"00000-000000.*: No space left on device"):
            run(job)
    assert run(job) == Counts(1, 1)


def test_two_runs_at_a_time_are_one_too_many(tmp_path):
    job = roomy(write_all(tmp_path / "in", 5), tmp_path / "out")

    def engine(*given):
        with pytest.raises(InvalidInput, match="another run is at work"):
            run(job)
        yield from one_by_one(*given)

    Run(job).go(engine, NoWatch())


@pytest.mark.parametrize("gone", ["a.csv", "b.jsonl"])
def test_a_file_that_was_removed_since_is_made_again_and_no_other(tmp_path, small_parts, gone):
    job, out = roomy(write_all(tmp_path / "in", 20), tmp_path / "out"), tmp_path / "out"
    counts, made = run(job), tree(out)
    other = "b.jsonl" if gone == "a.csv" else "a.csv"
    (out / gone).unlink()
    (out / other).write_text("mine by now")
    with pytest.raises(KeyboardInterrupt):
        Run(job).go(stopping_after(1), NoWatch())
    assert run(job) == counts
    assert tree(out) == {**made, other: b"mine by now"}


def test_a_file_that_was_removed_before_the_run_went_on_is_made_again(tmp_path, small_parts):
    named = write_all(tmp_path / "in", 30)
    run(roomy(named, tmp_path / "whole"))
    job, target = roomy(named, tmp_path / "out"), tmp_path / "out" / "a.csv"

    def engine(*given):
        for step in one_by_one(*given):
            yield step
            if target.exists():
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Run(job).go(engine, NoWatch())
    target.unlink()
    run(job)
    assert tree(tmp_path / "out") == tree(tmp_path / "whole")


def test_a_job_that_nobody_could_begin_may_be_begun_otherwise(tmp_path):
    named = write_all(tmp_path / "in", 5)

    def engine(*given):
        raise MissingExtra("--engine ray", "ray")
        yield

    with pytest.raises(MissingExtra):
        Run(roomy(named, tmp_path / "out")).go(engine, NoWatch())
    assert run(roomy(named, tmp_path / "out", device="gpu")) == Counts(25, 5)
