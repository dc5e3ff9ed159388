"""Runs the service until it is told to stop, and then until everything accepted is answered."""

from __future__ import annotations

import time
from types import FrameType

import uvicorn

from nacc.apps.server.app import build
from nacc.apps.server.guard import GuardMiddleware
from nacc.apps.server.logs import log, set_up
from nacc.apps.server.service import Service
from nacc.apps.server.settings import Settings
from nacc.errors import NaccError


class DrainingServer(uvicorn.Server):
    """On the first signal it goes on listening, says 503 and finishes its work; on the second it
    stops at once."""

    def __init__(self, config: uvicorn.Config, guard: GuardMiddleware, service: Service) -> None:
        super().__init__(config)
        self._guard = guard
        self._service = service
        self._told = 0.0
        self._said_where = False
        self._was_ready = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self._service.draining:
            super().handle_exit(sig, frame)
        else:
            self._service.draining = True
            self._told = time.monotonic()

    async def on_tick(self, counter: int) -> bool:
        service = self._service
        if not self._said_where:
            self._said_where = True
            log("listening", url=self.url())
        if service.ready and not self._was_ready:
            self._was_ready = True
            log("ready", url=self.url())
        if service.failed:
            self.should_exit = True
        elif service.draining:
            waited = time.monotonic() - self._told
            finished = self._guard.under_way == 0 and waited >= service.settings.drain
            if finished or waited > 2 * service.settings.timeout:
                self.should_exit = True
        return await super().on_tick(counter)

    def url(self) -> str:
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT. Raises what kept the model from being loaded."""
    set_up()
    app, guard, service = build(settings)
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
        backlog=1024,
    )
    DrainingServer(config, guard, service).run()
    log("stopped", answered=guard.answered, unanswered=guard.under_way)
    if service.failed:
        error = service.failed
        raise error if isinstance(error, NaccError) else NaccError(f"no model: {error!r}")
