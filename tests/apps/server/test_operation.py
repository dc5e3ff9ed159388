"""Running it: health, metrics, logs, keys, origins, and what a browser is told."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from nacc import Options, __version__
from nacc.apps.server.app import build
from nacc.apps.server.service import Service
from nacc.apps.server.settings import Settings

from .process import KEY
from .texts import TEXTS


def test_not_ready_until_the_model_is_loaded(start):
    server = start()
    response = server.get("/health/ready")
    assert response.status_code == 503
    assert int(response.headers["Retry-After"]) >= 1
    assert server.ask().json()["error"]["code"] == "loading"
    assert server.get("/health/live").status_code == 200
    assert server.get("/info").json()["ready"] is False
    server.until_ready()
    assert server.get("/health/ready").json() == {"status": "ready"}
    assert server.ask().status_code == 200
    assert server.stop() == 0


def test_a_missing_model_is_one_line_and_exit_code_2(tmp_path):
    command = [sys.executable, "-m", "nacc", "serve", "--port", "0", "--model", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last.startswith("nacc: ") and str(tmp_path) in last


@pytest.mark.parametrize(
    "flags",
    [
        ["--queue", "3"],
        ["--timeout", "0"],
        ["--max-body", "-1"],
        ["--drain-timeout", "inf"],
        ["--batch-wait", "1e300"],
        ["--api-key", "secret\n"],
        ["--api-key", " "],
    ],
)
def test_limits_that_cannot_work_are_refused_at_once(flags):
    command = [sys.executable, "-m", "nacc", "serve", "--port", "0", *flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("nacc: ")


def test_listens_on_loopback_unless_told(server):
    assert server.url.startswith("http://127.0.0.1:")


def test_units_presets_models_and_limits_are_told(server):
    known = server.get("/v1/units").json()
    assert {"characters", "bytes", "pixels"} <= {unit["name"] for unit in known["units"]}
    assert {"name", "budget", "what", "source"} == set(known["presets"][0])
    (model,) = server.get("/v1/models").json()["models"]
    assert model["config"]["sha256"] and model["max_words"] > 0
    info = server.get("/info").json()
    assert info["version"] == __version__
    assert info["limits"]["max_body"] == 1_000_000


def test_metrics_time_each_stage(server):
    server.ask(TEXTS[7])
    page = server.get("/metrics").text
    for stage in ("queue", "tokenising", "inference", "decoding", "request"):
        assert server.count(f"nacc_{stage}_seconds_count") > 0
        assert f'nacc_{stage}_seconds_bucket{{le="0.05"}}' in page
    assert 'nacc_responses_total{path="/v1/summarize",status="200"}' in page
    assert server.count("nacc_work_accepted") == 0


def test_logs_are_json_and_hold_no_word_of_the_user(strict):
    secret = "xylophonist"
    texts = [f"The {secret} of Norwick opened a new concert hall on Monday.", f"{secret} " * 300]
    for text in texts:
        strict.ask_with_key(text, required=["absent"])
        strict.ask_with_key(text, **{secret: secret})
        strict.ask_with_key(text, max_length=f"5 {secret}")
        strict.get(f"/{secret}?q={secret}", headers={"X-Request-Id": secret, "User-Agent": secret})
    httpx.request(secret.upper(), strict.url)
    lines = strict.log()
    assert {"time", "level", "event"} <= set(lines[-1])
    assert any(line.get("status") == 422 for line in lines)
    assert secret not in json.dumps(lines).lower()


def test_the_key_is_asked_for_where_it_matters(strict):
    for headers in ({}, {"Authorization": "Bearer a-long-secreT"}, {"Authorization": "Bearer é"}):
        raw = {name: value.encode() for name, value in headers.items()}
        response = strict.post({"text": TEXTS[0]}, headers=raw)
        assert response.status_code == 401
        assert response.headers["WWW-Authenticate"] == "Bearer"
    lower = {"Authorization": KEY["Authorization"].replace("Bearer", "bearer")}
    assert strict.post({"text": TEXTS[0]}, headers=lower).status_code == 200
    for path in ("/info", "/metrics", "/v1/units", "/v1/models"):
        assert strict.get(path).status_code == 401
        assert strict.get(path, headers=KEY).status_code == 200
    for path in ("/", "/docs", "/health/live", "/health/ready", "/openapi.json"):
        assert strict.get(path).status_code == 200


def test_only_listed_origins_may_read_answers(strict, server):
    def allowed(at, origin):
        asking = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        preflight = httpx.options(f"{at.url}/v1/summarize", headers=asking)
        return preflight.headers.get("access-control-allow-origin")

    assert allowed(strict, "https://desk.example") == "https://desk.example"
    assert allowed(strict, "https://else.example") is None
    asking = {"Origin": "https://else.example", "Access-Control-Request-Method": "POST"}
    refused = httpx.options(f"{strict.url}/v1/summarize", headers=asking)
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "not_from_here")
    assert refused.headers["Vary"].startswith("Origin")
    assert allowed(server, "https://desk.example") is None


def test_a_preflight_with_two_lengths_hides_no_other_request(strict):
    asked = (
        b"OPTIONS /v1/summarize HTTP/1.1\r\nHost: x\r\nOrigin: https://desk.example\r\n"
        b"Access-Control-Request-Method: POST\r\nContent-Length: 99\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
    )
    with strict.connect() as odd:
        odd.sendall(asked)
        answer = b""
        while more := odd.recv(4096):
            answer += more
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert json.loads(body)["error"]["code"] == "bad_request"


def test_the_reference_shows_all_that_openapi_says_and_needs_no_script(server):
    page, described = server.get("/docs").text, server.get("/openapi.json").json()
    assert "<script" not in page and "http://" not in page and "https://" not in page
    for path in described["paths"]:
        assert f" {path}</code>" in page
    for option in fields(Options):
        assert f"<td><code>{option.name}</code></td>" in page
    assert page.count("<section") == page.count("</section>") > len(described["paths"])


def test_what_describes_the_service_is_written_once(monkeypatch):
    app, _, _ = build(Settings())

    def again(api: FastAPI) -> None:
        raise AssertionError("written anew")

    monkeypatch.setattr(FastAPI, "openapi", again)
    client = TestClient(app)
    for path in ("/openapi.json", "/docs"):
        assert client.get(path).status_code == 200


def test_what_nobody_foresaw_is_a_500_in_the_usual_shape(monkeypatch, caplog):
    app, _, _ = build(Settings())
    monkeypatch.setattr(Service, "ready", property(lambda _: 1 // 0))
    answer = TestClient(app).get("/info")
    assert answer.status_code == 500
    error, request = answer.json()["error"], answer.headers["X-Request-Id"]
    assert error == {"code": "internal", "message": f"unforeseen; request {request}"}
    (told,) = (record.facts for record in caplog.records if record.message == "unforeseen")
    assert (told["request"], told["error"]) == (request, "ZeroDivisionError")
    assert told["at"][-1].endswith("<lambda>")


def test_a_port_that_is_taken_is_one_line_and_exit_code_2(server):
    port = server.url.rsplit(":", 1)[1]
    command = [sys.executable, "-m", "nacc", "serve", "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"nacc: cannot listen on 127.0.0.1:{port}: ")


def test_the_page_may_load_nothing_from_elsewhere(server):
    page = server.get("/")
    assert page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "connect-src 'self'" in policy
    for path in ("/", "/app.js", "/api.js", "/places.js", "/led.js", "/style.css"):
        response = server.get(path)
        assert response.status_code == 200
        text = response.text
        assert "http://" not in text.replace("http://www.w3.org", "") and "https://" not in text
