"""Files that are open already are written through; backups have the first free name, and nothing
that was there is touched."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nacc.data.output import back_up, writing
from nacc.errors import InvalidInput


def test_a_backup_has_the_first_free_name_and_the_files_times_and_permissions(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("old")
    file.chmod(0o640)
    os.utime(file, (1, 2))
    (tmp_path / "a.txt.bak.1").symlink_to(tmp_path / "nowhere")
    names = [back_up(file).name for _ in range(3)]
    assert names == ["a.txt.bak", "a.txt.bak.2", "a.txt.bak.3"]
    made = (tmp_path / "a.txt.bak").stat()
    assert (made.st_mode & 0o777, made.st_mtime) == (0o640, 2)
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_backup_that_cannot_be_written_is_an_error(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("old")
    tmp_path.chmod(0o500)
    with pytest.raises(InvalidInput, match="cannot write"):
        back_up(file)


SHELL = """import sys
from pathlib import Path
from nacc.data.output import writing
with writing(Path(sys.argv[1])) as write:
    write("said\\n")
"""


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="this system has no /proc")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "a-link", "-"])
def test_a_file_that_is_open_already_is_gone_on_with_where_it_is(tmp_path, name):
    (tmp_path / "a-link").symlink_to("/dev/stdout")
    with (tmp_path / "all.txt").open("w+b", buffering=0) as shared:
        shared.write(b"before\n")
        command = [sys.executable, "-c", SHELL, name]
        subprocess.run(command, stdout=shared, check=True, timeout=60, cwd=tmp_path)
        shared.write(b"after\n")
    assert (tmp_path / "all.txt").read_text() == "before\nsaid\nafter\n"
    assert sorted(tmp_path.iterdir()) == [tmp_path / "a-link", tmp_path / "all.txt"]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="this system has no /proc")
def test_a_file_that_another_process_has_open_is_not_replaced_behind_it(tmp_path):
    with (tmp_path / "theirs.txt").open("wb", buffering=0) as theirs:
        sleeper = subprocess.Popen(["sleep", "60"], stdout=theirs)
        try:
            with (
                pytest.raises(InvalidInput, match="another process has that file open"),
                writing(Path(f"/proc/{sleeper.pid}/fd/1")) as write,
            ):
                write("ours")
        finally:
            sleeper.kill()
            sleeper.wait()
    assert (tmp_path / "theirs.txt").read_bytes() == b""


def test_links_in_a_circle_are_told(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for name in ("a", "a/c"):
        with (
            pytest.raises(InvalidInput, match=f"cannot write .*{name}: Too many levels"),
            writing(tmp_path / name) as write,
        ):
            write("said")
