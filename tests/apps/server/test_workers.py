"""Turns: small requests before the rest of large ones, nobody starved, heavy jobs kept apart."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import threading
import time
import weakref
from concurrent.futures import CancelledError, Future, wait
from contextlib import suppress

import pytest

from nacc.apps.server import cost
from nacc.apps.server.queue import ReadingQueue
from nacc.apps.server.request import ServiceRequest
from nacc.apps.server.service import Service
from nacc.apps.server.settings import Settings
from nacc.apps.server.workers import Workers
from nacc.deadline import Deadline, check
from nacc.errors import Stopped
from nacc.fitting.reading import Prompt
from nacc.length import Budget
from nacc.options import Options, Settled
from nacc.text.words import split

from .texts import TEXTS


class Held:
    """Workers whose threads all wait until they are let go; remembers what was done, in order."""

    def __init__(self, threads: int = 1) -> None:
        self.workers = Workers(threads, "test")
        self.go = threading.Event()
        self.done: list[str] = []
        for _ in range(threads):
            began = threading.Event()
            self.workers.submit(lambda began=began: (began.set(), self.go.wait(10)), cost=0.0)
            assert began.wait(5)

    def submit(self, name: str, **how: float):
        return self.workers.submit(lambda: self.done.append(name), **how)


@pytest.fixture
def held():
    held = Held()
    yield held
    held.go.set()
    held.workers.close()


def test_equals_come_in_order(held):
    jobs = [held.submit(name) for name in "abc"]
    held.go.set()
    wait(jobs, 5)
    assert held.done == ["a", "b", "c"]


def test_a_small_request_goes_before_the_rest_of_a_large_one(held, monkeypatch):
    monkeypatch.setattr("nacc.apps.server.workers.PATIENCE", 1e3)
    jobs = [held.submit(f"large {i}", after=float(i)) for i in range(5)]
    jobs.append(held.submit("small"))
    held.go.set()
    wait(jobs, 5)
    assert held.done == ["large 0", "small", "large 1", "large 2", "large 3", "large 4"]


def test_a_large_request_gets_on_though_small_ones_never_end(held):
    last = held.submit("large", after=20.0)
    ended = threading.Event()

    def small() -> None:
        if not last.done():
            held.workers.submit(small)
        else:
            ended.set()

    held.workers.submit(small)
    held.go.set()
    assert ended.wait(20)


@pytest.mark.parametrize("how", [{"cost": cost.HEAVY + 1}, {"after": 1.0}])
def test_what_waits_behind_leaves_a_thread_to_others(how):
    workers, go = Workers(3, "test"), threading.Event()
    behind = [workers.submit(lambda: go.wait(10), **how) for _ in range(6)]
    assert workers.submit(lambda: "small").result(5) == "small"
    assert not any(job.done() for job in behind)
    go.set()
    assert not wait(behind, 5).not_done
    workers.close()


def test_what_waits_behind_has_all_threads_but_one():
    workers, go = Workers(3, "test"), threading.Event()
    at_work = threading.Semaphore(0)
    behind = [workers.submit(lambda: (at_work.release(), go.wait(10)), after=1.0) for _ in range(6)]
    assert at_work.acquire(timeout=5) and at_work.acquire(timeout=5)
    assert not at_work.acquire(timeout=0.5)
    go.set()
    assert not wait(behind, 5).not_done
    workers.close()


class Slow:
    """A job that waits behind and looks at its deadline after every stretch of work."""

    def __init__(self, workers: Workers, stretches: int, stretch: float = 0.01) -> None:
        self.begun = threading.Event()

        def work() -> None:
            for _ in range(stretches):
                self.begun.set()
                end = time.thread_time() + stretch
                while time.thread_time() < end:
                    pass
                check()

        self.result = workers.submit(work, after=1.0)


@pytest.fixture
def workers():
    workers = Workers(3, "test")
    yield workers
    workers.close()


def test_what_waits_behind_stands_back_while_a_small_job_is_at_work(workers, monkeypatch):
    monkeypatch.setattr("nacc.apps.server.workers.PATIENCE", 1e3)
    go, began = threading.Event(), threading.Event()
    small = workers.submit(lambda: (began.set(), go.wait(10)))
    assert began.wait(5)
    slow = Slow(workers, 3)
    assert not wait([slow.result], 0.5).done
    assert workers.submit(lambda: "another").result(5) == "another"
    assert not slow.result.done()
    go.set()
    small.result(5)
    slow.result.result(5)


def test_it_does_not_go_on_between_two_jobs_of_a_small_request(workers, monkeypatch):
    monkeypatch.setattr("nacc.apps.server.workers.PATIENCE", 1e6)
    monkeypatch.setattr("nacc.apps.server.workers.LATELY", 1e3)
    workers.submit(lambda: None).result(5)
    slow = Slow(workers, 3)
    assert not wait([slow.result], 0.5).done
    monkeypatch.setattr("nacc.apps.server.workers.LATELY", 0.0)
    workers.submit(lambda: None).result(5)
    slow.result.result(30)


def test_what_waits_behind_gets_a_sixth_of_the_time_though_small_jobs_never_end(workers):
    go, began = threading.Event(), threading.Event()
    workers.submit(lambda: (began.set(), go.wait(30)))
    assert began.wait(5)
    started = time.monotonic()
    Slow(workers, 10, 0.02).result.result(30)
    assert time.monotonic() - started > 0.5
    go.set()


def test_time_without_work_is_no_reason_to_stand_back(workers, monkeypatch):
    monkeypatch.setattr("nacc.apps.server.workers.PATIENCE", 1e3)
    go, began = threading.Event(), threading.Event()
    time.sleep(0.3)
    workers.submit(lambda: (began.set(), go.wait(30)))
    assert began.wait(5)
    slow = Slow(workers, 1)
    assert slow.begun.wait(5)
    go.set()
    slow.result.result(5)


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priorities of their own")
def test_what_waits_behind_has_a_low_priority(workers):
    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    small, behind = workers.submit(niceness), workers.submit(niceness, after=1.0)
    assert small.result(5) == os.getpriority(os.PRIO_PROCESS, 0) < behind.result(5)


def test_closing_does_not_wait_for_manners(monkeypatch):
    monkeypatch.setattr("nacc.apps.server.workers.PATIENCE", 1e3)
    workers, go, began = Workers(3, "test"), threading.Event(), threading.Event()
    workers.submit(lambda: (began.set(), go.wait(10)))
    slow = Slow(workers, 2)
    assert began.wait(5)
    closing = threading.Thread(target=workers.close)
    closing.start()
    with suppress(CancelledError):
        slow.result.result(5)
    go.set()
    closing.join(5)
    assert not closing.is_alive()


def test_what_is_cancelled_is_not_done(held):
    unwanted, wanted = held.submit("unwanted"), held.submit("wanted")
    assert unwanted.cancel()
    held.go.set()
    wanted.result(5)
    assert held.done == ["wanted"]


def test_an_error_is_the_jobs_own_and_closing_drops_what_waits():
    workers = Workers(1, "test")
    with pytest.raises(ZeroDivisionError):
        workers.submit(lambda: 1 // 0).result(5)
    began, go = threading.Event(), threading.Event()
    first = workers.submit(lambda: (began.set(), go.wait(10)))
    waiting = workers.submit(lambda: None)
    assert began.wait(5)
    closing = threading.Thread(target=workers.close)
    closing.start()
    with pytest.raises(CancelledError):
        waiting.result(5)
    go.set()
    closing.join(5)
    assert first.done() and not closing.is_alive()


def test_an_ordinary_summary_costs_one(model):
    """However many answers the packaged model compares where it is in doubt."""
    assert cost.of_text("The council met on Monday. " * 5, 1, model.settled(None)) == 1


def test_more_of_anything_costs_more():
    text = "The council of Norwick met on Monday, and again on Friday. "
    plain = cost.of_text(text, 1, Settled())
    assert cost.of_text(text, 16, Settled()) == 16 * plain
    assert cost.of_text(text * 8, 1, Settled()) > plain
    assert cost.of_text(text * 8, 1, Settled()) < cost.of_text(text * 150, 1, Settled())
    assert cost.of_text(text, 1, Settled(method="linked", alternatives=10)) > 2 * plain
    again = Prompt(text, split("one two three four five six " * 12), False)
    once = Prompt(text, split(" ".join(f"word{i}" for i in range(72))), False)
    assert cost.of_decoding(again, Settled()) > cost.HEAVY >= cost.of_decoding(once, Settled())


def test_no_part_of_a_large_request_keeps_a_small_one_waiting(model, monkeypatch):
    """Not even its first: a crowd of large requests would come first, one after the other."""
    service = Service(Settings())
    queue = ReadingQueue(
        model.read_prompts, service.metrics, service._workers, batch=1, wait=0.0, keep=8
    )
    monkeypatch.setattr(service, "_summarizer", model)
    monkeypatch.setattr(service, "_queue", queue)
    turns: list[float] = []
    submit = service._workers.submit

    def noted(work, *, after=0.0, cost=1.0):
        turns.append(after)
        return submit(work, after=after, cost=cost)

    monkeypatch.setattr(service._workers, "submit", noted)

    def asked(*amounts: int) -> list[float]:
        turns.clear()
        budgets, names = tuple(map(Budget, amounts)), tuple(map(str, amounts))
        request = ServiceRequest((TEXTS[0],), ("text",), budgets, names, options, False)
        (served,) = asyncio.run(service.answer(request, Deadline(60)))
        assert len(served.results) == len(amounts)
        return turns

    options = model.settled(Options(rewrite="always"))
    assert asked(40) == [0.0, 0.0, 0.0]
    assert min(asked(*range(30, 46))) > cost.HEAVY
    service._workers.close()


def test_what_a_job_had_when_it_was_stopped_is_not_kept():
    workers, kept = Workers(1, "test"), []

    def stopped():
        table = Future()  # anything that can be watched
        kept.append(weakref.ref(table))
        raise Stopped("nobody waits for it any more")

    gc.disable()
    try:
        assert isinstance(workers.submit(stopped).exception(5), Stopped)
        workers.close()
        assert kept[0]() is None
    finally:
        gc.enable()
