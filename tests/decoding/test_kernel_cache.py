"""What was compiled is not used again once any kernel has changed, in whichever file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from nacc.compiled import PACKAGE

ASKED = (
    "from nacc.decoding import decode\n"
    "answer = decode([[-3.0, -1.0, -2.0]], [0, 1, 1], 9, method='greedy')\n"
    "print(answer.score)"
)


def answer(packages: Path) -> float:
    """What a new process says, with the package copied to a folder of its own."""
    own = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", ASKED],
        env={**own, "PYTHONPATH": str(packages)},
        cwd=packages,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def test_a_change_to_a_shared_kernel_is_seen_by_those_that_call_it(tmp_path):
    copy = tmp_path / "nacc"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("weights", "__pycache__"))
    assert answer(tmp_path) == -1.0
    kept = list((copy / "__pycache__").rglob("*.nbi"))
    assert any("greedy" in path.name for path in kept)
    shared = copy / "decoding" / "kernels" / "paths.py"
    text = shared.read_text("utf-8")
    changed = text.replace("score, before = 0, 0.0", "score, before = 0, 100.0")
    assert changed != text
    shared.write_text(changed, "utf-8")
    assert answer(tmp_path) == 99.0  # by the greedy decoder, whose own file is as it was
    assert not any(path.exists() for path in kept)
