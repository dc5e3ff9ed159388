"""The reading queue: batches, one reading a text, no text harmed by another, bounded memory."""

from __future__ import annotations

import threading
import time

import pytest

from nacc.apps.server.metrics import ServiceMetrics
from nacc.apps.server.queue import ReadingQueue
from nacc.errors import InvalidInput

LATER = time.monotonic() + 1000


class Reader:
    """Stands for the model: remembers its batches, waits when told, cannot read "bad", breaks on
    "worse"."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.go = threading.Event()
        self.go.set()

    def __call__(self, texts, *, sentences):
        self.go.wait(10)
        self.batches.append(list(texts))
        if "worse" in texts:
            raise RuntimeError("worse")
        return [InvalidInput(text) if text == "bad" else f"{sentences}: {text}" for text in texts]


@pytest.fixture
def reader():
    return Reader()


@pytest.fixture
def queue(reader):
    queue = ReadingQueue(reader, ServiceMetrics(), workers=1, batch=4, wait=0.0, keep=3)
    yield queue
    reader.go.set()
    queue.close()


def hold(queue, reader):
    """Keep the worker busy with a first text, so that what follows has to wait."""
    reader.go.clear()
    first = queue.ask("first", "all", LATER)
    while queue._line:
        time.sleep(0.001)
    return first


def test_waiting_texts_are_read_in_batches_and_in_order(queue, reader):
    hold(queue, reader)
    futures = [queue.ask(str(i), "all", LATER) for i in range(6)]
    reader.go.set()
    assert [future.result(5) for future in futures] == [f"all: {i}" for i in range(6)]
    assert reader.batches == [["first"], ["0", "1", "2", "3"], ["4", "5"]]


def test_texts_read_differently_are_not_mixed(queue, reader):
    hold(queue, reader)
    futures = [queue.ask(str(i), "all" if i % 2 else "first", LATER) for i in range(4)]
    reader.go.set()
    said = [future.result(5) for future in futures]
    assert said == ["first: 0", "all: 1", "first: 2", "all: 3"]
    assert reader.batches[1:] == [["0", "2"], ["1", "3"]]


def test_a_text_is_read_once_waiting_or_known(queue, reader):
    first = hold(queue, reader)
    assert queue.ask("first", "all", LATER) is first
    reader.go.set()
    first.result(5)
    assert queue.ask("first", "all", LATER) is first
    assert queue.ask("first", "first", LATER) is not first


def test_a_bad_text_spoils_no_other_and_is_not_kept(queue, reader):
    hold(queue, reader)
    good, bad, fine = (queue.ask(text, "all", LATER) for text in ("good", "bad", "fine"))
    reader.go.set()
    assert (good.result(5), fine.result(5)) == ("all: good", "all: fine")
    with pytest.raises(InvalidInput):
        bad.result(5)
    assert reader.batches[1:] == [["good", "bad", "fine"]]
    assert queue.ask("bad", "all", LATER) is not bad


def test_a_text_that_breaks_the_model_spoils_no_other(queue, reader):
    hold(queue, reader)
    good, worse, fine = (queue.ask(text, "all", LATER) for text in ("good", "worse", "fine"))
    reader.go.set()
    assert (good.result(5), fine.result(5)) == ("all: good", "all: fine")
    with pytest.raises(RuntimeError):
        worse.result(5)


def test_nobody_reads_for_a_request_that_gave_up(queue, reader):
    hold(queue, reader)
    late = queue.ask("late", "all", time.monotonic() - 1)
    shared = queue.ask("shared", "all", time.monotonic() - 1)
    assert queue.ask("shared", "all", LATER) is shared
    reader.go.set()
    assert shared.result(5) == "all: shared"
    with pytest.raises(TimeoutError):
        late.result(5)
    assert ["late"] not in reader.batches and len(reader.batches) == 2


def test_only_the_readings_asked_for_last_are_kept(queue, reader):
    for text in "abc":
        queue.ask(text, "all", LATER).result(5)
    queue.ask("a", "all", LATER)
    queue.ask("d", "all", LATER).result(5)
    while len(queue._known) > 3:
        time.sleep(0.001)
    reader.batches.clear()
    for text in "acdb":
        queue.ask(text, "all", LATER).result(5)
    assert reader.batches == [["b"]]


def test_closing_answers_what_waits(reader):
    queue = ReadingQueue(reader, ServiceMetrics(), workers=1, batch=2, wait=0.0, keep=8)
    hold(queue, reader)
    futures = [queue.ask(str(i), "all", LATER) for i in range(5)]
    reader.go.set()
    queue.close()
    assert all(future.done() for future in futures)
