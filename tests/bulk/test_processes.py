"""The real command: workers and the command itself are killed, and the files are the same."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.apps.cli.process import finish, start

from .jobs import tree, write_all

ROWS = 100


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("bulk") / "in"
    write_all(folder, ROWS)
    return folder


@pytest.fixture(scope="module")
def asked(files, linked_folder) -> list[str]:
    wanted = ["--column", "text", "--max", "40", "--model", str(linked_folder), "--workers", "2"]
    return ["bulk", str(files), *wanted]


@pytest.fixture(scope="module")
def whole(files, asked) -> dict[str, bytes]:
    """What a run writes that nobody disturbs."""
    done = finish(start([*asked, "--out", files.parent / "whole"]))
    assert done.code == 1
    said = done.err.splitlines()[-1]
    assert said == "nacc: 500 rows, 100 without a summary: see the column 'error'"
    return tree(files.parent / "whole")


def until(happens: Callable[[], object]) -> None:
    end = time.monotonic() + 120
    while not happens():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)


def parts(out: Path) -> set[str]:
    return {path.name for path in (out / ".nacc").glob("*-*.*-*")}


def children(process: int) -> list[int]:
    """The workers of a command."""
    try:
        return [
            int(each)
            for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()
        ]
    except FileNotFoundError:
        return []


def is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_killed_at_any_moment_and_called_again_it_ends_with_the_same_files(asked, whole, tmp_path):
    out = tmp_path / "out"
    for number in range(3):
        before = parts(out)
        running = start([*asked, "--out", out], start_new_session=True)
        until(lambda: running.poll() is not None or len(parts(out) - before) > number % 2)  # noqa: B023
        if running.poll() is not None:  # there was little left, and it was quick
            assert number, "it was done before it could be killed"
            running.communicate()
            break
        running.kill()
        running.communicate()
        until(lambda: not is_alive(running.pid))  # noqa: B023
        assert (out / ".nacc").exists()
    else:
        done = finish(start([*asked, "--out", out]))
        assert done.code == 1
        assert "nacc: going on after " in done.err
    assert tree(out) == whole


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_other_signals_leave_what_can_be_gone_on_with(asked, whole, tmp_path, number, code):
    out = tmp_path / "out"
    running = start(
        [*asked, "--out", out],
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    until(lambda: len(parts(out)) >= 1)
    running.send_signal(number)
    _, err = running.communicate()
    assert (running.returncode, err) == (code, b"")
    until(lambda: not is_alive(running.pid))
    assert finish(start([*asked, "--out", out])).code == 1
    assert tree(out) == whole


def test_a_worker_that_dies_is_replaced(asked, whole, tmp_path):
    out = tmp_path / "out"
    running = start([*asked, "--out", out])
    until(lambda: parts(out) and len(children(running.pid)) >= 2)
    os.kill(children(running.pid)[-1], signal.SIGKILL)
    assert finish(running).code == 1
    assert tree(out) == whole


def test_rows_with_no_place_for_what_is_wrong_with_them_are_told(tmp_path):
    good = '{"text": "Man bites dog"}\n'
    (tmp_path / "a.jsonl").write_text(f"not JSON\n{good}" * 12 + '{"text": ""}\n')
    (tmp_path / "b.jsonl").write_text(good)
    asked = ["bulk", tmp_path / "a.jsonl", "--out", tmp_path / "out"]
    for _ in range(2):
        done = finish(start(asked))
        assert done.code == 1
        *told, last = done.err.splitlines()
        why = "not JSON: Expecting value at line 1, column 1"
        assert told == [f"nacc: {tmp_path / 'a.jsonl'}:{2 * i + 1}: {why}" for i in range(10)]
        assert last == (
            "nacc: 25 rows, 13 without a summary: see the column 'error'; "
            "12 stayed as before, with no place to say why: see _nacc.json"
        )
    one = finish(start(["bulk", tmp_path / "b.jsonl", "--out", tmp_path / "one"]))
    assert (one.code, one.err) == (0, "nacc: 1 row\n")


def test_wrong_usage_is_one_line(tmp_path):
    (tmp_path / "a.csv").write_text("text\nMan bites dog\n")
    asked = ["bulk", tmp_path / "a.csv", "--out", tmp_path / "out"]
    for more, told in {
        ("--engine", "spark"): "unknown engine 'spark'; known: processes, ray",
        ("--address", "auto"): "--address goes with --engine ray",
        ("--with", "mood"): "unknown detail 'mood'; known: length, method, confidence, note",
        ("--into", "text"): f"{tmp_path / 'a.csv'}: there is a column 'text' already",
        ("--errors", "summary"): "two columns would have one name: summary\n",
        ("--max", "30", "--max", "30"): "two columns would have one name: summary_30\n",
        ("--errors", ""): "--errors needs a name",
        ("--out", "-"): "--out is a folder here",
    }.items():
        done = finish(start([*asked, *more]))
        assert done.code == 2
        assert done.err.startswith(f"nacc: {told}") and done.err.count("\n") == 1
    assert not (tmp_path / "out").exists()
