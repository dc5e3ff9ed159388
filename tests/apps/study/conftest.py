"""A study on disk, and the process that serves it."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("starlette", reason='needs pip install "nacc[serve]"')


class StudyServer:
    """`nacc study FILE` on a free port."""

    def __init__(self, file, *flags: str) -> None:
        self.file = file
        code = "import sys\nfrom nacc.apps.cli import main\nmain(sys.argv[1:])"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, "study", str(file), "--port", "0", *flags],
            stdout=subprocess.PIPE,
            text=True,
        )
        for line in self.process.stdout:
            if line.startswith("listening on "):
                self.url = line.split()[-1]
                return
        raise AssertionError("nacc study did not listen")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(10)


@pytest.fixture
def serve():
    started = []

    def start(file, *flags):
        started.append(StudyServer(file, *flags))
        return started[-1]

    yield start
    for server in started:
        server.kill()
