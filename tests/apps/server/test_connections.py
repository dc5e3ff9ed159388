"""Connections: what comes over one is read so that others have their turn."""

from __future__ import annotations

import asyncio
import socket

import uvicorn
from uvicorn.server import ServerState

from nacc.apps.server.connections import MOST_READ, ClientProtocol, ConnectionTable
from nacc.apps.server.metrics import ServiceMetrics
from nacc.apps.server.settings import Settings

HEAD = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"


async def _answer(scope, receive, send):
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"read"})


async def _sizes(body: bytes) -> tuple[list[int], bytes]:
    """How much of a request was looked at each time, and the answer."""
    config = uvicorn.Config(_answer, lifespan="off")
    config.load()
    table = ConnectionTable(Settings(), ServiceMetrics())
    protocol = ClientProtocol(table, config=config, server_state=ServerState(), app_state={})
    sizes: list[int] = []
    seen = protocol.data_received
    protocol.data_received = lambda data: (sizes.append(len(data)), seen(data))[1]
    ours, theirs = socket.socketpair()
    loop = asyncio.get_running_loop()
    ours.setblocking(False)
    theirs.setblocking(False)
    await loop.connect_accepted_socket(lambda: protocol, ours)
    await loop.sock_sendall(theirs, HEAD % len(body) + body)
    answer = b""
    while b"read" not in answer and (more := await loop.sock_recv(theirs, 1000)):
        answer += more
    theirs.close()
    return sizes, answer


def test_a_large_body_is_read_little_by_little():
    body = b" " * 300_000
    sizes, answer = asyncio.run(asyncio.wait_for(_sizes(body), 20))
    assert answer.startswith(b"HTTP/1.1 200")
    assert sum(sizes) == len(HEAD % len(body)) + len(body)
    assert max(sizes) <= MOST_READ
