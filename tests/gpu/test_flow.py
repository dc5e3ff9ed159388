"""Whether the one loop keeps workers and device busy: on a clock of its own, by which they take as
long as they are said to."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import numpy as np

from nacc.gpu.crew import ByLot
from nacc.gpu.rows import Rows
from nacc.gpu.summarizer import AHEAD, LOT, _Run

WORKERS = 4
READ, WRITE, FIT = 1e-3, 2e-3, 10e-3  # seconds a text
BATCH, ROWS = 0.1, 400  # a batch takes so long, full or not
USUAL, SELDOM = (4, 5, 6), 11  # shapes; one text in so many has the seldom one
ONE_IN, LEFT_ONE_IN = 3001, 9
WINDOW = AHEAD * WORKERS * LOT
EACH = READ + WRITE + FIT / LEFT_ONE_IN


class Clock:
    now = 0.0


class Worker:
    def __init__(self) -> None:
        self.orders: deque = deque()
        self.begun = ByLot()
        self.count = 0
        self.at: tuple | None = None  # when it is done, and what is then reported

    def order(self, order: tuple) -> None:
        self.orders.append(order)
        self.count += 1

    def go_on(self, now: float) -> None:
        if self.at is None and self.count:
            *report, seconds = self.begun.next(lambda: not self.orders, self.orders.popleft)
            self.count -= 1
            self.at = now + seconds, report


class Crew:
    """Workers that read numbers for texts, and write them down as they are."""

    def __init__(self, clock: Clock) -> None:
        self.clock, self.workers = clock, [Worker() for _ in range(WORKERS)]
        self.busy = 0.0
        self.texts: dict[tuple[int, int], int] = {}

    def __len__(self) -> int:
        return WORKERS

    def order(self, name: str, lot: int, *parts) -> None:
        seconds, found = getattr(self, f"_{name}")(lot, *parts)
        worker = self.workers[lot % WORKERS]
        worker.order((name, lot, found, seconds))
        worker.go_on(self.clock.now)
        self.busy += seconds

    def reports(self, timeout: float | None):
        coming = [worker.at[0] for worker in self.workers if worker.at]
        until = self.clock.now + timeout if timeout is not None else max(coming)
        self.clock.now = max(self.clock.now, min([*coming, until]))
        for worker in self.workers:
            if worker.at and worker.at[0] <= self.clock.now:
                when, report = worker.at
                worker.at = None
                worker.go_on(when)
                yield report

    def _read(self, lot, texts):
        shapes: dict[int, list[int]] = {}
        for i, text in enumerate(texts):
            self.texts[lot, i] = text
            shape = SELDOM if text % ONE_IN == 0 else USUAL[text % len(USUAL)]
            shapes.setdefault(shape, []).append(i)
        rows = [Rows(b, which, np.zeros((len(which), 1))) for b, which in shapes.items()]
        return READ * len(texts), ({}, rows)

    def _write(self, lot, chosen):
        left = [i for i in chosen.which if self.texts[lot, i] % LEFT_ONE_IN == 0]
        done = {i: self.texts[lot, i] for i in chosen.which if i not in left}
        return WRITE * len(chosen.which), (done, left)

    def _decode(self, lot, which, raw):
        assert len(raw) == len(which)
        return FIT * len(which), ({i: self.texts[lot, i] for i in which},)


class Coming:
    def __init__(self, clock: Clock, ready: float, rows: int) -> None:
        self.clock, self.ready, self.rows = clock, ready, rows

    def done(self) -> bool:
        return self.clock.now >= self.ready

    def arrays(self):
        return (np.zeros((self.rows, 1)),) * 3

    def raw(self, rows, aside):
        assert all(0 <= row < self.rows for row in rows)
        found = Coming(self.clock, self.clock.now, len(rows))
        found.arrays = lambda: rows
        return found


class Device:
    aside = None

    def __init__(self, clock: Clock) -> None:
        self.clock, self.free, self.batches = clock, 0.0, 0

    def rows(self, bucket: int) -> int:
        return ROWS

    def start(self, bucket: int, packed) -> Coming:
        assert 0 < len(packed) <= ROWS
        self.free = max(self.free, self.clock.now) + BATCH
        self.batches += 1
        return Coming(self.clock, self.free, len(packed))


def flow(count):
    """When the headlines of so many texts came, and who made them."""
    clock = Clock()
    crew, device = Crew(clock), Device(clock)
    found, times = [], []
    for one in _Run(crew, device).each(range(count)):
        found.append(one)
        times.append(clock.now)
    assert found == list(range(count))
    return times, crew, device


def test_no_headline_waits_until_a_seldom_shape_fills_a_batch():
    times, _, _ = flow(4 * WINDOW)
    silence = max(after - before for before, after in pairwise(times))
    assert silence < 0.5 * WINDOW * EACH / WORKERS  # they used to come a window at a time


def test_workers_always_have_work():
    times, crew, device = flow(8 * WINDOW)
    assert crew.busy / WORKERS / times[-1] > 0.95
    assert 8 * WINDOW / ROWS / device.batches > 0.9  # and batches are full, but for the seldom ones


def test_a_few_texts_do_not_wait_for_more():
    times, _, _ = flow(10)
    assert times[-1] < 10 * (READ + WRITE + FIT) + 4 * BATCH + 3
