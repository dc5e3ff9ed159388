"""Every command and code block of the README runs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tools.readme_examples import ARROW, run, updated

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
PYTHON = [code for language, code in BLOCKS if language == "python"]
COMMANDS = [
    line.split("  #")[0].strip()
    for language, code in BLOCKS
    if language == "sh"
    for line in code.splitlines()
    if line.strip() and not line.startswith(ARROW)
]


def test_the_readme_has_code_to_run() -> None:
    assert PYTHON
    assert len(COMMANDS) >= 5


def test_the_outputs_shown_are_what_the_packaged_model_says() -> None:
    assert README.count(ARROW) >= 6
    assert updated(README) == README, "run: python tools/readme_examples.py README.md"


def test_outputs_that_are_not_what_is_said_are_brought_up_to_date() -> None:
    page = (
        '```python\nprint(1 + 1)  # → 3\nprint("and")  # as it is\n```\n'
        "```sh\necho one; echo two\n# → three\necho four  # as it is\n```\n"
    )
    assert updated(page) == page.replace("→ 3", "→ 2").replace("→ three", "→ one\n# → two")


@pytest.mark.parametrize("code", PYTHON)
def test_python_block_runs_and_prints(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


PLAIN = [c for c in COMMANDS if not c.startswith(("make", "curl")) and not c.endswith("&")]


@pytest.mark.parametrize("command", PLAIN)
def test_command_runs_and_prints(command: str) -> None:
    assert run(command).strip()


def test_the_service_answers_as_shown() -> None:
    serve = next(c for c in COMMANDS if c.endswith("&"))
    curl = next(c for c in COMMANDS if c.startswith("curl"))
    port = re.search(r"--port (\d+)", serve)
    assert port
    url = f"http://127.0.0.1:{port[1]}/health/ready"
    ready = f"for i in $(seq 300); do curl -sf {url} >/dev/null && break; sleep 0.2; done"
    output = run(f"{serve} server=$!; trap 'kill $server' EXIT; {ready}; {curl}")
    short, long = (one["text"] for one in json.loads(output)["results"][0]["summaries"])
    assert 0 < len(short) <= 30
    assert 0 < len(long.encode()) <= 75


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("make")])
def test_make_targets_exist(command: str) -> None:
    """`make test` runs this very test and `make demo` only installs before it runs `nacc`: a dry
    run shows that every step is there."""
    steps = run(f"{command} --dry-run")
    assert "nacc" in steps or "pytest" in steps


def test_every_link_leads_somewhere() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)", README) if "://" not in link]
    assert links
    missing = [link for link in links if not (ROOT / link).exists()]
    assert not missing
