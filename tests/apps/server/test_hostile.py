"""Clients that mean harm: others are served as if they were not there, and the log stays small."""

from __future__ import annotations

import gzip
import json
import socket
import time
from contextlib import ExitStack, contextmanager, suppress
from unittest.mock import Mock

import httpx
import pytest

from nacc.apps.server.refusals import Refusal
from nacc.apps.server.service import Service
from nacc.apps.server.settings import Settings

from .process import HEAD, Server, posted
from .texts import REPEATED, TEXTS

DESCRIPTORS = 256
CONNECTIONS = DESCRIPTORS - 100
ARRIVAL = 1.0
FRESH = iter(range(10**6))


@pytest.fixture(scope="module")
def server(start) -> Server:
    """Few file descriptors, and little patience."""
    return start("--arrival", str(ARRIVAL), descriptors=DESCRIPTORS).until_ready()


@contextmanager
def crowd(server: Server, size: int, said: bytes = b""):
    """So many connections that say something and then nothing."""
    with ExitStack() as open_ones:
        yield [_saying(open_ones.enter_context(server.connect()), said) for _ in range(size)]


def _saying(connection: socket.socket, said: bytes) -> socket.socket:
    connection.sendall(said)
    return connection


def closed(connection: socket.socket) -> bool:
    """Whether the server hung up, within the patience it has."""
    connection.settimeout(ARRIVAL + 4)
    try:
        while connection.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def served(server: Server) -> None:
    """An ordinary request is answered, and soon."""
    started = time.monotonic()
    text = f"{TEXTS[1][:-1]}, said report {next(FRESH)}."
    assert server.ask(text, max_length=45).status_code == 200
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    "said",
    [b"", HEAD + b"X: " + b"y" * 9000, HEAD + b"Content-Length: 999\r\n\r\n{"],
    ids=["nothing", "some headers", "some of a body"],
)
def test_a_crowd_that_sends_nothing_more_keeps_nobody_out(server, said):
    before = len(server.log())
    with crowd(server, 2 * CONNECTIONS, said) as idle:
        served(server)
        assert closed(idle[0]) and closed(idle[-1])
        served(server)
    assert server.process.poll() is None
    new = server.log()[before:]
    told = [line for line in new if line["event"] != "request"]
    assert {line["event"] for line in told} == {"connections"}
    assert sum(line.get("dropped_for_another", 0) for line in told) >= CONNECTIONS
    assert len(told) < 20, "a line for each is a flood"


def test_slow_headers_are_told_so(server):
    with server.connect() as slow:
        slow.sendall(HEAD)
        slow.settimeout(ARRIVAL + 4)
        assert slow.recv(4096).startswith(b"HTTP/1.1 408 ")


def test_a_byte_at_a_time_is_too_slow(server):
    with server.connect() as slow:
        started = time.monotonic()
        with pytest.raises(OSError):
            for byte in posted(text=TEXTS[0]) * 100:
                slow.sendall(bytes([byte]))
                time.sleep(0.05)
        assert time.monotonic() - started < ARRIVAL + 4


def dropped(server: Server) -> float:
    """How many connections were too slow so far."""
    lines = server.get("/metrics").text.splitlines()
    counts = (line.split()[1] for line in lines if "lost_total" in line and "too_slow" in line)
    return float(next(counts, 0))


def test_a_client_that_never_reads_is_dropped(server):
    before = dropped(server)
    with server.connect() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.settimeout(ARRIVAL + 4)
        with pytest.raises(
            OSError
        ):  # told, or blocked: so full a pipe may not let the news through
            while True:  # pipelined; answers fill whatever there is between us
                deaf.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 100)
        assert dropped(server) > before
    served(server)


def test_no_descriptor_left_is_a_line_a_second(start):
    server = start("--connections", "5000", descriptors=130).until_ready()
    with crowd(server, 130) as _:
        time.sleep(2.5)
        assert server.process.poll() is None
        assert len(server.log()) < 10
        served(server)
    assert server.stop() == 0


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
        b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /v1/summarize HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"POST /v1/summarize HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X-Much: yes\r\n" * 20_000 + b"\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    ],
    ids=["TLS", "path", "length", "two lengths", "headers", "long path"],
)
def test_what_is_no_http_is_refused_in_the_usual_shape(server, sent):
    with server.connect() as odd:
        with suppress(OSError):  # hung up on while it was still sending
            odd.sendall(sent)
        odd.settimeout(5)
        answer = b""
        with suppress(OSError):
            while more := odd.recv(65536):
                answer += more
    head, _, body = answer.partition(b"\r\n\r\n")
    if answer:
        assert head.split()[1] in (b"400", b"413", b"404")
        assert json.loads(body)["error"]["code"]
    served(server)
    assert not server.events("unforeseen")


def test_headers_have_a_limit_even_if_they_come_at_once(server):
    for size, status in ((12_000, b"200"), (30_000, b"400"), (200_000, b"400")):
        padding = b"X: " + b"y" * size + b"\r\nConnection: close\r\n\r\n"
        head, *_ = talked(server, b"GET /health/live HTTP/1.1\r\nHost: x\r\n" + padding)
        assert head.split()[1] == status


@pytest.mark.parametrize("body", [b"zz\r\n{}\r\n0\r\n\r\n", b"-5\r\n{}\r\n", b"2\r\n{}}}\r\n"])
def test_a_body_that_is_no_http_is_refused_in_the_usual_shape(server, body):
    head, _, said = talked(server, HEAD + b"Transfer-Encoding: chunked\r\n\r\n", body)
    assert head.startswith(b"HTTP/1.1 400 ")
    assert json.loads(said)["error"]["code"] == "bad_request"
    assert server.process.poll() is None and not server.events("unforeseen")


@pytest.mark.parametrize("more", [b"\r\n", b"x" * 100, posted(text=TEXTS[1])])
def test_what_follows_a_last_request_takes_no_answer_from_it(server, more):
    last = posted(text=TEXTS[0], max_length=44).replace(b"Host", b"Connection: close\r\nHost", 1)
    head, _, said = talked(server, last, more)
    assert head.startswith(b"HTTP/1.1 200 ")
    assert said == server.ask(TEXTS[0], max_length=44).content


def talked(server, *pieces: bytes) -> tuple[bytes, bytes, bytes]:
    """What is answered to some pieces, sent one after the other."""
    with server.connect() as odd:
        for piece in pieces:
            odd.sendall(piece)
            time.sleep(0.002)
        odd.settimeout(5)
        answer = b""
        with suppress(ConnectionError):
            while more := odd.recv(65536):
                answer += more
    return answer.partition(b"\r\n\r\n")


def test_a_body_in_crumbs_is_not_eaten(server):
    lost = 'nacc_connections_lost_total{why="bad_http"}'
    with server.connect() as odd:
        odd.sendall(b"no HTTP\r\n\r\n")  # so that there is a count
        assert odd.recv(4096).startswith(b"HTTP/1.1 400 ")
    before = server.count(lost)
    with server.connect() as odd, suppress(ConnectionError):
        odd.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 50_000)
        assert not odd.recv(4096)
    assert server.count(lost) == before + 1


@pytest.mark.parametrize("digits", [8, 19, 20])
def test_a_body_far_too_large_is_refused_before_it_comes(server, digits):
    head, *_ = talked(server, HEAD + b"Content-Length: " + b"9" * digits + b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 413 ")


def test_a_packed_body_is_not_unpacked(server):
    bomb = gzip.compress(b" " * 50_000_000)
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    answer = httpx.post(f"{server.url}/v1/summarize", content=bomb, headers=headers, timeout=20)
    assert answer.status_code == 415
    assert answer.json()["error"]["code"] == "not_json"
    twice = HEAD + b"Content-Encoding: gzip\r\nContent-Encoding: identity\r\n"
    head, *_ = talked(server, twice + b"Connection: close\r\nContent-Length: 2\r\n\r\n{}")
    assert head.startswith(b"HTTP/1.1 415 ")


def test_pipelined_requests_are_answered_in_order(server):
    asked = [{"text": text, "max_length": 45} for text in TEXTS[4:8]]
    with server.connect() as eager:
        eager.sendall(b"".join(posted(**each) for each in asked))
        got, answers = b"", []
        while len(answers) < len(asked):
            got += eager.recv(65536)
            while b"\r\n\r\n" in got:
                head, _, rest = got.partition(b"\r\n\r\n")
                size = int(head.lower().split(b"content-length: ")[1].split()[0])
                if len(rest) < size:
                    break
                answers.append(json.loads(rest[:size])["results"][0]["summaries"][0]["text"])
                got = rest[size:]
    expected = [server.post(each).json()["results"][0]["summaries"][0]["text"] for each in asked]
    assert answers == expected


def test_many_budgets_and_alternatives_are_refused_before_any_work(server):
    long = " ".join(TEXTS[10:14])
    asked = {"text": [long] * 8, "max_length": list(range(30, 46)), "alternatives": 10}
    before = server.count("nacc_batch_texts_sum")
    answer = server.post(asked)
    assert answer.status_code == 413
    error = answer.json()["error"]
    assert error["code"] == "too_much_work"
    assert error["limit"] == server.get("/info").json()["limits"]["max_work"]
    assert server.count("nacc_batch_texts_sum") == before
    assert server.post({**asked, "max_length": list(range(30, 5000))}).status_code == 413


def test_a_client_that_is_gone_frees_its_place(server):
    texts = [f"{REPEATED} report {i}" for i in range(16)]
    for _ in range(4):
        with server.connect() as leaving:
            leaving.sendall(posted(text=texts, max_length=[100, 140]))
            server.until_busy()
    end = time.monotonic() + 2
    while server.count("nacc_work_accepted") and time.monotonic() < end:
        time.sleep(0.02)
    assert server.count("nacc_work_accepted") == 0
    served(server)
    assert not server.events("unforeseen")


def test_large_requests_leave_room_for_small_ones():
    service = Service(Settings(queue=256, max_texts=64))
    service._summarizer, service._queue = Mock(), Mock(seconds_a_text=0.1)
    try:
        with service._room(60), service._room(60):
            with pytest.raises(Refusal) as refused, service._room(60):
                pass
            assert refused.value.status == 429
            with service._room(1), service._room(8):
                pass
            with pytest.raises(Refusal) as refused, service._room(65):
                pass
            assert refused.value.status == 413
        with service._room(60):
            assert service._accepted == 60
        assert service._accepted == service._large == 0
    finally:
        service._workers.close()
