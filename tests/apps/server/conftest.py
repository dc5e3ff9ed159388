"""The servers that the tests share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason='needs pip install ".[serve]"')

from .process import Server

Start = Callable[..., Server]


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Starts servers with the flags given; all are stopped at the end."""
    started: list[Server] = []

    def new(*flags: str, **more: Any) -> Server:
        log = tmp_path_factory.mktemp("server") / "log"
        started.append(Server(log, "--drain", "0", *flags, **more))
        return started[-1]

    yield new
    for server in started:
        server.process.kill()
        server.process.wait(10)


@pytest.fixture(scope="session")
def server(start: Start) -> Server:
    """The server most tests talk to: every setting as it comes."""
    return start().until_ready()


@pytest.fixture(scope="session")
def ctc_server(start: Start, ctc_folder: Path) -> Server:
    """The same with a model that is told nothing but the text."""
    return start("--model", str(ctc_folder)).until_ready()


@pytest.fixture(scope="session")
def strict(start: Start) -> Server:
    """A server with tight limits, set by the environment."""
    return start(
        NACC_MAX_BODY="5000",
        NACC_MAX_TEXTS="8",
        NACC_MAX_CHARACTERS="500",
        NACC_MAX_BUDGETS="4",
        NACC_MAX_ALTERNATIVES="3",
        NACC_QUEUE="12",
        NACC_TIMEOUT="2.5",
        NACC_ARRIVAL="1.5",
        NACC_BATCH="4",
        NACC_BATCH_WAIT="0.02",
        NACC_READINGS="2",
        NACC_API_KEY="a-long-secret",
        NACC_CORS="https://news.example https://desk.example",
    ).until_ready()
