"""Many at once: every reply belongs to its request, and nothing accepted is lost."""

from __future__ import annotations

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx

from nacc import Summarizer

from .process import KEY
from .texts import TEXTS

CLIENTS = 64


def test_each_reply_belongs_to_its_request(server):
    summarizer = Summarizer.load()
    texts = TEXTS[: CLIENTS // 2]
    made = [summarizer.summarize(text, 45) for text in texts]
    expected = [(summary.text, summary.score) for summary in made]
    assert len(set(expected)) == len(texts), "an answer must tell whose it is"
    together = threading.Barrier(CLIENTS)

    def client(i: int) -> list[tuple[str, float]]:
        together.wait()
        pair = [texts[i % len(texts)], texts[(i + 1) % len(texts)]]
        results = server.ask(pair, max_length=45).json()["results"]
        best = [result["summaries"][0] for result in results]
        return [(summary["text"], summary["score"]) for summary in best]

    before = server.count("nacc_batch_texts_sum")
    with ThreadPoolExecutor(CLIENTS) as pool:
        for i, got in enumerate(pool.map(client, range(CLIENTS))):
            assert got == [expected[i % len(texts)], expected[(i + 1) % len(texts)]]
    read = server.count("nacc_batch_texts_sum") - before
    assert read <= len(texts), "a text that several clients asked for was read twice"


def test_an_answer_does_not_wait_for_the_next_packet(server):
    def seconds(http: httpx.Client) -> float:
        started = time.monotonic()
        http.get(f"{server.url}/health/live")
        return time.monotonic() - started

    with httpx.Client() as http:
        assert min(seconds(http) for _ in range(20)) < 0.02  # 0.04 where headers go out alone


def test_past_capacity_is_429_with_retry_after_and_the_rest_is_answered(strict):
    def client(i: int) -> httpx.Response:
        return strict.ask_with_key(TEXTS[i : i + 4], max_length=40)

    with ThreadPoolExecutor(24) as pool:
        responses = list(pool.map(client, range(24)))
    by_status = {status: [] for status in (200, 429)}
    for response in responses:
        by_status[response.status_code].append(response)
    assert by_status[200] and by_status[429]
    for response in by_status[429]:
        assert response.json()["error"]["code"] == "queue_full"
        assert 1 <= int(response.headers["Retry-After"]) <= 60
    for response in by_status[200]:
        for result in response.json()["results"]:
            assert result["summaries"][0]["length"] <= 40
    assert strict.count("nacc_work_accepted", headers=KEY) == 0


def test_texts_of_several_requests_share_a_forward_pass(strict):
    before = strict.count("nacc_batch_texts_count", headers=KEY)
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(strict.ask_with_key, TEXTS[70:82]))
    assert strict.count("nacc_batch_texts_count", headers=KEY) - before < 12


def test_sigterm_under_load_loses_no_accepted_request(start):
    server = start("--drain", "0.5").until_ready()
    told = threading.Event()
    answers: list[tuple[bool, int | None]] = []

    def client(number: int) -> None:
        with httpx.Client(timeout=60) as http:
            for i in range(number, 10_000, 12):
                body = {"text": f"{TEXTS[i % len(TEXTS)][:-1]}, report {i}."}
                sent_before = not told.is_set()
                try:
                    status = http.post(f"{server.url}/v1/summarize", json=body).status_code
                except httpx.TransportError:
                    status = None
                answers.append((sent_before, status))
                if status is None:
                    return

    clients = [threading.Thread(target=client, args=(i,)) for i in range(12)]
    for thread in clients:
        thread.start()
    time.sleep(1)
    told.set()
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(30) == 0
    for thread in clients:
        thread.join()
    # What was under way when the signal came may still have been refused, but not dropped.
    assert {status for sent_before, status in answers if sent_before} <= {200, 503}
    assert {200, 503} <= {status for _, status in answers} <= {200, 503, None}
    (stopped,) = (line for line in server.log() if line["event"] == "stopped")
    assert stopped["unanswered"] == 0
    assert stopped["answered"] == sum(status is not None for _, status in answers)
