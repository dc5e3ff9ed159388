"""The service under load, on this machine alone: 64 clients against one, and past capacity.

    python benchmarks/service.py            # writes results/service.json and results/service.md

A real `nacc serve` on a free loopback port; the clients share its cores. Every text is new to the
server unless said otherwise, and every answer is compared with the one the same text got alone.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from nacc.evaluation.timing import machine

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]
ROOT = Path(__file__).resolve().parent.parent
CLIENTS = 64
BUDGET = 50
SMALL_QUEUE = 16
ROUNDS = 5
WHO = "harbour authority,city council,regional hospital,national museum,water board,film school"
TOWNS = "Port Ellis,Norwick,Halden,Sorrel Bay,Castle Dunne,Verloo,Ostmark,Tarn Hill"
SAID = (
    "would close two of its five halls for repairs until March, sending visitors to smaller ones",
    "had approved a plan to plant forty thousand trees along the ring road by the end of 2031",
    "was looking for the owner of a painting worth three million euros found behind a boiler",
    "had lost half of its archive in a fire that began in a neighbouring bakery before dawn",
)
TEXTS = [
    f"The {who} of {town} said on Monday that it {said}."
    for said, who, town in itertools.product(SAID, WHO.split(","), TOWNS.split(","))
]


@dataclass
class Run:
    """What the clients of one run saw; times are of answers with status 200."""

    seconds: float = 0.0
    statuses: Counter[int] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    answers: dict[str, tuple[str, float]] = field(default_factory=dict)

    def row(self, name: str, alone: dict[str, tuple[str, float]]) -> dict[str, Any]:
        p50, p99 = np.percentile(np.array(self.times) * 1e3, [50, 99])
        wrong = sum(alone[text] != answer for text, answer in self.answers.items())
        return {
            "run": name,
            "answers": self.statuses[200],
            "a second": self.statuses[200] / self.seconds,
            "p50 ms": float(p50),
            "p99 ms": float(p99),
            "429": self.statuses[429],
            "429 p99 ms": float(np.percentile(np.array(self.refused or [0.0]) * 1e3, 99)),
            "other": sum(n for status, n in self.statuses.items() if status not in (200, 429)),
            "crossed": wrong,
        }


@contextmanager
def server(*flags: str) -> Iterator[str]:
    """A new server process, ready; gives its address."""
    command = [sys.executable, "-m", "nacc", "serve", "--port", "0", "--drain", "0", *flags]
    with tempfile.NamedTemporaryFile("w+") as log:
        process = subprocess.Popen(command, stderr=log)
        try:
            while '"ready"' not in Path(log.name).read_text():
                assert process.poll() is None, Path(log.name).read_text()
                time.sleep(0.05)
            first = Path(log.name).read_text().splitlines()[0]
            yield json.loads(first)["url"]
            process.terminate()
            assert process.wait(60) == 0
        finally:
            process.kill()


async def load(url: str, texts: Sequence[str], clients: int, patience: int = 0) -> Run:
    """So many clients share the texts; each asks, waits for the answer and asks again. One that is
    refused waits as long as it is told, if it has the patience, and asks again."""
    run, left = Run(), list(reversed(texts))
    host, port = url.removeprefix("http://").split(":")

    async def client(connection: Connection) -> None:
        while left:
            text = left.pop()
            for _ in range(1 + patience):
                started = time.perf_counter()
                status, wait, answer = await ask(connection, text)
                seconds = time.perf_counter() - started
                run.statuses[status] += 1
                if status == 200:
                    best = answer["results"][0]["summaries"][0]
                    run.answers[text] = (best["text"], best["score"])
                    run.times.append(seconds)
                    break
                run.refused.append(seconds)
                if patience:
                    await asyncio.sleep(wait)

    connections = [await asyncio.open_connection(host, int(port)) for _ in range(clients)]
    await ask(connections[0], "Nobody counts this one.")
    started = time.perf_counter()
    await asyncio.gather(*map(client, connections))
    run.seconds = time.perf_counter() - started
    for _, writer in connections:
        writer.close()
    return run


async def ask(connection: Connection, text: str) -> tuple[int, float, Any]:
    """Status, Retry-After and answer. As little of a client as will do: it shares the cores."""
    reader, writer = connection
    body = json.dumps({"text": text, "max_length": BUDGET}).encode()
    head = "POST /v1/summarize HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    lines = (await reader.readuntil(b"\r\n\r\n")).decode().lower().splitlines()
    headers = dict(line.split(": ", 1) for line in lines[1:] if line)
    answer = json.loads(await reader.readexactly(int(headers["content-length"])))
    return int(lines[0].split()[1]), float(headers.get("retry-after", 0)), answer


def measure() -> list[dict[str, Any]]:
    ones, manys, knowns = [], [], []
    for _ in range(ROUNDS):  # in turn, so that whatever else the machine does befalls both
        with server() as url:
            ones.append(asyncio.run(load(url, TEXTS, 1)))
            knowns.append(asyncio.run(load(url, TEXTS * 3, CLIENTS)))
        with server() as url:
            manys.append(asyncio.run(load(url, TEXTS, CLIENTS)))
    one, many, known = map(middle, (ones, manys, knowns))
    flags = ("--queue", str(SMALL_QUEUE), "--max-texts", str(SMALL_QUEUE))
    with server(*flags) as url:
        hasty = asyncio.run(load(url, TEXTS, CLIENTS))
    with server(*flags) as url:
        patient = asyncio.run(load(url, TEXTS, CLIENTS, patience=20))
    alone = one.answers
    assert len(alone) == len(many.answers) == len(patient.answers) == len(TEXTS)
    return [
        one.row("one client", alone),
        many.row(f"{CLIENTS} clients", alone),
        known.row(f"{CLIENTS} clients, texts read before", alone),
        hasty.row(f"{CLIENTS} clients, queue of {SMALL_QUEUE}, refused once is given up", alone),
        patient.row(f"{CLIENTS} clients, queue of {SMALL_QUEUE}, Retry-After heeded", alone),
    ]


def middle(runs: list[Run]) -> Run:
    return sorted(runs, key=lambda run: run.seconds)[len(runs) // 2]


def markdown(rows: list[dict[str, Any]], where: str, busy: float) -> str:
    columns = list(rows[0])
    lines = ["| " + " | ".join(columns) + " |", "| --- |" + " ---: |" * (len(columns) - 1)]
    for row in rows:
        cells = [f"{v:.1f}" if isinstance(v, float) else str(v) for v in row.values()]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(
        [
            "# The service under load",
            "",
            f"{where}; `python benchmarks/service.py`.",
            "",
            f"{len(TEXTS)} sentences of about 25 words, {BUDGET} characters each, one a request. "
            f"Clients and server share the cores, with a load of {busy:.1f} from elsewhere when "
            f"the first run began; the first three rows are the middle one of {ROUNDS} runs. "
            "Times are of answers; *429 p99* is how long a refusal took; *crossed* counts answers "
            "that differ from the one the text got alone.",
            "",
            *lines,
            "",
        ]
    )


def main() -> None:
    here, busy = machine(), os.getloadavg()[0]
    rows = measure()
    found = {
        "command": "python benchmarks/service.py",
        "machine": asdict(here),
        "load before": busy,
        "runs": rows,
    }
    (ROOT / "results" / "service.json").write_text(json.dumps(found, indent=1) + "\n")
    page = markdown(rows, str(here), busy)
    (ROOT / "results" / "service.md").write_text(page)
    print(page)


if __name__ == "__main__":
    main()
