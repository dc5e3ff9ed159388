"""Parts over the cores of this machine: a process a core, each with the model loaded once.

Processes, because what is not the network or a kernel needs the interpreter, and an interpreter
does one thing at a time. A process that dies is replaced and its part done again; when the one that
started them dies, they find their pipe closed and leave.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from nacc.bulk.parts import Part, Step, do
from nacc.errors import InvalidInput, NaccError

if TYPE_CHECKING:
    from nacc.bulk.job import Job

OFTEN = 0.2
"""Seconds between two messages of how far a part is."""
ATTEMPTS = 3
"""How often a part is begun before it is held to be what its processes die of."""


class Worker:
    """A process that does one part after the other."""

    def __init__(self, job: Job, folder: Path) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(job, folder, theirs))
        with _no_script():
            self.process.start()
        theirs.close()
        self.part: Part | None = None

    def begin(self, part: Part) -> None:
        self.part = part
        with suppress(OSError):  # it is gone, as whoever waits for its answer will find
            self.pipe.send(part)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def work(job: Job, parts: Sequence[Part], folder: Path, workers: int) -> Iterator[Step]:
    """Do all parts, in any order, and say how far they are."""
    waiting, begun = deque(parts), dict.fromkeys(parts, 0)
    pool: dict[Any, Worker] = {}
    try:
        for _ in range(min(workers, len(parts))):
            worker = Worker(job, folder)
            pool[worker.pipe] = worker
        while waiting or any(worker.part for worker in pool.values()):
            for worker in pool.values():
                if worker.part is None and waiting:
                    begun[waiting[0]] += 1
                    worker.begin(waiting.popleft())
            for pipe in wait([each.pipe for each in pool.values() if each.part]):
                worker = pool[pipe]
                step = _heard(worker)
                if step is not None:
                    yield step
                    worker.part = None if step.counts else worker.part
                elif worker.part is not None:
                    if begun[worker.part] >= ATTEMPTS:
                        raise InvalidInput(_died(job, worker))
                    waiting.appendleft(worker.part)
                    yield Step(worker.part, 0.0, 0)
                    pool.pop(pipe).end()
                    worker = Worker(job, folder)
                    pool[worker.pipe] = worker
    finally:
        for worker in pool.values():
            worker.end()


@contextmanager
def _no_script() -> Iterator[None]:
    """Processes that start in here do not run the script again that this one is running."""
    script, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


def _heard(worker: Worker) -> Step | None:
    """How far the worker's part is; None if the worker is gone."""
    try:
        found: Step | str = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join()
        return None
    if isinstance(found, str):
        raise NaccError(found)
    return found


def _died(job: Job, worker: Worker) -> str:
    part = worker.part
    assert part is not None
    where = f"{job.files[part.file].path} between {part.begin:,} and {part.end:,}"
    return f"{where}: {ATTEMPTS} processes died of it, the last with {worker.process.exitcode}"


def _serve(job: Job, folder: Path, pipe: Connection[Any, Any]) -> None:
    """Do the parts that come through the pipe, until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this process decides
    try:
        while True:
            part: Part = pipe.recv()
            pipe.send(_done(job, folder, part, pipe))
    except (EOFError, OSError):
        sys.exit(1)


def _done(job: Job, folder: Path, part: Part, pipe: Connection[Any, Any]) -> Step | str:
    rows, told = 0, time.monotonic()

    def tell(share: float) -> None:
        nonlocal rows, told
        rows += 1
        if time.monotonic() - told > OFTEN:
            told = time.monotonic()
            pipe.send(Step(part, share, rows))

    try:
        return Step.done(part, do(job, part, folder, tell))
    except NaccError as error:
        return str(error)
