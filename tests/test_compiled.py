"""Compiled kernels are kept on disk, and a disk that keeps nothing or half costs no answer."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

KERNEL = """
from nacc.compiled import kernel

def doubled(number):
    return 2 * number

doubled = kernel(doubled)
print(doubled(21), sum(doubled.stats.cache_hits.values()))
"""


@pytest.fixture
def run(tmp_path):
    """Call a kernel in a process of its own: what it says, and whether it was kept."""
    script = tmp_path / "script.py"
    script.write_text(KERNEL)

    def called(before: str = "") -> str:
        return subprocess.run(
            ["bash", "-c", f'{before}exec "$0" "$1"', sys.executable, script],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "kept")},
            check=True,
            capture_output=True,
            text=True,
            timeout=60,
        ).stdout.strip()

    return called


def test_a_kernel_is_compiled_once(run):
    assert run() == "42 0"
    assert run() == "42 1"


def test_where_no_file_may_grow_a_kernel_is_compiled_each_time(run):
    for _ in range(2):
        assert run("ulimit -f 1; ") == "42 0"
    assert run() == "42 0"
    assert run() == "42 1"


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("left", [0, 20])
def test_half_a_file_is_as_none(run, tmp_path, ending, left):
    run()
    (file,) = tmp_path.rglob(f"*.{ending}")
    os.truncate(file, left)
    assert run() == "42 0"
    assert run() == "42 1"
