"""Clients that mean harm, all at once, until they are told to stop; prints what they were answered.

python benchmarks/hostile_clients.py http://127.0.0.1:8000
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import random
import signal
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress

HEAD = "POST /v1/summarize HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
IDLE = 600
WORDS = "river stone house garden window paper silver copper winter summer autumn spring".split()
LETTERS = [chr(i) for i in (*range(0xE0, 0x24F), *range(0x1E00, 0x1EFF))]
statuses: Counter[str] = Counter()


class Enemies:
    """They know the server's address, and draw words that nobody has sent before."""

    def __init__(self, url: str) -> None:
        host, port = url.removeprefix("http://").split(":")
        self.address = host, int(port)
        self.random = random.Random(0)

    def word(self, letters: str | list[str] = "abcdefghijklmnopqrstuvwxyz", size: int = 7) -> str:
        return "".join(self.random.choices(letters, k=size))

    async def send(self, body: bytes, headers: str = "", *, stay: bool = True) -> None:
        """One request; whoever does not stay hangs up before the answer."""
        reader, writer = await asyncio.open_connection(*self.address)
        try:
            writer.write(f"{HEAD}{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            await writer.drain()
            if stay:
                statuses[(await reader.readline()).decode().split(" ")[1]] += 1
        finally:
            writer.transport.abort()

    async def ask(self, *, stay: bool = True, **asked: object) -> None:
        await self.send(json.dumps(asked).encode(), stay=stay)

    async def many_budgets(self) -> None:
        text = " ".join([*WORDS, *(self.word() for _ in range(24))])
        await self.ask(text=text, max_length=[*range(40, 280, 20)], alternatives=10)

    async def far_too_much(self) -> None:
        text = " ".join([*WORDS * 5, self.word()])
        await self.ask(text=[text] * 16, max_length=[*range(30, 46)], alternatives=10)

    async def many_texts(self) -> None:
        texts = [" ".join([*WORDS, *(self.word() for _ in range(12))]) for _ in range(60)]
        await self.ask(text=texts, max_length=60)

    async def repeats(self) -> None:
        text = " ".join([*WORDS * 5, self.word()])
        await self.ask(text=text, max_length=self.random.choice([140, "2000px", 1_000_000]))

    async def long_text(self) -> None:
        text = " ".join(self.word(LETTERS) for _ in range(1200))
        await self.ask(text=text, rewrite="always")

    async def leaving(self) -> None:
        text = " ".join([*WORDS * 5, self.word()])
        await self.ask(text=[text] * 8, max_length=[100, 140], stay=False)

    async def rubbish(self) -> None:
        nested = b'{"text":' + b"[" * 400_000
        packed = gzip.compress(b" " * 10_000_000)
        for body, headers in (
            (nested, ""),
            (bytes(range(256)) * 100, ""),
            (packed, "Content-Encoding: gzip\r\n"),
            (b'{"text":"a","max_length":' + b"9" * 100_000 + b"}", ""),
        ):
            await self.send(body, headers)

    async def crumbs(self) -> None:
        _, writer = await asyncio.open_connection(*self.address)
        writer.write(f"{HEAD}Transfer-Encoding: chunked\r\n\r\n".encode() + b"1\r\n \r\n" * 20_000)
        with suppress(ConnectionError):
            await writer.drain()
        writer.transport.abort()

    async def deaf(self) -> None:
        """Asks and asks, and never reads."""
        _, writer = await asyncio.open_connection(*self.address, limit=1024)
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(5):
                while True:
                    writer.write(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n")
                    await writer.drain()
                    await asyncio.sleep(0.05)
        writer.transport.abort()

    async def idle(self) -> None:
        """A connection with half a header, for as long as it lasts."""
        reader, writer = await asyncio.open_connection(*self.address)
        writer.write(HEAD[:-10].encode())
        await reader.read()
        writer.transport.abort()

    async def over_and_over(self, do: Callable[[], Awaitable[None]], pause: float) -> None:
        while True:
            with suppress(OSError, IndexError, asyncio.IncompleteReadError):
                await do()
            await asyncio.sleep(pause)


async def main(url: str) -> None:
    enemies = Enemies(url)
    kinds = [
        (enemies.idle, IDLE, 1.0),
        (enemies.many_budgets, 4, 0.05),
        (enemies.many_texts, 4, 0.05),
        (enemies.repeats, 2, 0.05),
        (enemies.far_too_much, 2, 0.1),
        (enemies.leaving, 2, 0.1),
        (enemies.long_text, 1, 0.2),
        (enemies.rubbish, 1, 0.2),
        (enemies.crumbs, 1, 0.5),
        (enemies.deaf, 4, 0.5),
    ]
    work = [
        asyncio.ensure_future(enemies.over_and_over(do, pause))
        for do, clients, pause in kinds
        for _ in range(clients)
    ]
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await stop.wait()
    for one in work:
        one.cancel()
    print(json.dumps(statuses))


if __name__ == "__main__":
    os.nice(10)  # elsewhere, they would not take the server's cores
    asyncio.run(main(sys.argv[1]))
