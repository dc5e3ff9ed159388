"""One forward pass a prompt: those of all requests wait here, are read in batches, and are kept.

Few worker threads run the model, a core each. While they are busy, prompts gather; whoever is free
takes as many as a batch holds. The same text asked for twice, with the same told, is read once,
whether the first reading is done or still waiting.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from nacc.apps.server.metrics import ServiceMetrics
from nacc.fitting.reading import Prompt, Reading

ReadBatch = Callable[[Sequence[Prompt]], Iterable[Reading]]


@dataclass(eq=False)
class Waiting:
    """A prompt on its way to the model."""

    prompt: Prompt
    deadline: float
    since: float = field(default_factory=time.monotonic)
    reading: Future[Reading] = field(default_factory=Future)
    late: bool = False
    done: bool = False


class ReadingQueue:
    """`ask` from any thread; a worker answers through the future."""

    def __init__(
        self,
        read: ReadBatch,
        metrics: ServiceMetrics,
        *,
        workers: int,
        batch: int,
        wait: float,
        keep: int,
    ) -> None:
        self._read = read
        self._metrics = metrics
        self._batch = batch
        self._wait = wait
        self._keep = keep
        self._known: OrderedDict[Prompt, Waiting] = OrderedDict()
        self._line: deque[Waiting] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self.seconds_a_text = 0.05
        self._workers = [
            threading.Thread(target=self._work, name=f"nacc-reader-{i}", daemon=True)
            for i in range(workers)
        ]
        for worker in self._workers:
            worker.start()

    def ask(self, prompt: Prompt, deadline: float) -> Future[Reading]:
        """The prompt's reading: at once if it is known, else when its batch was read."""
        with self._changed:
            known = self._known.get(prompt)
            self._metrics.readings.labels(found="yes" if known else "no").inc()
            if known:
                known.deadline = max(known.deadline, deadline)
                self._known.move_to_end(prompt)
                return known.reading
            new = Waiting(prompt, deadline)
            # Several requests may share this future: none of them may cancel it.
            new.reading.set_running_or_notify_cancel()
            self._known[prompt] = new
            self._line.append(new)
            self._changed.notify()
            return new.reading

    def close(self) -> None:
        """Read what waits, then stop."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for worker in self._workers:
            worker.join()

    def _work(self) -> None:
        while batch := self._next():
            for one in batch:
                if one.late:
                    one.reading.set_exception(TimeoutError())
            self._answer([one for one in batch if not one.late])

    def _next(self) -> list[Waiting]:
        """The oldest prompts; none when the queue is closed and all is read."""
        with self._changed:
            while not self._line:
                if self._closed:
                    return []
                self._changed.wait()
                if self._line and self._batch > 1:
                    full = lambda: len(self._line) >= self._batch or self._closed  # noqa: E731
                    self._changed.wait_for(full, timeout=self._wait)
            batch = [self._line.popleft() for _ in range(min(self._batch, len(self._line)))]
            for one in batch:
                one.late = one.deadline < time.monotonic()
                if one.late:
                    del self._known[one.prompt]
            return batch

    def _answer(self, batch: list[Waiting]) -> None:
        if not batch:
            return
        started = time.monotonic()
        for one in batch:
            self._metrics.queue.observe(started - one.since)
        self._metrics.batch.observe(len(batch))
        try:
            readings = list(self._read([one.prompt for one in batch]))
        except Exception as error:
            # Nobody foresaw this: find out whose fault it is, so that it harms no other.
            if len(batch) == 1:
                self._fail(batch[0], error)
            else:
                for one in batch:
                    self._answer([one])
            return
        took = (time.monotonic() - started) / len(batch)
        self.seconds_a_text += 0.2 * (took - self.seconds_a_text)
        for one, reading in zip(batch, readings, strict=True):
            one.done = True
            one.reading.set_result(reading)
        self._forget()

    def _fail(self, one: Waiting, error: Exception) -> None:
        with self._changed:
            del self._known[one.prompt]
        one.reading.set_exception(error)

    def _forget(self) -> None:
        """Keep the readings asked for last; what still waits is not counted."""
        with self._changed:
            extra = sum(one.done for one in self._known.values()) - self._keep
            done = [prompt for prompt, one in self._known.items() if one.done]
            for prompt in done[: max(0, extra)]:
                del self._known[prompt]
