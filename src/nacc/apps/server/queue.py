"""One forward pass a prompt: those of all requests wait here, are read in batches, and are kept.

Few threads run the model, a core each. While they are busy, prompts gather; whoever is free takes
as many as a batch holds. The same text asked for twice, with the same told, is read once, whether
the first reading is done or still waiting. What nobody waits for any more is not read.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from nacc.apps.server.metrics import ServiceMetrics
from nacc.apps.server.workers import Workers
from nacc.deadline import Deadline
from nacc.errors import Stopped
from nacc.fitting.reading import Prompt, Reading

ReadBatch = Callable[[Sequence[Prompt]], Iterable[Reading]]


@dataclass(eq=False)
class Waiting:
    """A prompt on its way to the model, and those who wait for it."""

    prompt: Prompt
    deadlines: list[Deadline]
    since: float = field(default_factory=time.monotonic)
    reading: Future[Reading] = field(default_factory=Future)

    @property
    def late(self) -> bool:
        return not any(deadline.left for deadline in self.deadlines)


class ReadingQueue:
    """`ask` from any thread; a worker answers through the future."""

    def __init__(
        self,
        read: ReadBatch,
        metrics: ServiceMetrics,
        workers: Workers,
        *,
        batch: int,
        wait: float,
        keep: int,
    ) -> None:
        self._read = read
        self._metrics = metrics
        self._workers = workers
        self._batch = batch
        self._wait = wait
        self._keep = keep
        self._waiting: dict[Prompt, Waiting] = {}
        self._done: OrderedDict[Prompt, Waiting] = OrderedDict()  # asked for last comes last
        self._line: list[Waiting] = []
        self._changed = threading.Condition()
        self.seconds_a_text = 0.05

    def ask(self, prompt: Prompt, deadline: Deadline, after: float = 0.0) -> Future[Reading]:
        """The prompt's reading: at once if it is known, else when its batch was read."""
        with self._changed:
            done, known = self._done.get(prompt), self._waiting.get(prompt)
            self._metrics.readings.labels(found="yes" if done or known else "no").inc()
            if done:
                self._done.move_to_end(prompt)
                return done.reading
            if known:
                known.deadlines.append(deadline)
                return known.reading
            new = Waiting(prompt, [deadline])
            # Several requests may share this future: none of them may cancel it.
            new.reading.set_running_or_notify_cancel()
            self._waiting[prompt] = new
            self._line.append(new)
            self._changed.notify()
        self._workers.submit(lambda: self._work(new), after=after)
        return new.reading

    def _work(self, first: Waiting) -> None:
        """Read the prompt whose turn it is, unless it was read in another's company, and those
        that have waited longest."""
        with self._changed:
            if first not in self._line:
                return
            if self._batch > 1:
                full = lambda: len(self._line) >= self._batch  # noqa: E731
                self._changed.wait_for(full, timeout=self._wait)
                if first not in self._line:
                    return
            self._line.remove(first)
            batch = [first, *self._line[: self._batch - 1]]
            del self._line[: self._batch - 1]
            late = [one for one in batch if one.late]
            for one in late:
                del self._waiting[one.prompt]
        for one in late:
            one.reading.set_exception(Stopped("nobody waits for it any more"))
        self._answer([one for one in batch if one not in late])

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
            self._remember(one)
            one.reading.set_result(reading)

    def _fail(self, one: Waiting, error: Exception) -> None:
        with self._changed:
            del self._waiting[one.prompt]
        one.reading.set_exception(error)

    def _remember(self, one: Waiting) -> None:
        """Keep the readings asked for last. No other is looked at: a prompt's hash takes time."""
        with self._changed:
            self._done[one.prompt] = self._waiting.pop(one.prompt)
            one.deadlines = []
            while len(self._done) > self._keep:
                self._done.popitem(last=False)
