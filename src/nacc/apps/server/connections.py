"""Connections: how many there may be, and how long a client may keep us waiting.

A connection waits for its client, or its client waits for an answer. One that has waited too long
is dropped; and where no more fit, a new one takes the place of the one that has waited longest. So
clients that connect and send nothing, or little by little, or never read, keep out nobody else.
"""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from http import HTTPStatus
from logging import WARNING
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from nacc.apps.server import refusals
from nacc.apps.server.logs import log
from nacc.apps.server.metrics import ServiceMetrics
from nacc.apps.server.refusals import Refusal
from nacc.apps.server.settings import Settings
from nacc.errors import InvalidInput

BACKLOG = 1024
RESERVED = 100
"""File descriptors kept for all else than connections."""
GRACE = 1.0
"""Seconds in which a request that comes too slowly is told so, before its connection is dropped."""
RETRY = 0.1
"""Seconds to wait where no connection can be accepted."""
SMALLEST_CHUNK, MOST_CRUMBS, SLICE = 64, 500, 4096
"""Bytes that the chunks of a body must have on average, once there are so many; what looks like
crumbs is looked at in slices, and so are headers: of what has come whole h11 knows no limit."""

MOST_READ = 2**14
"""Bytes that are read at once: others have their turn before a body's next ones."""


class ConnectionTable:
    """Those that are open; and what befell connections, counted, a line of log a second."""

    def __init__(self, settings: Settings, metrics: ServiceMetrics) -> None:
        self.most = min(settings.connections, max(1, _descriptors() - RESERVED))
        self.patience = settings.arrival + GRACE
        self._metrics = metrics
        self._open: set[ClientProtocol] = set()
        self._befell: Counter[str] = Counter()

    def add(self, new: ClientProtocol) -> bool:
        """Whether there is a place for it."""
        if len(self._open) >= self.most and not self.make_room():
            self.count("turned away")
            return False
        self._open.add(new)
        return True

    def remove(self, old: ClientProtocol) -> None:
        self._open.discard(old)

    def make_room(self) -> bool:
        """Drop the connection that has waited for its client longest, if one does."""
        waiting = [one for one in self._open if one.waiting is not None]
        if waiting:
            self._drop(min(waiting, key=lambda one: one.waiting or 0.0), "dropped for another")
        return bool(waiting)

    def sweep(self) -> None:
        """Drop those whose client takes too long."""
        oldest = time.monotonic() - self.patience
        for one in [one for one in self._open if (one.waiting or oldest) < oldest]:
            if one.has_begun:
                one.transport.write(_written(refusals.too_slow("request", self.patience)))
            self._drop(one, "too slow")

    def _drop(self, one: ClientProtocol, why: str) -> None:
        self.remove(one)
        self.count(why)
        one.transport.abort()

    def count(self, what: str) -> None:
        self._befell[what] += 1
        self._metrics.connections_lost.labels(why=what.replace(" ", "_")).inc()

    def report(self) -> None:
        """Say what befell connections since the last time, in one line, if anything did."""
        self._metrics.connections.set(len(self._open))
        if self._befell:
            facts = {name.replace(" ", "_"): n for name, n in sorted(self._befell.items())}
            self._befell.clear()
            log("connections", level=WARNING, open=len(self._open), **facts)


class ClientProtocol(H11Protocol):
    """One connection, HTTP/1.1; knows since when it waits for its client, if it does."""

    def __init__(self, table: ConnectionTable, **given: Any) -> None:
        super().__init__(**given)
        self.table = table
        self.waiting: float | None = None
        self._chunks = 0
        self._bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.max_size = MOST_READ  # type: ignore[attr-defined]
        if self.table.add(self):
            self.waiting = time.monotonic()
        else:
            transport.write(_written(refusals.crowded()))
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.table.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        crumbs = data.count(b"\r\n") * SMALLEST_CHUNK > len(data)
        headers = self.conn.their_state is h11.IDLE
        piece = SLICE if crumbs or headers else max(1, len(data))
        for begin in range(0, len(data), piece):
            if not self.transport.is_closing():
                self._take(data[begin : begin + piece])

    def _take(self, data: bytes) -> None:
        if self.conn.their_state is h11.IDLE and not self.has_begun:
            self._chunks = self._bytes = 0
            if not self.flow.write_paused:
                self.waiting = time.monotonic()
        self._chunks += data.count(b"\r\n")
        self._bytes += len(data)
        if self.conn.their_state is h11.SEND_BODY and self._is_minced():
            self.table.count("bad http")
            self.transport.abort()
            return
        super().data_received(data)
        self._look()

    def _is_minced(self) -> bool:
        """Whether a body comes in crumbs: a chunk takes as long as tens of thousands of bytes."""
        crumbs = self._chunks > MOST_CRUMBS and self._bytes < self._chunks * SMALLEST_CHUNK
        return crumbs and any(name == b"transfer-encoding" for name, _ in self.headers)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._look()  # it may be the answer's head that fills the pipe: no answer completes then

    def resume_writing(self) -> None:
        super().resume_writing()
        self._look()

    @property
    def has_begun(self) -> bool:
        """Whether some of a request's headers have come, and not all."""
        return self.conn.their_state is h11.IDLE and bool(self.conn.trailing_data[0])

    def _look(self) -> None:
        """Who waits for whom: a request that has come whole waits for us, until it is answered; we
        wait for a client that does not read."""
        cycle = self.cycle
        whole = cycle is not None and not cycle.more_body and not cycle.response_complete
        if whole and not self.flow.write_paused:
            self.waiting = None
        elif self.waiting is None:
            self.waiting = time.monotonic()

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP gets an answer of the usual shape, if it can still be given; what only
        follows a connection's last request is not looked at, and that is answered."""
        cycle = self.cycle
        if cycle is not None and not cycle.more_body and not cycle.response_complete:
            self.flow.pause_reading()
            return
        self.table.count("bad http")
        if cycle is None or cycle.response_complete or not cycle.response_started:
            self.transport.write(_written(Refusal(400, "bad_request", "this is not HTTP/1.1")))
        self.transport.close()


def _written(refusal: Refusal) -> bytes:
    """A refusal as it goes over the wire where no request can be answered; the end."""
    body = json.dumps(refusal.body()).encode()
    headers = {
        **refusal.headers,
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
    }
    status = HTTPStatus(refusal.status)
    lines = [f"HTTP/1.1 {status} {status.phrase}", *(f"{n}: {v}" for n, v in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


class Listener:
    """Accepts connections one by one. asyncio's own server takes up to `backlog` of them before it
    looks at any, and where descriptors run out it writes a traceback for each."""

    def __init__(
        self,
        sockets: Sequence[socket.socket],
        protocol: Callable[[], ClientProtocol],
        table: ConnectionTable,
    ) -> None:
        self.sockets = sockets
        self._protocol = protocol
        self._table = table
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._accept(one)) for one in sockets]

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                client, _ = await loop.sock_accept(listening)
            except OSError:  # no descriptor is left, or the client left first
                self._table.count("not accepted")
                self._table.make_room()
                await asyncio.sleep(RETRY)
                continue
            try:
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                await loop.connect_accepted_socket(self._protocol, client)
            except OSError:
                client.close()

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for one in self.sockets:
            one.close()

    async def wait_closed(self) -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*self._tasks)


def listening(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen at every address of the host, or InvalidInput."""
    found: list[socket.socket] = []
    try:
        places = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        for family, *_, address in dict.fromkeys(places):
            found.append(socket.create_server(address[:2], family=family, backlog=BACKLOG))
            found[-1].setblocking(False)
    except (OSError, OverflowError) as error:
        for one in found:
            one.close()
        raise InvalidInput(f"cannot listen on {host}:{port}: {error}") from None
    return found


def _descriptors() -> int:
    """How many files and sockets this process may have open."""
    try:
        import resource
    except ImportError:  # not on every system
        return BACKLOG
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft if soft > 0 else BACKLOG
