"""The service under load, on this machine alone: 64 clients against one, past capacity, beside
hostile clients, and memory over millions of words.

    python benchmarks/service.py            # writes results/service.json and results/service.md
    python benchmarks/service.py --beside   # only the part with hostile clients; writes nothing
    python benchmarks/service.py --soak     # only the soak, likewise

A real `nacc serve` on a free loopback port; the clients share its cores. Every text is new to the
server unless said otherwise, and every answer is compared with the one the same text got alone.
Hostile clients are a process of their own (hostile_clients.py), at a low priority: what they do
themselves they would do elsewhere. The soak is in soak.py.
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

import soak
from nacc.evaluation.timing import machine
from service_report import markdown, ratio, table

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]
ROOT = Path(__file__).resolve().parent.parent
CLIENTS = 64
BUDGET = 50
SMALL_QUEUE = 16
ROUNDS = 5
ORDINARY, IDLE, HOSTILE_ROUNDS = 4, 0.5, 3
"""Ordinary clients beside hostile ones: how many, the share of time in which one client alone would
leave the server idle if it asked as often as they do, and the rounds."""
SOAKED = 300_000
"""Words sent to a server; the layers behind it get soak.WORDS."""
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

    def note(self, text: str, status: int, answer: Any, seconds: float) -> None:
        self.statuses[status] += 1
        if status == 200:
            best = answer["results"][0]["summaries"][0]
            self.answers[text] = (best["text"], best["score"])
            self.times.append(seconds)
        else:
            self.refused.append(seconds)

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


@dataclass(frozen=True)
class Server:
    url: str
    process: int


@contextmanager
def server(*flags: str) -> Iterator[Server]:
    """A new server process, ready."""
    command = [sys.executable, "-m", "nacc", "serve", "--port", "0", "--drain", "0", *flags]
    with tempfile.NamedTemporaryFile("w+") as log:
        process = subprocess.Popen(command, stderr=log)
        try:
            while '"ready"' not in Path(log.name).read_text():
                assert process.poll() is None, Path(log.name).read_text()
                time.sleep(0.05)
            first = Path(log.name).read_text().splitlines()[0]
            yield Server(json.loads(first)["url"], process.pid)
            process.terminate()
            assert process.wait(60) == 0
        finally:
            process.kill()


async def load(server: Server, texts: Sequence[str], clients: int, patience: int = 0) -> Run:
    """So many clients share the texts; each asks, waits for the answer and asks again. One that is
    refused waits as long as it is told, if it has the patience, and asks again."""
    run, left = Run(), list(reversed(texts))

    async def client(connection: Connection) -> None:
        while left:
            text = left.pop()
            for _ in range(1 + patience):
                started = time.perf_counter()
                status, wait, answer = await ask(connection, text)
                seconds = time.perf_counter() - started
                run.note(text, status, answer, seconds)
                if status == 200:
                    break
                if patience:
                    await asyncio.sleep(wait)

    connections = [await connect(server) for _ in range(clients)]
    await ask(connections[0], "Nobody counts this one.")
    started = time.perf_counter()
    await asyncio.gather(*map(client, connections))
    run.seconds = time.perf_counter() - started
    for _, writer in connections:
        writer.close()
    return run


async def connect(server: Server) -> Connection:
    host, port = server.url.removeprefix("http://").split(":")
    return await asyncio.open_connection(host, int(port))


async def pace(server: Server, texts: Sequence[str], run: Run, every: float) -> None:
    """Ordinary clients: each asks at fixed times, whether or not the answer before was slow, and
    counts from then. A request that gets no answer has status 0. every: seconds between two."""

    async def one(connection: Connection, text: str, begin: float) -> Connection:
        await asyncio.sleep(max(0.0, begin - time.perf_counter()))
        try:
            status, _, answer = await ask(connection, text)
        except (OSError, asyncio.IncompleteReadError):
            status, answer = 0, None
            connection = await connect(server)
        run.note(text, status, answer, time.perf_counter() - begin)
        return connection

    async def client(number: int) -> None:
        connection = await connect(server)
        for i, text in enumerate(texts[number::ORDINARY]):
            begin = started + (i * ORDINARY + number) * every
            connection = await one(connection, text, begin)

    started = time.perf_counter() + 0.1
    await asyncio.gather(*map(client, range(ORDINARY)))
    run.seconds += time.perf_counter() - started


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


@contextmanager
def enemies(server: Server, told: Counter[str]) -> Iterator[None]:
    """Hostile clients at work; what they were answered is told at the end."""
    command = [sys.executable, str(Path(__file__).with_name("hostile_clients.py")), server.url]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    time.sleep(3)
    try:
        yield
    finally:
        process.terminate()
        told.update(json.loads(process.communicate(timeout=60)[0]))


def beside() -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Ordinary clients alone, and beside hostile ones, in turn."""
    texts = [f"{text[:-1]}, report {i}." for i in range(2) for text in TEXTS]
    rounds, told, most = [(Run(), Run()) for _ in range(HOSTILE_ROUNDS)], Counter[str](), 0.0
    with server() as quiet:
        probe = asyncio.run(load(quiet, TEXTS[:50], 1))
    every = float(np.mean(probe.times)) / (1 - IDLE)
    for alone, among in rounds:
        with server() as quiet:
            asyncio.run(pace(quiet, texts, alone, every))
        with server() as loud:
            with enemies(loud, told):
                asyncio.run(pace(loud, texts, among, every))
            most = max(most, soak.memory(loud.process))
    what = f"{ORDINARY} clients, {1 / every:.1f} requests a second in all"
    known = rounds[0][0].answers
    rows = [
        run.row(f"{what}, {where}, round {i}", known)
        for i, both in enumerate(rounds, 1)
        for run, where in zip(both, ("alone", "beside hostile ones"), strict=True)
    ]
    return rows, {"hostile clients were answered": dict(sorted(told.items())), "server MB": most}


def soaked() -> dict[str, soak.Rows]:
    with server() as busy:

        async def send(text: str) -> None:
            connection = await connect(busy)
            status, _, _ = await ask(connection, text)
            connection[1].close()
            assert status == 200

        by_requests = soak.of_server(busy.process, send, SOAKED)
    return {"by requests": by_requests, "layers alone": soak.of_layers()}


def measure() -> list[dict[str, Any]]:
    ones, manys, knowns = [], [], []
    for _ in range(ROUNDS):  # in turn, so that whatever else the machine does befalls both
        with server() as one_server:
            ones.append(asyncio.run(load(one_server, TEXTS, 1)))
            knowns.append(asyncio.run(load(one_server, TEXTS * 3, CLIENTS)))
        with server() as one_server:
            manys.append(asyncio.run(load(one_server, TEXTS, CLIENTS)))
    one, many, known = map(middle, (ones, manys, knowns))
    flags = ("--queue", str(SMALL_QUEUE), "--max-texts", str(SMALL_QUEUE))
    with server(*flags) as one_server:
        hasty = asyncio.run(load(one_server, TEXTS, CLIENTS))
    with server(*flags) as one_server:
        patient = asyncio.run(load(one_server, TEXTS, CLIENTS, patience=20))
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


def main() -> None:
    if "--beside" in sys.argv:
        rows, hostile = beside()
        print("\n".join([*table(rows), str(hostile), f"ratio of p99: {ratio(rows):.1f}"]))
        return
    if "--soak" in sys.argv:
        print(json.dumps(soaked(), indent=1))
        return
    here, busy = machine(), os.getloadavg()[0]
    runs = measure()
    (rows, hostile) = beside()
    found = {
        "command": "python benchmarks/service.py",
        "machine": asdict(here),
        "load before": busy,
        "texts": len(TEXTS),
        "budget": BUDGET,
        "rounds": ROUNDS,
        "runs": runs,
        "beside": rows,
        "hostile": hostile,
        "soak": soaked(),
    }
    (ROOT / "results" / "service.json").write_text(json.dumps(found, indent=1) + "\n")
    page = markdown(found, str(here))
    (ROOT / "results" / "service.md").write_text(page)
    print(page)


if __name__ == "__main__":
    main()
