"""The model behind the routes: lets texts in, has them read and decoded, and drains.

Counting happens at the door. A text is let in if there is room for it among those accepted and not
yet answered; from then on its request has a deadline, and nobody decodes for a request past it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from nacc.apps.server import refusals
from nacc.apps.server.metrics import ServiceMetrics
from nacc.apps.server.queue import ReadingQueue
from nacc.apps.server.request import ServiceRequest
from nacc.apps.server.settings import Settings
from nacc.decoding.registry import decoder, methods
from nacc.errors import NaccError
from nacc.fitting.reading import Prompt
from nacc.length import Budget
from nacc.options import Options
from nacc.parallel import cores
from nacc.runtime.engine import Engine
from nacc.runtime.folder import model_folder
from nacc.summarizer import Result, Summarizer
from nacc.text.words import Sentence, split

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
        except Exception as error:
            self.failed = error
            return
        self._summarizer = summarizer
        self._queue = ReadingQueue(
            summarizer.read_prompts,
            self.metrics,
            workers=self.settings.threads or cores(),
            batch=self.settings.batch or engine.batch,
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

    async def answer(self, request: ServiceRequest, deadline: float) -> list[ServedText]:
        """What each text got, in order."""
        with self._room(len(request.texts)):
            work = [self._serve(text, request, deadline) for text in request.texts]
            try:
                async with asyncio.timeout(deadline - time.monotonic()):
                    return await asyncio.gather(*work)
            except TimeoutError:
                raise refusals.timed_out(self.settings.timeout) from None

    async def _serve(self, text: str, request: ServiceRequest, deadline: float) -> ServedText:
        summarizer, queue = self._loaded()
        loop = asyncio.get_running_loop()
        sentence, asked = await loop.run_in_executor(self._pool, self._opened, text, request)
        prompts = {each for each in asked if isinstance(each, Prompt)}
        waiting = {prompt: queue.ask(prompt, deadline) for prompt in prompts}
        readings = {each: await asyncio.wrap_future(found) for each, found in waiting.items()}

        def fitted(one: Result | Prompt, budget: Budget) -> Result:
            if not isinstance(one, Prompt):
                return one
            if time.monotonic() > deadline:
                raise TimeoutError
            with self.metrics.decoding.time():
                return summarizer.after(readings[one], budget, request.options)

        def all_fitted() -> tuple[Result, ...]:
            return tuple(map(fitted, asked, request.budgets))

        results = await loop.run_in_executor(self._pool, all_fitted)
        return ServedText(sentence, any(prompt.truncated for prompt in prompts), results)

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
