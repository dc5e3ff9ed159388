"""The reading queue: batches, one reading a text, no text harmed by another, bounded memory."""

from __future__ import annotations

import threading
import time

import pytest

from nacc.apps.server.metrics import ServiceMetrics
from nacc.apps.server.queue import ReadingQueue
from nacc.apps.server.workers import Workers
from nacc.deadline import Deadline
from nacc.errors import Stopped
from nacc.fitting.reading import Prompt
from nacc.text.words import split

LATER = Deadline()
OVER = Deadline(0)


class Reader:
    """Stands for the model: remembers its batches, waits when told, breaks on "worse"."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.go = threading.Event()
        self.go.set()

    def __call__(self, prompts):
        self.go.wait(10)
        texts = [prompt.text for prompt in prompts]
        self.batches.append(texts)
        if "worse" in texts:
            raise RuntimeError("worse")
        return [f"{prompt.told[1]}: {prompt.text}" for prompt in prompts]


def prompt(text: str, length: int | None = 50) -> Prompt:
    return Prompt(text, split(text), False, (None, length))


@pytest.fixture
def reader():
    return Reader()


@pytest.fixture
def queue(reader):
    workers = Workers(1, "reader")
    yield ReadingQueue(reader, ServiceMetrics(), workers, batch=4, wait=0.0, keep=3)
    reader.go.set()
    workers.close()


def hold(queue, reader):
    """Keep the worker busy with a first text, so that what follows has to wait."""
    reader.go.clear()
    first = queue.ask(prompt("first"), LATER)
    while queue._line:
        time.sleep(0.001)
    return first


def test_waiting_texts_are_read_in_batches_and_in_order(queue, reader):
    hold(queue, reader)
    futures = [queue.ask(prompt(str(i)), LATER) for i in range(6)]
    reader.go.set()
    assert [future.result(5) for future in futures] == [f"50: {i}" for i in range(6)]
    assert reader.batches == [["first"], ["0", "1", "2", "3"], ["4", "5"]]


def test_a_text_told_another_length_is_another_reading(queue, reader):
    hold(queue, reader)
    futures = [queue.ask(prompt("same", 50 if i % 2 else 30), LATER) for i in range(4)]
    reader.go.set()
    assert [future.result(5) for future in futures] == ["30: same", "50: same"] * 2
    assert reader.batches[1:] == [["same", "same"]]


def test_a_text_is_read_once_waiting_or_known(queue, reader):
    first = hold(queue, reader)
    assert queue.ask(prompt("first"), LATER) is first
    reader.go.set()
    first.result(5)
    assert queue.ask(prompt("first"), LATER) is first
    assert queue.ask(prompt("first", 30), LATER) is not first


def test_a_text_that_breaks_the_model_spoils_no_other(queue, reader):
    hold(queue, reader)
    good, worse, fine = (queue.ask(prompt(text), LATER) for text in ("good", "worse", "fine"))
    reader.go.set()
    assert (good.result(5), fine.result(5)) == ("50: good", "50: fine")
    with pytest.raises(RuntimeError):
        worse.result(5)
    assert queue.ask(prompt("worse"), LATER) is not worse  # which is not kept


def test_nobody_reads_for_a_request_that_gave_up(queue, reader):
    hold(queue, reader)
    late = queue.ask(prompt("late"), OVER)
    shared = queue.ask(prompt("shared"), OVER)
    assert queue.ask(prompt("shared"), LATER) is shared
    reader.go.set()
    assert shared.result(5) == "50: shared"
    with pytest.raises(Stopped):
        late.result(5)
    assert ["late"] not in reader.batches and len(reader.batches) == 2


def test_only_the_readings_asked_for_last_are_kept(queue, reader):
    for text in "abc":
        queue.ask(prompt(text), LATER).result(5)
    queue.ask(prompt("a"), LATER)
    queue.ask(prompt("d"), LATER).result(5)
    reader.batches.clear()
    for text in "acdb":
        queue.ask(prompt(text), LATER).result(5)
    assert reader.batches == [["b"]]


def test_a_reading_looks_at_no_other_that_is_kept(reader, monkeypatch):
    workers, hashed = Workers(1, "reader"), []
    queue = ReadingQueue(reader, ServiceMetrics(), workers, batch=1, wait=0.0, keep=50)
    for i in range(60):
        queue.ask(prompt(str(i)), LATER).result(5)
    usual = Prompt.__hash__
    monkeypatch.setattr(Prompt, "__hash__", lambda one: hashed.append(one.text) or usual(one))
    queue.ask(prompt("new"), LATER).result(5)
    workers.close()
    assert set(hashed) <= {"new", "10"} and "new" in hashed  # and the one that makes way


def test_nobody_reads_for_a_client_that_has_gone(queue, reader):
    hold(queue, reader)
    gone = Deadline()
    left = queue.ask(prompt("left"), gone)
    gone.cancel()
    reader.go.set()
    with pytest.raises(Stopped):
        left.result(5)
    assert queue.ask(prompt("left"), LATER).result(5) == "50: left"
