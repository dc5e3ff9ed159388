"""Runs the service until it is told to stop, and then until everything accepted is answered, or
the time for that is over."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import time
from collections.abc import Sequence
from logging import ERROR
from types import FrameType
from typing import Any

import uvicorn

from nacc.apps.server.app import build
from nacc.apps.server.connections import ClientProtocol, ConnectionTable, Listener, listening
from nacc.apps.server.guard import GuardMiddleware
from nacc.apps.server.logs import log, set_up, where
from nacc.apps.server.memory import few_heaps, give_back
from nacc.apps.server.service import Service
from nacc.apps.server.settings import Settings
from nacc.errors import NaccError

SWITCHING = 0.001
"""Seconds after which a thread hands on the interpreter: a request waits for those that decode."""
TICKS = 10
"""A second, as uvicorn ticks."""
GIVING_BACK = 60
"""Seconds between two times that memory is handed back."""
LAST_WORDS = 0.8
"""The share of the drain time-out after which what is still under way is answered with a 504."""


class DrainingServer(uvicorn.Server):
    """On the first signal it goes on listening, says 503 and finishes its work; on the second, or
    when the time for it is over, it stops at once."""

    def __init__(
        self,
        config: uvicorn.Config,
        guard: GuardMiddleware,
        service: Service,
        sockets: Sequence[socket.socket],
    ) -> None:
        super().__init__(config)
        self._guard = guard
        self._service = service
        self._sockets = sockets
        self._table = ConnectionTable(service.settings, service.metrics)
        self._told = 0.0
        self._was_ready = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(_told_in_json)
        await self.lifespan.startup()
        listener: Any = Listener(self._sockets, self._protocol, self._table)
        self.servers = [listener]
        self.started = True
        log("listening", url=self.url())

    def _protocol(self) -> ClientProtocol:
        return ClientProtocol(
            self._table,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self._service.draining:
            self._leave()
        self._service.draining = True
        self._told = time.monotonic()
        last = threading.Timer(self._service.settings.drain_timeout, self._leave)
        last.daemon = True
        last.start()

    def _leave(self) -> None:
        """Go, whatever is under way: threads that work cannot be waited for."""
        said_stopped(self._guard)
        sys.stderr.flush()
        os._exit(1 if self._guard.unanswered else 0)

    async def on_tick(self, counter: int) -> bool:
        service = self._service
        if counter % TICKS == 0:
            self._table.sweep()
            self._table.report()
        if counter % (GIVING_BACK * TICKS) == 0:
            asyncio.get_running_loop().run_in_executor(None, give_back)
        if service.ready and not self._was_ready:
            self._was_ready = True
            log("ready", url=self.url())
        if service.failed:
            self.should_exit = True
        elif service.draining:
            waited = time.monotonic() - self._told
            if waited > LAST_WORDS * service.settings.drain_timeout:
                self._guard.give_up()
            if self._guard.under_way == 0 and waited >= service.settings.drain:
                self.should_exit = True
        return await super().on_tick(counter)

    def url(self) -> str:
        host, port = self._sockets[0].getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _told_in_json(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What went wrong in nobody's request; its message might quote the user."""
    error = context.get("exception")
    log("unforeseen", level=ERROR, **(where(error) if error else {}))


def said_stopped(guard: GuardMiddleware) -> None:
    log("stopped", answered=guard.answered, unanswered=guard.unanswered)


def run(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT. Raises what kept the model from being loaded."""
    set_up()
    few_heaps()
    sockets = listening(settings.host, settings.port)
    sys.setswitchinterval(SWITCHING)
    app, guard, service = build(settings)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=1,
    )
    DrainingServer(config, guard, service, sockets).run()
    said_stopped(guard)
    if service.failed:
        error = service.failed
        raise error if isinstance(error, NaccError) else NaccError(f"no model: {error!r}")
