"""Threads that take the job whose turn is next.

Turns are those of fair queueing: a request's first job has its turn at once, its second after about
as much work as its first costs was done for others, and so on; so a large request makes way for
small ones, and gets on all the same. What is heavy, not the first of its request or of a large one,
waits behind: it has threads of its own, at a lower priority, which stand back while small jobs are
at work, wherever they look at their deadline; but never for more than five sixths of their time.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Any, TypeVar

from nacc.apps.server.cost import HEAVY
from nacc.deadline import Deadline, within

T = TypeVar("T")

DRIFT = 0.1
"""How far a job that is taken moves all turns on, for its cost: the less, the more small requests
go before the rest of a large one."""
NICENESS = 3
"""Of threads at what waits behind; hardly lower than others', since one that has to wait for a core
while it holds the interpreter keeps all others waiting: at 10, 20 ms for each that it works."""
PATIENCE = 5.0
"""How long such a thread stands back at most, for the time it has worked …"""
STRETCH = 0.002
"""… after so many seconds of work …"""
LATELY = 0.005
"""… until so many seconds after the last small job: the next of the same request is on its way."""


@dataclass(order=True)
class _Job:
    turn: float
    number: int
    cost: float = field(compare=False)
    work: Callable[[], Any] = field(compare=False)
    result: Future[Any] = field(compare=False)

    def do(self) -> None:
        try:
            if self.result.set_running_or_notify_cancel():
                self.result.set_result(self.work())
        except BaseException as error:
            self.result.set_exception(error)
            del self  # else the error keeps what it came by, for as long as nobody collects it


class Workers:
    """So many threads for small jobs, best one more than there are cores, and one fewer for what
    waits behind. `submit` from any thread."""

    def __init__(self, threads: int, name: str) -> None:
        self._small: list[_Job] = []
        self._behind: list[_Job] = []
        self._at_small = 0
        self._last_small = -inf
        self._now = 0.0
        self._numbers = count()
        self._closed = False
        self._lock = threading.Lock()
        self._small_came = threading.Condition(self._lock)
        self._behind_came = threading.Condition(self._lock)
        self._quiet = threading.Condition(self._lock)
        lots = (self._serve_small, threads), (self._serve_behind, max(1, threads - 1))
        self._threads = [
            threading.Thread(target=serve, name=f"{name}{serve.__name__}-{i}", daemon=True)
            for serve, size in lots
            for i in range(size)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, work: Callable[[], T], *, after: float = 0.0, cost: float = 1.0) -> Future[T]:
        """Have it done in its turn; after: the cost of what the same request has done before.
        A job whose future is cancelled in time is passed over."""
        result: Future[T] = Future()
        behind = after > 0 or cost > HEAVY
        with self._lock:
            job = _Job(self._now + after, next(self._numbers), cost, work, result)
            heappush(self._behind if behind else self._small, job)
            (self._behind_came if behind else self._small_came).notify()
        return result

    def close(self) -> None:
        """Finish what is begun, and no more."""
        with self._lock:
            self._closed = True
            for job in (*self._small, *self._behind):
                job.result.cancel()
            for waited_for in (self._small_came, self._behind_came, self._quiet):
                waited_for.notify_all()
        for thread in self._threads:
            thread.join()

    def _serve_small(self) -> None:
        while job := self._next(self._small, self._small_came):
            job.do()
            del job  # holds what a request sent
            with self._lock:
                self._at_small -= 1
                self._last_small = time.monotonic()
                if self._quiet_from() < inf:
                    self._quiet.notify_all()

    def _serve_behind(self) -> None:
        if sys.platform == "linux":  # where threads have priorities of their own
            lower = min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)  # than the server's own
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), lower)
        manners = StandingBack(self)
        while job := self._next(self._behind, self._behind_came):
            manners.begin()
            with within(manners):
                job.do()
            del job

    def _next(self, line: list[_Job], came: threading.Condition) -> _Job | None:
        with came:
            came.wait_for(lambda: line or self._closed)
            if self._closed:
                return None
            job = heappop(line)
            self._now = max(self._now, job.turn) + DRIFT * job.cost
            self._at_small += line is self._small
            return job

    def _quiet_from(self) -> float:
        """When small jobs will have been done long enough; unknown while there are any."""
        return inf if self._small or self._at_small else self._last_small + LATELY

    def stand_back(self, most: float) -> None:
        """Wait for small jobs to be done, so many seconds at most."""
        end = time.monotonic() + most
        with self._lock:
            while not self._closed:
                left = min(end, self._quiet_from()) - time.monotonic()
                if left <= 0:
                    break
                self._quiet.wait(left)


class StandingBack(Deadline):
    """The manners of a thread at what waits behind: nothing ends its work, but it looks now and
    then whether others should go first."""

    def __init__(self, workers: Workers) -> None:
        super().__init__()
        self._workers = workers
        self._since = time.thread_time()  # of a core: what it waits does not count

    def begin(self) -> None:
        """Before a job: small ones that wait already go first."""
        self._stand_back(max(STRETCH, self._worked))

    def check(self) -> None:
        if self._worked > STRETCH:
            self._stand_back(self._worked)

    @property
    def _worked(self) -> float:
        return time.thread_time() - self._since

    def _stand_back(self, worked: float) -> None:
        self._workers.stand_back(PATIENCE * worked)
        self._since = time.thread_time()
