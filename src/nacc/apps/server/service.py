"""The model behind the routes: lets requests in, has their texts read and decoded, and drains.

Counting happens at the door. A request is let in if there is room for what it will cost among the
work accepted and not yet done; nobody works for one past its deadline, or whose client has gone.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TypeVar

from nacc.apps.server import cost, refusals
from nacc.apps.server.memory import seldom_all
from nacc.apps.server.metrics import ServiceMetrics
from nacc.apps.server.queue import ReadingQueue
from nacc.apps.server.request import ServiceRequest
from nacc.apps.server.settings import Settings
from nacc.apps.server.workers import Workers
from nacc.deadline import Deadline, within
from nacc.decoding.registry import decoder, methods
from nacc.errors import NaccError, Stopped
from nacc.fitting.reading import Prompt, Reading
from nacc.options import Options
from nacc.parallel import cores
from nacc.runtime.engine import Engine
from nacc.runtime.folder import model_folder
from nacc.summarizer import Result, Summarizer
from nacc.text.words import Sentence, split

T = TypeVar("T")
Waited = dict[Prompt, Future[Reading]]

WARM_UP = "The first answer of a new process is slow, so that this sentence is answered first."


@dataclass(frozen=True)
class ServedText:
    """What one text got: its words, if it has any, and what there is for each budget."""

    sentence: Sentence | None
    truncated: bool
    results: tuple[Result, ...]


class Service:
    """Loading, then ready, then draining."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics = ServiceMetrics()
        self.draining = False
        self.failed: Exception | None = None
        self._summarizer: Summarizer | None = None
        self._queue: ReadingQueue | None = None
        self._workers = Workers(settings.threads or cores() + 1, "nacc-worker")
        self._accepted = 0.0
        self._large = 0.0
        self._loader = threading.Thread(target=self._load, name="nacc-loader", daemon=True)

    def start(self) -> None:
        """Load the model in the background: until then the service says 503."""
        self._loader.start()

    def close(self) -> None:
        self._loader.join()
        self._workers.close()

    @property
    def ready(self) -> bool:
        return self._queue is not None and not self.draining

    @property
    def summarizer(self) -> Summarizer:
        """The loaded model, or the 503 that says it is not there yet."""
        return self._loaded()[0]

    def _loaded(self) -> tuple[Summarizer, ReadingQueue]:
        if self._summarizer is None or self._queue is None:
            raise refusals.loading()
        return self._summarizer, self._queue

    def _load(self) -> None:
        try:
            # Several forward passes at a time, a core each, answer more texts a second than one
            # over all cores: sentences are short.
            engine = Engine(model_folder(self.settings.model), 1, self.metrics.observe_stage)
            summarizer = Summarizer(engine)
            _warm_up(summarizer)
            seldom_all()
        except Exception as error:
            self.failed = error
            return
        self._summarizer = summarizer
        self._queue = ReadingQueue(
            summarizer.read_prompts,
            self.metrics,
            self._workers,
            batch=self.settings.batch or engine.batch,
            wait=self.settings.batch_wait,
            keep=self.settings.readings,
        )

    @contextmanager
    def _room(self, work: float) -> Iterator[None]:
        """Let so much work in, or say how long to wait. Large requests may fill half of the queue:
        there is room for small ones. Only the event loop's thread counts."""
        _, queue = self._loaded()
        room, share = self.settings.queue, self.settings.max_work
        if work > share:
            raise refusals.too_much(work, share)
        large = work if work > share / 8 else 0.0
        for there, new, most in (
            (self._accepted, work, room),
            (self._large, large, max(share, room / 2)),
        ):
            if new and there + new > most:
                raise refusals.queue_full(self._accepted * queue.seconds_a_text)
        self._count(work, large)
        try:
            yield
        finally:
            self._count(-work, -large)

    def _count(self, work: float, large: float) -> None:
        self._accepted += work
        self._large += large
        self.metrics.accepted.set(round(self._accepted, 6))

    async def answer(self, request: ServiceRequest, deadline: Deadline) -> list[ServedText]:
        """What each text got, in order."""
        costs = [
            cost.of_text(text, len(request.budgets), request.options) for text in request.texts
        ]
        whole = sum(costs)
        first = whole if whole > cost.LARGE else 0.0  # a large request has its turn when it is done
        with self._room(whole):
            work = [
                self._serve(text, request, deadline, before)
                for text, before in zip(
                    request.texts, accumulate(costs, initial=first), strict=False
                )
            ]
            try:
                async with asyncio.timeout(deadline.left):
                    return await asyncio.gather(*work)
            except (TimeoutError, Stopped):
                raise refusals.timed_out(self.settings.timeout) from None

    async def _serve(
        self, text: str, request: ServiceRequest, deadline: Deadline, before: float
    ) -> ServedText:
        """before: what goes before it: the texts before it, or all of a large request."""
        summarizer, queue = self._loaded()

        async def done(work: Callable[[], T], after: float, cost: float = 1.0) -> T:
            def in_time() -> T:
                with within(deadline):
                    deadline.check()
                    return work()

            return await asyncio.wrap_future(self._workers.submit(in_time, after=after, cost=cost))

        def opened() -> tuple[Sentence | None, list[Result | Prompt], Waited]:
            sentence, asked = self._opened(text, request)
            prompts = dict.fromkeys(each for each in asked if isinstance(each, Prompt))
            waited = {p: queue.ask(p, deadline, before + i) for i, p in enumerate(prompts)}
            return sentence, asked, waited

        opening = cost.of_opening(text)
        sentence, asked, waiting = await done(opened, before, opening)
        found = await asyncio.gather(*map(asyncio.wrap_future, waiting.values()))
        readings = dict(zip(waiting, found, strict=True))

        async def fitted(j: int, one: Result | Prompt) -> Result:
            if not isinstance(one, Prompt):
                return one

            def fit() -> Result:
                with self.metrics.decoding.time():
                    return summarizer.after(readings[one], request.budgets[j], request.options)

            each = cost.of_decoding(one, request.options)
            return await done(fit, before + j * each, each)

        results = await asyncio.gather(*(fitted(j, one) for j, one in enumerate(asked)))
        return ServedText(sentence, any(prompt.truncated for prompt in waiting), tuple(results))

    def _opened(
        self, text: str, request: ServiceRequest
    ) -> tuple[Sentence | None, list[Result | Prompt]]:
        """A text's words, and for each budget what needs no model, or else what to ask it."""
        asked = self.summarizer.before(text, request.budgets, request.options)
        failed = all(isinstance(each, NaccError) for each in asked)
        return None if failed else split(text), asked


def _warm_up(summarizer: Summarizer) -> None:
    """Have every kernel compiled or loaded before the first user waits for it."""
    asked = Options(rewrite="always")
    (reading,) = summarizer.read([WARM_UP], 50, asked)
    ways: list[tuple[str | int, Options]] = [("600px", asked), ("sms", asked)]
    for method in methods():
        for n in (1, 2) if decoder(method).ranks else (1,):
            ways.append((50, replace(asked, method=method, alternatives=n)))
    for budget, options in ways:
        with suppress(NaccError):  # what a model cannot do is no reason not to serve it
            list(summarizer.each([reading], budget, options))
