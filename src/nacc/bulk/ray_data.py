"""Parts over a cluster, by Ray Data: an actor a core or a GPU, each with the model loaded once.

What goes to an actor is the name of a part; it reads the job's files and writes to the output's
folder by itself, so both must be where all machines see them. Ray does a part again whose actor or
machine is lost.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nacc.bulk.parts import Counts, Part, Step, do
from nacc.errors import InvalidInput, NaccError, requires

if TYPE_CHECKING:
    from nacc.bulk.job import Job

BLOCKS = 10_000
"""Tasks that Ray is given, at most; each does one part after the other."""
STORE = 1 << 27
"""Bytes of memory for what actors exchange, on a cluster of our own: names of parts, and counts."""


PATIENCE = 10
"""Seconds to wait for a cluster's answer."""


class Actor:
    """Holds the model and does parts."""

    def __init__(self, job: Job, folder: Path) -> None:
        self._job = job
        self._folder = folder

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Parts in, field by field; the same with their counts, or what went wrong, out."""
        found: dict[str, list[str]] = {"counts": [], "error": []}
        for part in _parts(batch):
            counts = error = ""
            try:
                counts = str(do(self._job, part, self._folder))
            except NaccError as raised:  # Ray would tell it in a page
                error = str(raised)
            found["counts"].append(counts)
            found["error"].append(error)
        return {**batch, **{name: np.array(values) for name, values in found.items()}}


def work(
    job: Job, parts: Sequence[Part], folder: Path, workers: int, address: str | None
) -> Iterator[Step]:
    """Do all parts, in any order, and say which are done.

    workers: actors; 0: one for each core, or GPU, of the cluster. address: the cluster's; None:
    this machine becomes one.
    """
    requires("--engine ray", "ray", "ray", "pyarrow")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is told
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    import ray

    with _cluster(address, workers if job.device == "cpu" else 0):
        ray.data.DataContext.get_current().enable_progress_bars = False
        ray.data.DataContext.get_current().print_on_execution_start = False
        actors, needs = _actors(job, workers, len(parts))
        items = [asdict(part) for part in parts]
        done = ray.data.from_items(items, override_num_blocks=min(len(items), BLOCKS)).map_batches(
            Actor,
            batch_size=1,
            compute=ray.data.ActorPoolStrategy(
                min_size=1,  # so that one that is idle makes room for one whose machine is lost
                initial_size=actors,
                max_size=actors,
                max_tasks_in_flight_per_actor=2,
            ),
            fn_constructor_args=(job, folder),
            **needs,
        )
        for batch in done.iter_batches(batch_size=None):
            for part, counts, error in zip(
                _parts(batch), batch["counts"].tolist(), batch["error"].tolist(), strict=True
            ):
                if error:
                    raise NaccError(error)
                yield Step.done(part, Counts.read(counts))


@contextmanager
def _cluster(address: str | None, cpus: int) -> Iterator[None]:
    """A cluster to work on: the one at the address, or so many of this machine's cores (0: all)."""
    import ray

    if ray.is_initialized():
        yield
        return
    quiet: dict[str, Any] = {"logging_level": "error", "log_to_driver": False}
    try:
        if address is None:
            own = {"num_cpus": cpus or None, "object_store_memory": STORE}
            ray.init(address="local", include_dashboard=False, **own, **quiet)
        else:
            _reach(address)
            ray.init(address=address, **quiet)
    except (OSError, RuntimeError, ValueError) as error:
        raise InvalidInput(f"no Ray cluster at {address or 'this machine'}: {error}") from error
    logging.disable(logging.WARNING)  # of how it plans and finishes
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
        ray.shutdown()


def _reach(address: str) -> None:
    """Raise OSError where nobody answers: Ray itself would wait for minutes."""
    host, _, port = address.rpartition(":")
    if host and port.isdigit() and "://" not in address:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()


def _actors(job: Job, workers: int, parts: int) -> tuple[int, dict[str, float]]:
    """How many actors there are to be, and what each needs to itself."""
    import ray

    has = ray.cluster_resources()
    cores, gpus = has.get("CPU", 1), int(has.get("GPU", 0))
    if job.device != "gpu":
        return min(workers or int(cores), parts), {"num_cpus": 1}
    if not gpus:
        raise InvalidInput("the Ray cluster has no GPU")
    return min(workers or gpus, parts), {"num_gpus": 1, "num_cpus": max(cores // gpus, 1)}


def _parts(batch: dict[str, Any]) -> list[Part]:
    names = [each.name for each in fields(Part)]
    return [Part(*row) for row in zip(*(batch[name].tolist() for name in names), strict=True)]
