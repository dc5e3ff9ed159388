"""Real processes: two that train together, and one that is killed and goes on."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file

from nacc.apps.cli import main
from nacc.learning.checkpoint import RunState
from nacc.learning.metrics import read

HERE = Path(__file__).parent
NACC = [sys.executable, "-m", "nacc"]
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"]
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}


def started(command, **options) -> subprocess.Popen[str]:
    return subprocess.Popen(
        list(map(str, command)), env=ENVIRONMENT, text=True, stderr=subprocess.PIPE, **options
    )


def _interruptible() -> None:
    """Let a process heed interrupts even where we ourselves, under nohup say, ignore them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def finished(command) -> str:
    process = started(command, stdout=subprocess.PIPE)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out


LINKED = {"slots": 2, "slot_layers": 1, "link_heads": 4, "decoder_layers": 1}


@pytest.mark.parametrize("shape", [{}, LINKED], ids=["ctc", "linked"])
def test_two_processes_learn_one_and_the_same_network(tmp_path, shape):
    out = finished([*TORCHRUN, HERE / "two_processes.py", tmp_path, 60, json.dumps(shape)])
    assert out.count("summary:") == 1
    one, other = (load_file(tmp_path / f"rank{rank}.safetensors") for rank in (0, 1))
    assert all(torch.equal(one[name], other[name]) for name in one)
    records = read(tmp_path / "metrics.jsonl")
    assert [record["update"] for record in records] == [50, 60]
    assert records[-1]["loss"] < 0.5 * records[0]["loss"]
    # Weights that differ, as the script makes them at the end, are noticed by both.
    assert all((tmp_path / f"noticed{rank}").exists() for rank in (0, 1))


def test_a_killed_process_loses_no_more_than_since_its_checkpoint(tmp_path, capsys):
    command = ["train", "--smoke", "--updates", "100", "--out", str(tmp_path)]
    checkpoint = tmp_path / "checkpoint.safetensors"
    process = started([*NACC, *command], stdout=subprocess.DEVNULL)
    for _ in range(1200):
        if checkpoint.exists() or process.poll() is not None:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    with safe_open(str(checkpoint), "pt") as file:
        reached = RunState.from_json(file.metadata()["progress"], checkpoint).update
    assert reached == 50
    with pytest.raises(SystemExit) as ended:
        main(command)
    assert not ended.value.code
    out, err = capsys.readouterr()
    updates = [line.split(",")[0] for line in err.splitlines() if line.startswith("update")]
    assert updates == ["update 100"]
    assert [record["update"] for record in read(tmp_path / "metrics.jsonl")] == [50, 100]
    assert "million" in out.partition("summary:")[2]


def test_an_interrupted_run_leaves_quietly(tmp_path):
    command = [*NACC, "train", "--smoke", "--updates", "5000", "--out", tmp_path]
    process = started(command, stdout=subprocess.DEVNULL, preexec_fn=_interruptible)
    for _ in range(1200):
        if (tmp_path / "metrics.jsonl").exists() or process.poll() is not None:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
