"""A cluster of two machines with a core each; a worker, or a machine, is lost in the middle."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from nacc.bulk import parts
from nacc.bulk.ray_data import work
from nacc.bulk.run import Run
from nacc.errors import InvalidInput

from .jobs import NoWatch, job_of, one_by_one, tree, write_all

ray = pytest.importorskip("ray", reason='needs pip install ".[ray]"')


@pytest.fixture
def cluster(monkeypatch) -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    small = {"num_cpus": 1, "object_store_memory": 1 << 27}
    made = Cluster(initialize_head=True, head_node_args={**small, "include_dashboard": False})
    made.add_node(**small)
    yield made
    ray.shutdown()
    made.shutdown()


class Meanwhile(NoWatch):
    """Does something when the third part is done."""

    def __init__(self, happens: Callable[[], None]) -> None:
        self.steps: list[str] = []
        self._happens = happens

    def step(self, step):
        self.steps.append(step.part.name)
        if len(self.steps) == 3:
            self._happens()


def kill_a_worker() -> None:
    mine = [
        int(process.name)
        for process in Path("/proc").iterdir()
        if process.name.isdigit()
        and (process / "cmdline").read_bytes().startswith(b"ray::MapWorker(MapBatches(Actor))")
    ]
    assert len(mine) == 2
    os.kill(mine[0], signal.SIGKILL)


def test_where_no_cluster_answers_it_is_said_at_once(tmp_path):
    job = job_of(write_all(tmp_path / "in", 5), tmp_path / "out")
    with pytest.raises(InvalidInput, match=r"no Ray cluster at 127\.0\.0\.1:1"):
        Run(job).go(partial(work, workers=1, address="127.0.0.1:1"), NoWatch())


def test_a_lost_worker_changes_nothing(tmp_path, linked_folder, cluster, monkeypatch):
    monkeypatch.setattr(parts, "SMALLEST", 2048)
    named = write_all(tmp_path / "in", 60)
    counts = Run(job_of(named, tmp_path / "here", linked_folder)).go(one_by_one, NoWatch())
    watch = Meanwhile(kill_a_worker)
    there = job_of(named, tmp_path / "there", linked_folder)
    engine = partial(work, workers=0, address=cluster.address)
    assert Run(there).go(engine, watch) == counts
    assert counts.rows == 300 and counts.errors == 60
    assert len(watch.steps) == len(set(watch.steps)) > 10
    assert tree(tmp_path / "here") == tree(tmp_path / "there")
