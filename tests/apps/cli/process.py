"""The real `nacc` command, as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMAND = Path(sys.executable).parent / "nacc"


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode("utf-8")

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()


def start(arguments: Sequence[str | Path], **options: Any) -> subprocess.Popen[bytes]:
    """The command, with pipes to all three of its streams unless told otherwise."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        [COMMAND, *map(str, arguments)],
        **{**pipes, "env": {**os.environ, "NO_COLOR": "1"}, **options},
    )


def finish(running: subprocess.Popen[bytes], stdin: bytes | None = None) -> Done:
    out, err = running.communicate(stdin, timeout=60)
    return Done(running.returncode, out or b"", (err or b"").decode("utf-8"))


def bash(script: str, *arguments: object, **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run a script in which $0 is the command, $1… the arguments."""
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {script}", COMMAND, *map(str, arguments)],
        check=False,
        capture_output=True,
        timeout=60,
        env={**os.environ, **env},
    )
