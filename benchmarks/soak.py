"""Millions of distinct words: what is remembered of them has bounds, so memory stops growing.

Two ways. The layers that remember words (pieces, stems, languages, kinds) are given all of them
directly, since a forward pass a sentence would take hours; and a server is sent a smaller number
in requests, each text new.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

from nacc import Budget, Options, Summarizer
from nacc.fitting.reading import dangles
from nacc.text.stem import base

WORDS = 5_000_000
A_TEXT = 60
STEPS = 5
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Rows = list[dict[str, float | str]]


def memory(process: int | str = "self") -> float:
    """MB that a process has in memory."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise OSError("no VmRSS")


def texts(number: int, seed: int) -> list[str]:
    """Texts of so many words in all, of which hardly one comes twice."""
    letters = random.Random(seed)
    words = ["".join(letters.choices(LETTERS, k=letters.randrange(6, 12))) for _ in range(number)]
    return [" ".join(words[i : i + A_TEXT]) + "." for i in range(0, number, A_TEXT)]


def of_layers(words: int = WORDS) -> Rows:
    """Memory as the words go by, all that comes before a forward pass, and the stems after it."""
    summarizer = Summarizer.load()
    settled, budgets = summarizer.settled(Options(rewrite="always")), [Budget.of(50)]
    rows: Rows = []
    for step in range(STEPS):
        for text in texts(words // STEPS, step):
            summarizer.before(text, budgets, settled)
            for word in text[:-1].split():
                base(word)
                dangles(word)
        rows.append({"words": (step + 1) * words // STEPS, "MB": memory()})
    return rows


def of_server(process: int, send: Callable[[str], Awaitable[object]], words: int) -> Rows:
    """The same of a server, by requests, a text of 60 words each, four at a time."""

    async def some(step: int) -> None:
        left = texts(words // STEPS, 1000 + step)

        async def client() -> None:
            while left:
                await send(left.pop())

        await asyncio.gather(*(client() for _ in range(4)))

    rows: Rows = []
    for step in range(STEPS):
        asyncio.run(some(step))
        rows.append({"words": (step + 1) * words // STEPS, "MB": memory(process)})
    return rows
