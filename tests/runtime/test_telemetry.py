"""Loading a model tells nobody: no id and no queue of events is left in the home."""

from __future__ import annotations

import os
import subprocess
import sys

from nacc.runtime.folder import PACKAGED

LOAD = """
import pathlib, sys, time
from nacc.runtime.session import session
session(pathlib.Path(sys.argv[1]), 1)
time.sleep(1)
"""


def test_nothing_is_written_into_the_home(tmp_path):
    names = ("XDG_CACHE_HOME", "ORT_DISABLE_TELEMETRY")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    subprocess.run(
        [sys.executable, "-c", LOAD, str(PACKAGED / "default" / "model.onnx")],
        env={**environment, "HOME": str(tmp_path)},
        check=True,
        timeout=60,
    )
    assert not list(tmp_path.rglob("*"))
