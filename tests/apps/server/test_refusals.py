"""Whatever is sent, the answer is the right code, in words, naming the field; never a 500."""

from __future__ import annotations

import json
import re
import resource
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from nacc import Options
from nacc.apps.server.refusals import Refusal
from nacc.apps.server.request import parse_request
from nacc.apps.server.settings import Settings
from nacc.options import Settled

from .process import KEY
from .texts import TEXTS

JSON = {"Content-Type": "application/json"}


def peak() -> float:
    """Megabytes that this process has held at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def sent(server, body: bytes, headers=JSON) -> httpx.Response:
    return httpx.post(f"{server.url}/v1/summarize", content=body, headers=headers, timeout=60)


def error(response: httpx.Response, status: int) -> dict:
    assert response.status_code == status, response.text[:300]
    return response.json()["error"]


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({}, "text"),
        ({"text": 3}, "text"),
        ({"text": ["one", 2]}, "text[1]"),
        ({"text": []}, "text"),
        ({"text": " \n\x1c"}, "text"),
        ({"text": [TEXTS[0], ""]}, "text[1]"),
        ({"text": TEXTS[0], "max_length": -1}, "max_length"),
        ({"text": TEXTS[0], "max_length": True}, "max_length"),
        ({"text": TEXTS[0], "max_length": 10**30}, "max_length"),
        ({"text": TEXTS[0], "max_length": 2.5}, "max_length"),
        ({"text": TEXTS[0], "max_length": [50, "5 yards"]}, "max_length[1]"),
        ({"text": TEXTS[0], "max_length": [50, 1e300]}, "max_length[1]"),
        ({"text": TEXTS[0], "unit": "yards"}, "unit"),
        ({"text": TEXTS[0], "method": "magic"}, "method"),
        ({"text": TEXTS[0], "required": ["zebra"]}, "required"),
        ({"text": TEXTS[0], "required": ["it"], "method": "greedy"}, "required"),
        ({"text": TEXTS[0], "max_length": [50, 30], "at_least": 40}, "at_least"),
        ({"text": TEXTS[0], "max_length": 30, "at_least": 40, "required": ["it"]}, "at_least"),
        ({"text": TEXTS[0], "at_least": 40, "required": ["zebra"]}, "required"),
        ({"text": TEXTS[0], "alternatives": 0}, "alternatives"),
        ({"text": TEXTS[0], "max_size": 50}, "max_size"),
    ],
)
def test_bad_input_names_the_field(server, asked, field):
    problem = error(server.post(asked), 422)
    assert problem["field"] == field
    assert problem["message"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"text": []}, "List should have at least 1 item"),
        ({"text": TEXTS[0], "max_length": []}, "List should have at least 1 item"),
        ({"text": TEXTS[0], "max_length": ""}, "String should have at least 1 character"),
        ({"text": TEXTS[0], "max_length": 1e300}, "Input should be less than or equal to"),
        ({"text": TEXTS[0], "max_length": None}, "Input should be a valid"),
    ],
)
def test_of_several_kinds_that_a_field_may_be_the_one_that_was_meant_is_told(server, asked, told):
    assert error(server.post(asked), 422)["message"].startswith(told)


def test_a_budget_too_small_says_what_would_do(server):
    problem = error(server.ask(TEXTS[:2], max_length=[50, 1]), 422)
    assert problem["code"] == "budget_too_small"
    assert (problem["field"], problem["text"]) == ("max_length[1]", 0)
    assert server.ask(TEXTS[0], max_length=problem["smallest"]).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"text"',
        b"[" * 100_000,
        b'{"text":' * 100_000,
        b'{"text":' + b"[" * 500 + b"]" * 500 + b"}",
        b'{"text":"a","max_length":' + b"9" * 10_000 + b"}",
        b'{"text":"a","max_length":NaN}',
        b'{"text":"a","max_length":-Infinity}',
        b'{"text":"\\ud800 lone surrogate"}',
        '{"text":"naïve"}'.encode("latin-1"),
        '{"text":"naïve"}'.encode("utf-16"),
        b'\xef\xbb\xbf{"text":3}',
        bytes(range(256)) * 10,
    ],
    ids=lambda body: repr(body[:24]),
)
def test_malformed_bodies_are_422(server, body):
    assert error(sent(server, body), 422)["message"]


@pytest.mark.parametrize(
    "body",
    [
        b'{"text":"a","max_length":[' + b"{}," * 300_000 + b"{}]}",  # took 5 s and 2 GB
        b'{"text":"a","max_length":[' + b"0," * 450_000 + b"0]}",
        b'{"text":"a","max_length":[' + b",".join([b"[" * 50 + b"]" * 50] * 9_000) + b"]}",
        b'{"text":[' + b"1," * 450_000 + b"1]}",
        b'{"text":"a",' + b",".join(b'"k%d":1' % i for i in range(80_000)) + b"}",
    ],
    ids=lambda body: repr(body[:32]),
)
def test_a_million_things_that_are_wrong_are_soon_refused(body):
    settings = Settings()
    held, started = peak(), time.process_time()
    with pytest.raises(Refusal) as refused:
        parse_request("application/json", body, settings, lambda options: Settled())
    assert time.process_time() - started < 2 and peak() - held < 300
    assert refused.value.status == 422 and len(str(refused.value.body())) < 300


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16"]
)
def test_anything_but_json_in_utf8_is_415(server, kind):
    body = json.dumps({"text": TEXTS[0]}).encode()
    assert error(sent(server, body, {"Content-Type": kind}), 415)["code"] == "not_json"


@pytest.mark.parametrize(
    "kind",
    [
        "application/json",
        'Application/JSON ; Charset="UTF-8"',
        "application/json; charset=utf-8; profile=x",
        "application/json;profile=x;charset=utf8 ; q=1",
    ],
)
def test_json_in_utf8_may_be_said_in_more_words(server, kind):
    body = json.dumps({"text": TEXTS[0]}).encode()
    assert sent(server, body, {"Content-Type": kind}).status_code == 200


def test_unknown_paths_and_methods(server):
    assert error(server.get("/v1/nothing"), 404)["code"] == "not_found"
    for path in ("/v1/units/", "/docs/", "/v1/units%2f"):  # no way to another host, the sender's
        assert error(server.get(path), 404)["code"] == "not_found"
    response = server.get("/v1/summarize")
    assert error(response, 405)["code"] == "wrong_method"
    assert response.headers["Allow"] == "POST"


@pytest.mark.parametrize("budget", ["1000000", "1000000 bytes", "1000000 words", "1000 sms"])
def test_a_huge_budget_is_answered(server, budget):
    summary = server.ask(TEXTS[0], max_length=budget).json()["results"][0]["summaries"][0]
    assert 0 < len(summary["text"]) < 2 * len(TEXTS[0])


@pytest.mark.parametrize(
    "budget",
    [
        "600px /etc/passwd",
        "600 px pyproject.toml 20",
        "600PX ../x.ttf",
        "9px\t~/a 3px",
        "600px 1.2.3",
    ],
)
def test_no_file_of_the_server_can_be_named_as_a_font(server, budget):
    problem = error(server.ask(TEXTS[0], max_length=budget), 422)
    assert problem["message"].startswith("unknown font")
    amount, _, unit = budget.partition("px")
    if unit and amount.strip().isdigit():
        problem = error(server.ask(TEXTS[0], max_length=9, unit=f"px{unit}"), 422)
        assert problem["message"].startswith("unknown font")


def settled(options: Options) -> Settled:
    return options.settled(Options())


def test_no_font_file_is_looked_for(monkeypatch, tmp_path):
    font = tmp_path / "real.ttf"
    font.write_bytes(b"a font")

    def looked_for(path):
        raise AssertionError(f"looked for {path}")

    monkeypatch.setattr(Path, "is_file", looked_for)
    for budget in ("600px 1.2.3", f"600px {font}", f"600 PIXELS {font} 20", "9px ../x.ttf 3px"):
        amount, unit = re.match(r"(\d+)\s*(.*)", budget).groups()
        for asked, field in (
            ({"max_length": budget}, "max_length"),
            ({"max_length": [50, budget]}, "max_length[1]"),
            ({"max_length": int(amount), "unit": unit}, "unit"),
        ):
            body = json.dumps({"text": TEXTS[0], **asked}).encode()
            with pytest.raises(Refusal) as refused:
                parse_request(
                    "application/json", body, Settings(), lambda asked: asked.settled(Options())
                )
            problem = refused.value
            assert (problem.status, problem.detail["field"]) == (422, field)
            assert problem.message.startswith("unknown font")


@pytest.mark.parametrize(
    ("asked", "code", "limit"),
    [
        ({"text": ["one two"] * 9}, "too_many_texts", 8),
        ({"text": "a " * 251}, "text_too_long", 500),
        ({"text": TEXTS[0], "max_length": [50] * 5}, "too_many_budgets", 4),
        ({"text": TEXTS[0], "alternatives": 4}, "too_many_alternatives", 3),
        ({"text": "a" * 5000}, "body_too_large", 5000),
    ],
)
def test_too_large_is_413_and_names_the_limit(strict, asked, code, limit):
    problem = error(strict.post(asked, headers=KEY), 413)
    assert (problem["code"], problem["limit"]) == (code, limit)


def test_a_body_without_end_is_cut_off(strict):
    def endless():
        while True:
            yield b" " * 1000

    try:
        response = httpx.post(
            f"{strict.url}/v1/summarize", content=endless(), headers=KEY | JSON, timeout=20
        )
    except (httpx.WriteError, httpx.ReadError):
        pass  # hung up on while it was still sending
    else:
        assert error(response, 413)["code"] == "body_too_large"
    assert strict.get("/health/ready").status_code == 200


def test_a_slow_client_gets_408_and_holds_nobody_up(strict):
    host, port = strict.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as slow:
        slow.sendall(
            b"POST /v1/summarize HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Authorization: Bearer a-long-secret\r\nContent-Length: 1000\r\n\r\n{"
        )
        started = time.monotonic()
        assert strict.ask_with_key(TEXTS[0]).status_code == 200
        assert time.monotonic() - started < 2.5
        assert slow.recv(4096).startswith(b"HTTP/1.1 408 ")


def test_a_client_that_hangs_up_breaks_nothing(strict):
    host, port = strict.url.removeprefix("http://").split(":")
    body = json.dumps({"text": TEXTS[3]}).encode()
    for part in (b"", body[:10], body):
        with socket.create_connection((host, int(port)), timeout=20) as leaving:
            leaving.sendall(
                b"POST /v1/summarize HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                b"Authorization: Bearer a-long-secret\r\n"
                + f"Content-Length: {len(body)}\r\n\r\n".encode()
                + part
            )
    assert strict.ask_with_key(TEXTS[3]).status_code == 200
    assert not [line for line in strict.log() if line["event"] == "unforeseen"]


def test_no_answer_in_time_is_504(strict):
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(strict.ask_with_key, TEXTS[80:82], max_length=[30, 40, 50, 60])
        while strict.count("nacc_work_accepted", headers=KEY) == 0:
            assert not answer.done(), answer.result().text
            time.sleep(0.01)
        strict.process.send_signal(signal.SIGSTOP)  # the machine is busy elsewhere
        time.sleep(2.7)
        strict.process.send_signal(signal.SIGCONT)
        assert error(answer.result(), 504)["code"] == "timed_out"
    assert strict.count("nacc_work_accepted", headers=KEY) == 0
    assert strict.ask_with_key(TEXTS[0]).status_code == 200
