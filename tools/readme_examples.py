"""What the packaged model says in a page's examples: `python tools/readme_examples.py README.md`
brings them up to date. Read them afterwards: what does not read well is no example.

An output stands after an arrow: behind a print in a block of Python, on lines of its own after a
command in a block for a shell. In a block of text, one source is followed by budgets: an amount,
then what is said in so many characters; or a command behind a $ by all that it writes, in the
folder `docs/examples`.
"""

from __future__ import annotations

import builtins
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from nacc import Summarizer

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "docs" / "examples"
ARROW = "# → "
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def updated(page: str) -> str:
    """The page with what is said now."""
    rewrite = {"text": _opening, "python": _python, "sh": _shell}

    def block(found: re.Match[str]) -> str:
        language, code = found[1], found[2]
        return f"```{language}\n{rewrite[language](code) if language in rewrite else code}```"

    return _BLOCK.sub(block, page)


def _opening(code: str) -> str:
    """A source, and what is said of it in so many characters; or a command and what it writes."""
    if code.startswith("$ "):
        command = code.split("\n", 1)[0]
        return f"{command}\n{run(f'{command[2:]} 2>&1 || true', EXAMPLES)}"
    if not code.startswith("source"):
        return code
    first = re.search(r"^\d+ ", code, re.MULTILINE)
    assert first, "a source without a budget"
    source = " ".join(code[: first.start()].removeprefix("source").split())
    model = Summarizer.load()

    def line(found: re.Match[str]) -> str:
        return f"{found[1]}{found[2]}{model.summarize(source, int(found[1]))}"

    return re.sub(r"^(\d+)( +)\S.*$", line, code, flags=re.MULTILINE)


def _python(code: str) -> str:
    """Every print that has an arrow behind it, with what it prints."""
    if ARROW not in code:
        return code
    printed: dict[int, list[str]] = {}

    def record(*values: Any, **_: Any) -> None:
        line = sys._getframe(1).f_lineno
        printed.setdefault(line, []).append(" ".join(map(str, values)))

    exec(compile(code, "example", "exec"), {"__builtins__": {**vars(builtins), "print": record}})
    lines = code.split("\n")
    for i, line in enumerate(lines):
        before, arrow, _ = line.partition(ARROW)
        if arrow:
            lines[i] = before + arrow + " | ".join(printed[i + 1])
    return "\n".join(lines)


def _shell(code: str) -> str:
    """Every command that is followed by arrows, with the lines it writes."""
    kept: list[str] = []
    lines = code.split("\n")
    for i, line in enumerate(lines):
        if line.startswith(ARROW):
            continue
        kept.append(line)
        if i + 1 < len(lines) and lines[i + 1].startswith(ARROW):
            kept += [ARROW + each for each in run(line).splitlines()]
    return "\n".join(kept)


def run(command: str, folder: Path = ROOT) -> str:
    """What a command writes, with this environment's `nacc` first on the path."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        check=False, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True,
        timeout=300,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{command}: {done.stderr}")
    return done.stdout


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(updated(path.read_text("utf-8")), "utf-8")
