"""Threads that take the job whose turn is next.

Turns are those of fair queueing: a request's first job has its turn at once, its second after about
as much work as its first costs was done for others, and so on; so a large request makes way for
small ones, and gets on all the same. What is heavy, not the first of its request or of a large one,
waits behind: a thread is always kept free of it, and a core too while small requests come.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeVar

from nacc.apps.server.cost import HEAVY

T = TypeVar("T")

DRIFT = 0.1
"""How far a job that is taken moves all turns on, for its cost: the less, the more small requests
go before the rest of a large one."""
LATELY = 1.0
"""Seconds for which a core is kept free after a small job came."""


@dataclass(order=True)
class _Job:
    turn: float
    number: int
    behind: bool = field(compare=False)
    cost: float = field(compare=False)
    work: Callable[[], Any] = field(compare=False)
    result: Future[Any] = field(compare=False)


class Workers:
    """So many threads, best one more than there are cores. `submit` from any thread."""

    def __init__(self, threads: int, name: str) -> None:
        self._size = threads
        self._at_behind = 0
        self._last_small = 0.0
        self._small: list[_Job] = []
        self._behind: list[_Job] = []
        self._now = 0.0
        self._numbers = count()
        self._changed = threading.Condition()
        self._closed = False
        self._threads = [
            threading.Thread(target=self._serve, name=f"{name}-{i}", daemon=True)
            for i in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, work: Callable[[], T], *, after: float = 0.0, cost: float = 1.0) -> Future[T]:
        """Have it done in its turn; after: the cost of what the same request has done before.
        A job whose future is cancelled in time is passed over."""
        result: Future[T] = Future()
        behind = after > 0 or cost > HEAVY
        with self._changed:
            job = _Job(self._now + after, next(self._numbers), behind, cost, work, result)
            heappush(self._behind if behind else self._small, job)
            if not behind:
                self._last_small = time.monotonic()
            self._changed.notify_all()
        return result

    def close(self) -> None:
        """Finish what is begun, and no more."""
        with self._changed:
            self._closed = True
            for job in (*self._small, *self._behind):
                job.result.cancel()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _serve(self) -> None:
        while job := self._next():
            try:
                if job.result.set_running_or_notify_cancel():
                    job.result.set_result(job.work())
            except BaseException as error:
                job.result.set_exception(error)
            finally:
                with self._changed:
                    self._at_behind -= job.behind
                    self._changed.notify_all()
            del job  # holds what a request sent

    def _next(self) -> _Job | None:
        with self._changed:
            while not self._closed:
                lines = [self._small]
                if self._at_behind < self._most_behind():
                    lines.append(self._behind)
                waiting = [line for line in lines if line]
                if waiting:
                    job = heappop(min(waiting, key=lambda line: line[0]))
                    self._now = max(self._now, job.turn) + DRIFT * job.cost
                    self._at_behind += job.behind
                    return job
                self._changed.wait(LATELY if self._behind else None)
            return None

    def _most_behind(self) -> int:
        """How many threads may be at what waits behind."""
        lately = time.monotonic() - self._last_small < LATELY
        return max(1, self._size - (2 if lately else 1))
