"""Work over all cores, with results in order and only so much under way at a time.

Threads, because ONNX Runtime and our kernels leave the interpreter to others while they work; of
our own, because Numba's default threading layer aborts the process when two threads enter it.
"""

from __future__ import annotations

import atexit
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from queue import SimpleQueue
from threading import Condition, Semaphore, Thread
from typing import Generic, TypeVar

from nacc.deadline import deadlines, within

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 4
"""Lots per worker that may be under way or done and not yet taken."""


def cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(
    work: Callable[[Sequence[T]], Sequence[R]],
    items: Iterable[T],
    *,
    workers: int | None = None,
    lot: int = 1,
) -> Iterator[R]:
    """What `work` makes of each item, in order; it is given up to `lot` items at a time.

    Items are taken from their iterable by a thread of its own, and no faster than results are
    asked for: what is there is worked on at once, while an iterable that waits keeps nobody.
    An error of `work` or of the iterable is raised where its result would have come. Deadlines
    that hold for the caller hold for the work.
    """
    holding = deadlines()

    def worked(lot: Sequence[T]) -> Sequence[R]:
        with within(*holding):
            return work(lot)

    if not holding:
        return _spread(work, items, workers, lot)
    return _spread(worked, items, workers, lot)


def _spread(
    work: Callable[[Sequence[T]], Sequence[R]], items: Iterable[T], workers: int | None, lot: int
) -> Iterator[R]:
    workers = cores() if workers is None else workers
    if isinstance(items, Sequence) and (workers <= 1 or len(items) <= AHEAD * workers * lot):
        lots = [items[begin : begin + lot] for begin in range(0, len(items), lot)]
        if workers <= 1 or len(lots) <= 1:
            yield from chain.from_iterable(map(work, lots))
        else:  # so few that all can be under way at once
            with ThreadPoolExecutor(min(workers, len(lots))) as pool:
                yield from chain.from_iterable(pool.map(work, lots))
        return
    line: _Line[T, R] = _Line(work, lot, room=AHEAD * workers * lot)
    line.start(items, workers)
    # If whoever asks for results never comes back: a thread that is in the middle of C++ when the
    # interpreter goes takes the process down with it.
    atexit.register(line.close)
    try:
        while (result := line.results.get()) is not None:
            yield result.result()
            line.room.release()
    finally:
        line.close()
        atexit.unregister(line.close)


class _Line(Generic[T, R]):
    """Items on their way from a feeding thread through the workers to the results."""

    def __init__(self, work: Callable[[Sequence[T]], Sequence[R]], lot: int, room: int) -> None:
        self.room = Semaphore(room)
        self.results: SimpleQueue[Future[R] | None] = SimpleQueue()
        self._work = work
        self._lot = lot
        self._waiting: deque[tuple[T, Future[R]]] = deque()
        self._changed = Condition()
        self._closed = False
        self._workers: list[Thread] = []

    def start(self, items: Iterable[T], workers: int) -> None:
        Thread(target=self._feed, args=(items,), name="nacc-feeder", daemon=True).start()
        for i in range(workers):
            self._workers.append(Thread(target=self._serve, name=f"nacc-worker-{i}", daemon=True))
            self._workers[-1].start()

    def close(self) -> None:
        """Let everybody go, the workers when they are done with what they are at: results that
        nobody took are lost."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()
        self.room.release()
        for worker in self._workers:
            worker.join()

    def _feed(self, items: Iterable[T]) -> None:
        try:
            for item in items:
                self.room.acquire()
                result: Future[R] = Future()
                with self._changed:
                    if self._closed:
                        return
                    self._waiting.append((item, result))
                    self._changed.notify()
                self.results.put(result)
        except BaseException as error:
            failed: Future[R] = Future()
            failed.set_exception(error)
            self.results.put(failed)
        self.results.put(None)

    def _serve(self) -> None:
        while lot := self._next():
            try:
                made = self._work([item for item, _ in lot])
                for (_, result), one in zip(lot, made, strict=True):
                    result.set_result(one)
            except BaseException as error:
                for _, result in lot:
                    if not result.done():
                        result.set_exception(error)

    def _next(self) -> list[tuple[T, Future[R]]]:
        with self._changed:
            while not self._waiting and not self._closed:
                self._changed.wait()
            return [self._waiting.popleft() for _ in range(min(self._lot, len(self._waiting)))]
