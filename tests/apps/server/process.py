"""A real server process on a free loopback port, as `nacc serve` starts it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx

from .texts import TEXTS

KEY = {"Authorization": "Bearer a-long-secret"}
READY_WITHIN = 180  # the decoders compile on a new machine


HEAD = b"POST /v1/summarize HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


def posted(**asked: Any) -> bytes:
    """A whole request, as it goes over the wire."""
    body = json.dumps(asked).encode()
    return HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body


class Server:
    """One process. `url` is known once it listens; its log is a list of JSON objects."""

    def __init__(
        self,
        log: Path,
        *flags: str,
        descriptors: int | None = None,
        first: str = "",
        **environment: str,
    ) -> None:
        """descriptors: how many it may open; first: code to run before it starts."""
        self._log = log
        limit = ["sh", "-c", f'ulimit -n {descriptors}; exec "$0" "$@"'] if descriptors else []
        code = f"{first}\nimport sys\nfrom nacc.apps.cli import main\nmain(sys.argv[1:])"
        command = [*limit, sys.executable, "-c", code, "serve", "--port", "0", *flags]
        with log.open("w") as file:
            self.process = subprocess.Popen(
                command, stderr=file, stdout=file, env={**os.environ, **environment}
            )
        self.url = self._when("listening")["url"]

    def _when(self, event: str) -> dict[str, Any]:
        end = time.monotonic() + READY_WITHIN
        while time.monotonic() < end:
            for line in self.log():
                if line["event"] == event:
                    return line
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise AssertionError(f"no {event!r} in the log: {self._log.read_text()}")

    def until_ready(self) -> Server:
        self._when("ready")
        return self

    def log(self) -> list[dict[str, Any]]:
        """What was logged so far, in whole lines; each must be JSON."""
        written = self._log.read_text()
        return [json.loads(line) for line in written[: written.rfind("\n") + 1].splitlines()]

    def events(self, name: str) -> list[dict[str, Any]]:
        return [line for line in self.log() if line["event"] == name]

    def until_busy(self) -> None:
        end = time.monotonic() + 20
        while not self.count("nacc_work_accepted"):
            assert time.monotonic() < end, "nothing was accepted"
            time.sleep(0.01)

    def ask(self, text: Any = TEXTS[0], **asked: Any) -> httpx.Response:
        return self.post({"text": text, **asked})

    def post(self, body: Any, **more: Any) -> httpx.Response:
        return httpx.post(f"{self.url}/v1/summarize", json=body, timeout=60, **more)

    def ask_with_key(self, text: Any, **asked: Any) -> httpx.Response:
        return self.post({"text": text, **asked}, headers=KEY)

    def get(self, path: str, **more: Any) -> httpx.Response:
        return httpx.get(self.url + path, timeout=60, **more)

    def count(self, name: str, **more: Any) -> float:
        """The value of one line of /metrics."""
        for line in self.get("/metrics", **more).text.splitlines():
            if line.startswith(f"{name} "):
                return float(line.split()[1])
        raise AssertionError(f"no metric {name}")

    def connect(self) -> socket.socket:
        host, port = self.url.removeprefix("http://").split(":")
        return socket.create_connection((host, int(port)), timeout=20)

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(30)
        finally:
            self.process.kill()
