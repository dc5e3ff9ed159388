"""The real command at its edges: pipes, signals, terminals, a full disk."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from nacc.apps.cli import main, progress
from nacc.data.output import replacing

from .process import bash, finish, start
from .texts import COUNCIL, RAIL, SQUID


def on_a_terminal(arguments: list[str], until: str, **env: str) -> str:
    """What the command shows on a terminal, up to a given text; then it is stopped."""
    ours, theirs = pty.openpty()
    full = {**os.environ, "COLUMNS": "80", **env}
    running = start(arguments, stdin=theirs, stdout=theirs, stderr=theirs, env=full)
    os.close(theirs)
    shown = b""
    end = time.monotonic() + 60
    while until.encode() not in shown and time.monotonic() < end:
        if not select.select([ours], [], [], 1)[0]:
            continue
        try:
            block = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        shown += block
    running.kill()
    running.wait()
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def test_a_reader_that_leaves_early_is_no_error(tmp_path):
    file = tmp_path / "leads.txt"
    file.write_text(f"{COUNCIL}\n{SQUID}\n" * 400)
    done = bash('"$0" fit --in "$1" | head -1', file)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1
    units = bash('"$0" units | true')
    assert (units.returncode, units.stderr) == (0, b"")


def heeding_interrupts() -> None:
    """Even where we ourselves, under nohup say, ignore them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def ended_while_writing(out: Path, number: int) -> tuple[int, bytes]:
    """The exit code of a command that is sent a signal in mid-stream, and what it says."""
    running = start(["fit", "--json", "--out", out], preexec_fn=heeding_interrupts)
    assert running.stdin
    running.stdin.write(f"{COUNCIL}\n{RAIL}\n".encode() * 200)
    running.stdin.flush()
    end = time.monotonic() + 30
    while not any(path.stat().st_size for path in out.parent.glob(".short*")):
        assert time.monotonic() < end, "no draft was written"
        time.sleep(0.01)
    running.send_signal(number)
    _, err = running.communicate(timeout=30)
    return running.returncode, err


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_interrupted_in_mid_stream_nothing_is_left_behind(tmp_path, number, code):
    out = tmp_path / "short.txt"
    out.write_text("old")
    assert ended_while_writing(out, number) == (code, b"")
    assert out.read_text() == "old"
    assert list(tmp_path.iterdir()) == [out]


def test_interrupted_while_a_command_is_imported_it_ends_as_later(monkeypatch, capsys):
    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("nacc.apps.cli.import_module", interrupted)
    with pytest.raises(SystemExit) as left:
        main(["units"])
    assert left.value.code == 130
    assert capsys.readouterr() == ("", "")


def test_what_a_killed_command_left_the_next_one_removes_and_no_other_file(tmp_path):
    out, other = tmp_path / "short.txt", tmp_path / ".short.txt.mine.tmp"
    other.touch()  # no draft, for all its name
    assert ended_while_writing(out, signal.SIGKILL)[0] == -signal.SIGKILL
    assert len(list(tmp_path.glob(".short.txt.*.tmp"))) == 2
    assert finish(start(["fit", "Man bites dog", "--out", out])).code == 0
    assert out.read_text() == "Man bites dog\n"
    assert sorted(tmp_path.iterdir()) == [other, out]


def test_a_draft_that_is_being_written_is_left_alone(tmp_path):
    with replacing(tmp_path / "a.txt") as first, replacing(tmp_path / "a.txt") as second:
        first.write("first")
        second.write("second")
        first.keep()
        second.keep()
    assert (tmp_path / "a.txt").read_text() == "second"


def test_a_line_is_answered_before_the_next_one_comes():
    running = start(["fit", "--max", "40"])
    assert running.stdin and running.stdout
    for text in (COUNCIL, SQUID):
        running.stdin.write(text.encode() + b"\n")
        running.stdin.flush()
        assert select.select([running.stdout], [], [], 60)[0]
        assert 1 < len(running.stdout.readline()) <= 41
    assert finish(running).code == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    ("where", "told"), [("> /dev/full", b"standard output"), ("--out /dev/full", b"/dev/full")]
)
def test_a_full_disk_is_told_in_one_line(where, told):
    done = bash(f'echo "$1" | "$0" fit {where}', COUNCIL)
    assert done.returncode == 2
    assert done.stderr == b"nacc: cannot write " + told + b": No space left on device\n"


@pytest.mark.parametrize("out", ["/dev/stdout", "-"])
def test_standard_output_may_be_named(tmp_path, out):
    script = '(echo before; "$0" fit "$1" --out "$2"; echo after) > all.txt; cat all.txt; ls'
    done = bash(f'cd "$3"; {script}', "Man bites dog", out, tmp_path)
    assert done.stdout == b"before\nMan bites dog\nafter\nall.txt\n"


def test_a_terminal_shows_a_ruler():
    shown = on_a_terminal(["fit", COUNCIL, "--max", "40"], "of 40 characters", NO_COLOR="1")
    text, ruler = shown.splitlines()[-2:]
    length = len(text)
    assert ruler.startswith("────────10───")
    assert ruler.index("┤") + 1 == length
    assert ruler.endswith(f" {length} of 40 characters")


def test_a_terminal_without_a_text_is_told_what_to_do():
    assert "nothing to summarize" in on_a_terminal(["fit"], "sentence")


def test_the_first_run_says_that_it_compiles(tmp_path):
    shown = on_a_terminal(["fit", COUNCIL], "…", NUMBA_CACHE_DIR=str(tmp_path))
    assert "compiling the decoders, once on this machine" in shown


@pytest.fixture
def terminals():
    """A terminal, to read what it shows and to write to."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as stream:
        yield ours, stream
    os.close(ours)


def shown_until(terminal: int, text: bytes) -> bytes:
    shown = b""
    while text not in shown and select.select([terminal], [], [], 1)[0]:
        shown += os.read(terminal, 4096)
    return shown


def test_a_progress_bar_after_some_time_and_only_on_a_terminal(terminals, monkeypatch):
    terminal, stream = terminals
    monkeypatch.setattr(sys, "stderr", stream)
    with progress.Progress(1000, shown=True) as patient:
        patient.update(100, 3)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with progress.Progress(1000, shown=False) as hidden:
        hidden.update(100, 3)
    assert not select.select([terminal], [], [], 0)[0]
    with progress.Progress(1000, shown=True) as bar:
        bar.update(500, 1234)
    assert b"1,234 texts" in shown_until(terminal, b"1,234 texts")


def test_long_work_shows_its_rate_and_the_time_left_from_the_start(terminals, monkeypatch):
    terminal, stream = terminals
    monkeypatch.setattr(sys, "stderr", stream)
    now = 1000.0
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now))
    with progress.Progress(1000, shown=True, what="row", at_once=True) as bar:
        bar.begin(200, 40)
        assert b"40 rows" in shown_until(terminal, b"40 rows")
        now += 5  # the model is loaded
        bar.update(210, 41)
        now += 10
        bar.update(310, 61)  # 20 rows and 100 bytes in ten seconds: 690 bytes are left
        assert b"61 rows, 2/s, 0:01:09 left" in shown_until(terminal, b"left")


def test_where_there_is_no_terminal_long_work_says_a_line_now_and_then(capsys, monkeypatch):
    monkeypatch.setattr(progress, "REPORT_EVERY", 0.0)
    with progress.Progress(1000, shown=True) as short:
        short.update(500, 1)
    with progress.Progress(None, shown=True, what="row", at_once=True) as long:
        long.update(500, 1)
    assert capsys.readouterr().err == "nacc: 1 row\n"


def test_nothing_heavy_is_imported_to_fit_a_sentence():
    script = (
        "import sys; from nacc.apps.cli import main\n"
        "try: main(['fit', sys.argv[1]])\n"
        "except SystemExit as left: assert not left.code\n"
        "heavy = {'rich', 'torch', 'fastapi', 'matplotlib', 'asyncio'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    shown = subprocess.check_output([sys.executable, "-c", script, COUNCIL], text=True, timeout=60)
    assert shown.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("nacc che", {"check"}),
        ("nacc fit --for push", {"push", "push-title"}),
        ("nacc explain --sv", {"--svg"}),
    ],
)
def test_a_shell_can_complete_commands_options_and_values(words, offered):
    line = words.split()
    asking = {"_NACC_COMPLETE": "complete_bash", "COMP_WORDS": words}
    env = {**os.environ, **asking, "COMP_CWORD": str(len(line) - 1)}
    assert set(finish(start([], env=env)).lines) == offered


@pytest.mark.parametrize(
    "arguments", [["--version"], ["--help"], ["units"], ["fit", "--help"], ["models", "--json"]]
)
def test_what_needs_no_model_loads_neither_numba_nor_onnxruntime(arguments, tmp_path):
    script = (
        "import sys; from nacc.apps.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit as left: assert not left.code\n"
        "print(sorted({'numba', 'onnxruntime', 'tokenizers'} & set(sys.modules)))"
    )
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "none")}
    command = [sys.executable, "-c", script, *arguments]
    shown = subprocess.check_output(command, text=True, timeout=60, env=env)
    assert shown.splitlines()[-1] == "[]"
    assert not (tmp_path / "none").exists()
