"""Backups: the first free name, and nothing that was there is touched."""

from __future__ import annotations

import os

import pytest

from nacc.data.output import back_up
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
