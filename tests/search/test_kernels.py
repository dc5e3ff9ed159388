"""Compiled code is never older than its source, whichever file the change is in."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import nacc

SEARCH = """
from itertools import combinations
import numpy as np
from nacc.search.kernels.chains import true_score
from nacc.search.kernels.problem import SearchProblem

n = 6
vectors = np.random.default_rng(0).normal(0.4, 1.0, (n + 2, n))
dots = vectors @ vectors.T
to_source, costs = dots.sum(axis=1) / np.sqrt(dots.sum()), np.ones(n + 2, np.int64)
problem = SearchProblem(np.zeros((n + 2,) * 3), dots, to_source, costs, 2, 0, 1.0, 12.0)
bonus = np.zeros(n + 2)
print(max(
    combinations(range(1, n + 1), 2),
    key=lambda kept: true_score(problem, bonus, np.array(kept), -9.0),
))
"""
"""A small search: of all pairs of words the one that says most of the sentence."""
SCORE = "return problem.weight_lm * total / (2.0 * (k + 1)) + problem.weight_sim"


@pytest.fixture
def package(tmp_path) -> Path:
    """A copy of the package, without what it has compiled and without its models."""
    left_out = shutil.ignore_patterns("__pycache__", "weights")
    shutil.copytree(Path(nacc.__file__).parent, tmp_path / "nacc", ignore=left_out)
    return tmp_path / "nacc"


def found() -> str:
    """What a new process finds: the places of the words kept."""
    command = [sys.executable, "-c", SEARCH]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    return run.stdout.strip()


def test_a_change_in_a_kernel_that_another_file_calls_is_seen(package, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    best = found()
    assert found() == best  # from what the first process has compiled
    objective = package / "search" / "kernels" / "objective.py"
    source = objective.read_text("utf-8")
    assert SCORE in source
    objective.write_text(source.replace(SCORE, SCORE.replace(") +", ") -")), "utf-8")
    worst = found()
    assert len(worst) == len(best) and worst != best
