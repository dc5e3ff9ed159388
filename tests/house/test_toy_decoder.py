"""A new method is one class and a call: every way in knows of it by itself."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from nacc import Decoder, Options, methods, register
from nacc.apps.cli import main
from nacc.decoding.decoded import Decoded
from nacc.decoding.registry import unregister

TEXT = "The city council voted on Monday night to close the Harbour Street bridge for repairs."


class FirstWords(Decoder):
    """Says each slot's likeliest word, as long as there is room."""

    name = "first-words"
    what = "each slot's likeliest word, as long as there is room"
    needs = frozenset()  # any lattice will do

    def solve(self, problem, lows, highs):
        return [self._solved(problem, low, high) for low, high in zip(lows, highs, strict=True)]

    def _solved(self, problem, low, high):
        tokens, starts, weight = [], [], 0
        for slot, word in enumerate(problem.lattice.words[:, 0].tolist()):
            if word < 0 or word in tokens or weight + problem.weights[word] > high:
                continue
            tokens.append(word)
            starts.append(slot)
            weight += int(problem.weights[word])
        slots = [-1] * problem.lattice.slots
        for word, slot in zip(tokens, starts, strict=True):
            slots[slot] = word
        return Decoded(
            tuple(tokens), tuple(slots), -1.0, weight, False, False, weight >= low, tuple(starts)
        )


@pytest.fixture
def first_words() -> Iterator[Decoder]:
    toy = FirstWords()
    register(toy)
    yield toy
    unregister(toy.name)


def test_unknown_before_it_is_registered(model):
    assert "first-words" not in methods()
    with pytest.raises(ValueError, match="unknown method 'first-words'; known: greedy"):
        model.summarize(TEXT, method="first-words")


def test_through_the_summarizer(model, first_words):
    assert first_words.name in methods()
    summary = model.summarize(TEXT, 40, method="first-words")
    assert summary.method == "first-words"
    assert summary.text
    assert len(summary.text) <= 40
    with pytest.raises(ValueError, match=r"needs method .*, not first-words"):
        model.summarize(TEXT, options=Options(method="first-words", required="bridge"))


def test_through_the_command_line(model, first_words, capsys):
    with pytest.raises(SystemExit) as left:
        main(["fit", TEXT, "--max", "40", "--method", "first-words", "--json"])
    assert not left.value.code
    said = json.loads(capsys.readouterr().out)
    assert said["text"] == model.summarize(TEXT, 40, method="first-words").text


def test_in_the_help_of_a_process_that_has_it():
    code = (
        "from test_toy_decoder import FirstWords\nfrom nacc import register\n"
        "from nacc.apps.cli import main\nregister(FirstWords())\nmain(['fit', '--help'])"
    )
    here = str(Path(__file__).parent)
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, cwd=here, check=False)
    assert "linked or first-words." in " ".join(run.stdout.split())


def test_over_http(model, first_words):
    from fastapi.testclient import TestClient

    from nacc.apps.server.app import build
    from nacc.apps.server.settings import Settings

    app, *_ = build(Settings())
    asked = {"text": TEXT, "max_length": 40, "method": "first-words"}
    with TestClient(app) as client:
        while client.get("/health/ready").status_code != 200:
            time.sleep(0.05)
        answer = client.post("/v1/summarize", json=asked)
        assert answer.status_code == 200, answer.text
        (summary,) = answer.json()["results"][0]["summaries"]
        assert summary["method"] == "first-words"
        assert summary["text"] == model.summarize(TEXT, 40, method="first-words").text
        assert "first-words" in client.get("/openapi.json").text


def test_as_a_system_of_evaluation(model, first_words):
    from nacc.evaluation import systems

    system = systems.parse_system("first-words", lambda _: model)
    assert system.name.startswith("first-words")
