"""The model behind the routes: lets texts in, has them read and decoded, and drains.

Counting happens at the door. A text is let in if there is room for it among those accepted and not
yet answered; from then on its request has a deadline, and nobody decodes for a request past it.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nacc.apps.server import refusals
from nacc.apps.server.asked import Asked
from nacc.apps.server.metrics import Metrics
from nacc.apps.server.queue import Read, ReadingQueue
from nacc.apps.server.settings import Settings
from nacc.errors import NaccError
from nacc.fitting.reading import Reading
from nacc.lattice.words import WordLattice
from nacc.length.budget import Budget
from nacc.runtime.engine import BATCH, Engine
from nacc.runtime.folder import model_folder
from nacc.summarizer import Summarizer
from nacc.summary import Summary

WARM_UP = "The first answer of a new process is slow, so that this sentence is answered first."

Made = list[Summary] | NaccError
"""The best summary and its alternatives, or why there is none."""


@dataclass(frozen=True)
class Answer:
    """What one text got: its reading, and per budget what was made."""

    reading: Reading | None
    made: tuple[Made, ...]


class TimedEngine(Engine):
    """An engine of one thread that says how long the network took, to the thread that asked.

    Several forward passes at a time, a core each, answer more texts a second than one over all
    cores: sentences are short.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, threads=1)
        self.took = threading.local()

    def lattices(self, sentences: Sequence[Sequence[str]]) -> list[WordLattice]:
        started = time.perf_counter()
        found = super().lattices(sentences)
        self.took.seconds = time.perf_counter() - started
        return found


class Service:
    """Loading, then ready, then draining."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.draining = False
        self.failed: Exception | None = None
        self._summarizer: Summarizer | None = None
        self._queue: ReadingQueue | None = None
        self._pool = ThreadPoolExecutor(settings.decoders, "nacc-decoder")
        self._accepted = 0
        self._loader = threading.Thread(target=self._load, name="nacc-loader", daemon=True)

    def start(self) -> None:
        """Load the model in the background: until then the service says 503."""
        self._loader.start()

    def close(self) -> None:
        self._loader.join()
        if self._queue:
            self._queue.close()
        self._pool.shutdown()

    @property
    def ready(self) -> bool:
        return self._queue is not None and not self.draining

    @property
    def engine(self) -> Engine:
        """The loaded model, or the 503 that says it is not there yet."""
        return self._loaded()[0].engine

    def _loaded(self) -> tuple[Summarizer, ReadingQueue]:
        if self._summarizer is None or self._queue is None:
            raise refusals.loading()
        return self._summarizer, self._queue

    def _load(self) -> None:
        try:
            engine = TimedEngine(model_folder(self.settings.model))
            summarizer = Summarizer(engine)
            _warm_up(summarizer)
        except Exception as error:
            self.failed = error
            return
        gains_from = BATCH.get(str(engine.config.get("precision")), 1)
        self._summarizer = summarizer
        self._queue = ReadingQueue(
            _reader(summarizer, engine, self.metrics),
            self.metrics,
            workers=self.settings.threads or _cores(),
            batch=self.settings.batch or gains_from,
            wait=self.settings.batch_wait,
            keep=self.settings.readings,
        )

    @contextmanager
    def _room(self, texts: int) -> Iterator[None]:
        """Let so many texts in, or say how long to wait. Only the event loop's thread counts."""
        _, queue = self._loaded()
        if self._accepted + texts > self.settings.queue:
            raise refusals.queue_full(self._accepted * queue.seconds_a_text)
        self._accepted += texts
        self.metrics.accepted.set(self._accepted)
        try:
            yield
        finally:
            self._accepted -= texts
            self.metrics.accepted.set(self._accepted)

    async def answer(self, asked: Asked, deadline: float) -> list[Answer]:
        """One answer a text, in order."""
        _, queue = self._loaded()
        with self._room(len(asked.texts)):
            work = [self._one(queue, text, asked, deadline) for text in asked.texts]
            try:
                async with asyncio.timeout(deadline - time.monotonic()):
                    return await asyncio.gather(*work)
            except TimeoutError:
                raise refusals.timed_out(self.settings.timeout) from None

    async def _one(self, queue: ReadingQueue, text: str, asked: Asked, deadline: float) -> Answer:
        try:
            reading = await asyncio.wrap_future(queue.ask(text, asked.sentences, deadline))
        except NaccError as error:
            return Answer(None, tuple(error for _ in asked.budgets))
        loop = asyncio.get_running_loop()
        made = await loop.run_in_executor(self._pool, self._decode, reading, asked, deadline)
        return Answer(reading, made)

    def _decode(self, reading: Reading, asked: Asked, deadline: float) -> tuple[Made, ...]:
        return tuple(self._fit(reading, budget, asked, deadline) for budget in asked.budgets)

    def _fit(self, reading: Reading, budget: Budget, asked: Asked, deadline: float) -> Made:
        if time.monotonic() > deadline:
            raise TimeoutError
        summarizer, _ = self._loaded()
        with self.metrics.decoding.time():
            try:
                return summarizer.alternatives(reading, asked.alternatives, budget, **asked.wishes)
            except NaccError as error:
                return error


def _reader(summarizer: Summarizer, engine: TimedEngine, metrics: Metrics) -> Read:
    """Reads a batch and says how long splitting it and the network took."""

    def read(texts: Sequence[str], sentences: str) -> list[Reading]:
        started = time.perf_counter()
        readings = summarizer.read(texts, sentences=sentences)
        took = time.perf_counter() - started
        metrics.inference.observe(engine.took.seconds)
        metrics.tokenising.observe(max(0.0, took - engine.took.seconds))
        return readings

    return read


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _warm_up(summarizer: Summarizer) -> None:
    """Have every kernel compiled or loaded before the first user waits for it."""
    (reading,) = summarizer.read([WARM_UP])
    ways: tuple[dict[str, Any], ...] = (
        {"n": 2}, {"n": 2, "method": "exact"}, {"n": 1}, {"n": 1, "method": "exact"},
        {"n": 1, "method": "bucketed"}, {"n": 1, "method": "greedy"},
        {"n": 1, "max_length": "600px"}, {"n": 1, "max_length": "sms"},
    )  # fmt: skip
    for way in ways:
        with suppress(NaccError):
            summarizer.alternatives(reading, **way)
