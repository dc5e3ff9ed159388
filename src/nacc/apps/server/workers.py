"""Threads that take the job whose turn is next.

Turns are those of fair queueing: a request's first job has its turn at once, its second after about
as much work as its first costs was done for others, and so on; so a large request makes way for
small ones, and gets on all the same. Half of the threads take no heavy jobs: a small one never
waits until a heavy one is done.
"""

from __future__ import annotations

import threading
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


@dataclass(order=True)
class _Job:
    turn: float
    number: int
    cost: float = field(compare=False)
    work: Callable[[], Any] = field(compare=False)
    result: Future[Any] = field(compare=False)


class Workers:
    """So many threads. `submit` from any thread."""

    def __init__(self, threads: int, name: str) -> None:
        self._most_heavy = max(1, threads // 2)
        self._at_heavy = 0
        self._light: list[_Job] = []
        self._heavy: list[_Job] = []
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
        with self._changed:
            job = _Job(self._now + after, next(self._numbers), cost, work, result)
            heappush(self._heavy if cost > HEAVY else self._light, job)
            self._changed.notify_all()
        return result

    def close(self) -> None:
        """Finish what is begun, and no more."""
        with self._changed:
            self._closed = True
            for job in (*self._light, *self._heavy):
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
                    if job.cost > HEAVY:
                        self._at_heavy -= 1
                        self._changed.notify_all()
            del job  # holds what a request sent

    def _next(self) -> _Job | None:
        with self._changed:
            while not self._closed:
                lines = [self._light]
                if self._at_heavy < self._most_heavy:
                    lines.append(self._heavy)
                waiting = [line for line in lines if line]
                if waiting:
                    job = heappop(min(waiting, key=lambda line: line[0]))
                    self._now = max(self._now, job.turn) + DRIFT * job.cost
                    self._at_heavy += job.cost > HEAVY
                    return job
                self._changed.wait()
            return None
