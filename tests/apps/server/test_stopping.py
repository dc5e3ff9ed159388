"""Told to stop, the server is gone in time, whatever runs."""

from __future__ import annotations

import json
import signal
import time
from contextlib import ExitStack

from .process import posted
from .texts import REPEATED, TEXTS

IN_TIME = 2 + 4
"""Seconds: the drain time-out that the tests set, and what a busy machine may add."""


def test_sigterm_is_obeyed_in_time_whatever_runs(start):
    server = start("--drain-timeout", "2", "--threads", "1").until_ready()
    texts = [f"{REPEATED} report {i}" for i in range(30)]
    with ExitStack() as open_ones:
        busy = [open_ones.enter_context(server.connect()) for _ in range(2)]
        for one in busy:
            one.sendall(posted(text=texts, max_length=140))
        server.until_busy()
        started = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        code = server.process.wait(10)
        assert time.monotonic() - started < IN_TIME
        assert code == 0
        for one in busy:
            assert one.recv(4096).startswith(b"HTTP/1.1 504 ")


STUCK = """
import time
from nacc.apps.server import service
service._warm_up = lambda summarizer: None
service.Summarizer.after = lambda *_: time.sleep(60)
"""


def test_sigterm_is_obeyed_in_time_though_a_thread_is_stuck(start):
    server = start("--drain-timeout", "2", first=STUCK).until_ready()
    with server.connect() as asking:
        asking.sendall(posted(text=TEXTS[0]))
        server.until_busy()
        started = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(10) == 0
        assert time.monotonic() - started < IN_TIME
        assert asking.recv(4096).startswith(b"HTTP/1.1 504 ")
    assert len(server.events("stopped")) == 1


def test_sigterm_leaves_no_request_unanswered_that_does_not_come_whole(start):
    server = start("--drain-timeout", "2", "--arrival", "60").until_ready()
    with server.connect() as slow:
        slow.sendall(posted(text=TEXTS[0])[:-1])
        time.sleep(0.5)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(10) == 0
        head, _, body = slow.recv(4096).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 ")
        assert json.loads(body)["error"]["code"] == "draining"


def test_a_second_signal_stops_it_at_once(start):
    server = start("--drain", "8").until_ready()
    server.process.send_signal(signal.SIGTERM)
    time.sleep(0.5)
    assert server.get("/health/live").status_code == 200
    started = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(5) == 0
    assert time.monotonic() - started < 2
    assert len(server.events("stopped")) == 1
