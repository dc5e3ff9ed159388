"""Millions of distinct words: what is remembered of them has bounds, so memory stops growing.

Two ways. The layers that remember words (pieces, stems, kinds, languages) are given all of them
directly, since a forward pass a sentence would take hours; and a server is sent a smaller number
in requests, each text new. The words stand in English sentences, which are told by the model.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from nacc import Budget, Options, Summarizer
from nacc.fitting.reading import Prompt, dangles
from nacc.text.licence import unlicensed
from nacc.text.stem import base
from nacc.text.words import split

WORDS = 5_000_000
A_TEXT = 24
WHOLE = 20
"""Each so-many-th text goes the whole way up to the model."""
STEPS = 5
FRAME = (
    "The {} of {} said on Monday that the {} and the {} will not go to the {} with {} this year, "
    "because {} had told them that the {} was too far from {} for most of the {} and {}, who {}."
)
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Rows = list[dict[str, float | str]]


def memory(process: int | str = "self") -> float:
    """MB that a process has in memory."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise OSError("no VmRSS")


def texts(number: int, seed: int) -> Iterator[tuple[list[str], str]]:
    """New words, so many in all, of which hardly one comes twice; and the text they stand in."""
    letters = random.Random(seed)
    half = A_TEXT // 2
    for _ in range(0, number, A_TEXT):
        new = ["".join(letters.choices(LETTERS, k=letters.randrange(6, 12))) for _ in range(A_TEXT)]
        yield new, f"{FRAME.format(*new[:half])} {FRAME.format(*new[half:])}"


def of_layers(words: int = WORDS) -> Rows:
    """Memory as the words go by: what comes before a forward pass, and what after it looks at
    words one by one."""
    summarizer = Summarizer.load()
    settled, budgets = summarizer.settled(Options(rewrite="always")), [Budget.of(50)]
    sentence, pieces = split(FRAME), summarizer.engine.encoder.pieces
    rows: Rows = []
    for step in range(STEPS):
        for i, (new, text) in enumerate(texts(words // STEPS, step)):
            pieces.of(new)
            unlicensed(new, sentence)
            for word in new:
                base(word)
                dangles(word)
            if i % WHOLE == 0:
                (asked,) = summarizer.before(text, budgets, settled)
                assert isinstance(asked, Prompt), asked
        rows.append({"words": (step + 1) * words // STEPS, "MB": memory()})
    return rows


def of_server(process: int, send: Callable[[str], Awaitable[object]], words: int) -> Rows:
    """The same of a server, by requests, a text each, four at a time."""

    async def some(step: int) -> None:
        left = [text for _, text in texts(words // STEPS, 1000 + step)]

        async def client() -> None:
            while left:
                await send(left.pop())

        await asyncio.gather(*(client() for _ in range(4)))

    rows: Rows = []
    for step in range(STEPS):
        asyncio.run(some(step))
        rows.append({"words": (step + 1) * words // STEPS, "MB": memory(process)})
    return rows
