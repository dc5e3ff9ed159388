"""The door of the service: what every request passes before and after any route.

Before: draining, API key, size and arrival of the body. After: headers, one log line, metrics.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import time
import uuid
from logging import DEBUG, ERROR, INFO
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nacc.apps.server import refusals
from nacc.apps.server.logs import log, where
from nacc.apps.server.refusals import Refusal, too_large
from nacc.apps.server.service import Service
from nacc.deadline import Deadline

DEADLINE = "nacc.deadline"
OPEN_WHILE_DRAINING = {"/health/live", "/health/ready", "/metrics"}
KEY_NEEDED = ("/v1/", "/info", "/metrics")
DISCARDED = 8
"""A body up to so many times too large is read to its end: a client that is still sending would
miss the answer."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Disconnected(Exception):
    """The client left before it had its answer."""


class GuardMiddleware:
    """Wraps the app; knows which requests are under way."""

    def __init__(self, app: ASGIApp, service: Service, paths: frozenset[str]) -> None:
        self.app = app
        self.service = service
        self.paths = paths
        self.answered = 0
        self._requests: set[RequestScope] = set()

    @property
    def under_way(self) -> int:
        return len(self._requests)

    @property
    def unanswered(self) -> int:
        return sum(request.status is None for request in list(self._requests))

    def give_up(self) -> None:
        """Work for nobody any more, nor wait: who still waits is told that it took too long, and
        whose request has not come whole, that it comes too late."""
        for request in self._requests:
            request.give_up()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = RequestScope(self, scope, send)
        self._requests.add(request)
        try:
            await request.run(receive)
        finally:
            self._requests.remove(request)
            self.answered += request.status is not None
            request.report()


class RequestScope:
    """One request, from its headers to its log line."""

    def __init__(self, guard: GuardMiddleware, scope: Scope, send: Send) -> None:
        self.guard = guard
        self.settings = guard.service.settings
        self.scope = scope
        self.headers = {name.lower(): value for name, value in scope["headers"]}
        self.started = time.monotonic()
        self.id = uuid.uuid4().hex[:16]
        self.status: int | None = None
        self.size = 0
        self.work: asyncio.Future[None] | None = None
        self._arriving: asyncio.Timeout | None = None
        self._send = send

    async def run(self, receive: Receive) -> None:
        try:
            self._check()
            await self._answer(await self._body(receive), receive)
        except Refusal as refusal:
            await self._refuse(refusal)
        except Disconnected:
            return
        except Exception as error:
            log("unforeseen", level=ERROR, request=self.id, **where(error))
            if self.status is None:
                await self._refuse(Refusal(500, "internal", f"unforeseen; request {self.id}"))

    def give_up(self) -> None:
        if self.work is not None:
            self.work.cancel()
        elif self._arriving is not None and not self._arriving.expired():
            self._arriving.reschedule(0.0)

    async def _answer(self, body: bytes, receive: Receive) -> None:
        """Let the app answer, unless the client leaves: then nobody works for it any more."""
        self.scope[DEADLINE] = deadline = Deadline(self.settings.timeout)
        left = asyncio.ensure_future(_left(receive))
        work = self.guard.app(self.scope, _replay(body, left), self.send)
        self.work = asyncio.ensure_future(work)
        try:
            await asyncio.wait((self.work, left), return_when=asyncio.FIRST_COMPLETED)
            if self.work.cancelled():
                raise refusals.timed_out(self.settings.timeout)
            if not self.work.done():
                raise Disconnected
            self.work.result()
        finally:
            deadline.cancel()
            self.work.cancel()
            left.cancel()

    def _check(self) -> None:
        path = self.scope["path"]
        if self.guard.service.draining and path not in OPEN_WHILE_DRAINING:
            raise refusals.draining()
        if b"content-length" in self.headers and b"transfer-encoding" in self.headers:
            raise refusals.two_lengths()
        packed = (v for name, v in self.scope["headers"] if name.lower() == b"content-encoding")
        if any(each.lower() != b"identity" for each in packed):
            raise self._closing(Refusal(415, "not_json", "send the body as it is, not packed"))
        key = self.settings.api_key
        if key is not None and path.startswith(KEY_NEEDED):
            scheme, _, given = self.headers.get(b"authorization", b"").partition(b" ")
            known = hmac.compare_digest(given.strip(), key.encode())
            if scheme.lower() != b"bearer" or not known:
                raise Refusal(
                    401, "key_needed", "send the API key as Authorization: Bearer …",
                    headers={"WWW-Authenticate": "Bearer"},
                )  # fmt: skip

    async def _body(self, receive: Receive) -> bytes:
        limit = self.settings.max_body
        announced = self.headers.get(b"content-length", b"0")
        length = int(announced) if announced.isdigit() else 0  # of 20 digits at most, says h11
        if length > limit and (length > DISCARDED * limit or b"expect" in self.headers):
            raise self._closing(too_large("body_too_large", "bytes of the body", length, limit))
        chunks: list[bytes] = []
        try:
            async with asyncio.timeout(self.settings.arrival) as self._arriving:
                more = True
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Disconnected
                    more = message.get("more_body", False)
                    chunk = message.get("body", b"")
                    self.size += len(chunk)
                    if self.size <= limit:
                        chunks.append(chunk)
                    elif self.size > DISCARDED * limit:
                        break
        except TimeoutError:
            if self.guard.service.draining:
                raise refusals.draining() from None
            raise self._closing(refusals.too_slow("body", self.settings.arrival)) from None
        finally:
            self._arriving = None
        if self.size > limit:
            raise self._closing(too_large("body_too_large", "bytes of the body", self.size, limit))
        return b"".join(chunks)

    @staticmethod
    def _closing(refusal: Refusal) -> Refusal:
        refusal.headers["Connection"] = "close"
        return refusal

    async def _refuse(self, refusal: Refusal) -> None:
        body = json.dumps(refusal.body()).encode()
        headers = {
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            **refusal.headers,
        }
        raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        start = {"type": "http.response.start", "status": refusal.status, "headers": raw}
        await self.send(start)
        body = b"" if self.scope["method"] == "HEAD" else body
        await self.send({"type": "http.response.body", "body": body})

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            given = {name.lower() for name, _ in message["headers"]}
            extra = {**HEADERS, "X-Request-Id": self.id}
            if self.guard.service.draining:
                extra["Connection"] = "close"
            message["headers"] = [
                *message["headers"],
                *((n.lower().encode(), v.encode()) for n, v in extra.items()
                  if n.lower().encode() not in given),
            ]  # fmt: skip
        await self._send(message)

    def report(self) -> None:
        seconds = time.monotonic() - self.started
        # Paths and methods we do not know may hold anything.
        known = self.scope["path"] in self.guard.paths
        path = self.scope["path"] if known else "other"
        method = self.scope["method"] if self.scope["method"] in HTTP_METHODS else "other"
        metrics = self.guard.service.metrics
        metrics.responses.labels(path=path, status=str(self.status or "none")).inc()
        metrics.request.observe(seconds)
        facts: dict[str, Any] = {"request": self.id, "method": method, "path": path}
        # Probes come every few seconds and say the same.
        level = DEBUG if path in OPEN_WHILE_DRAINING else INFO
        log(
            "request",
            level=level,
            **facts,
            status=self.status,
            bytes=self.size,
            seconds=round(seconds, 4),
        )


HTTP_METHODS = {"GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH"}


async def _left(receive: Receive) -> None:
    """Returns when the client has gone, or has its answer."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _replay(body: bytes, left: asyncio.Future[None]) -> Receive:
    """The body once more for the app, then that the client has gone, when it has."""
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def replayed() -> Message:
        for message in messages:
            return message
        await asyncio.shield(left)
        return {"type": "http.disconnect"}

    return replayed
