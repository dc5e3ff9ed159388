"""A request's options are nacc.Options; what it leaves open is as the model's folder says."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from nacc import Options, Summarizer, methods
from nacc.apps.server.app import build
from nacc.apps.server.schemas import SummarizeRequest
from nacc.apps.server.settings import Settings
from nacc.options import CHOICES
from nacc.runtime.folder import model_folder

from .process import READY_WITHIN
from .texts import TEXTS

GENERATION = {"case": "title", "faithful": True, "sentences": "all", "alternatives": 2}
TWO_SENTENCES = "Hear this. European leaders agreed on Thursday to spend billions on new railways."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packaged model, but for what its folder says of generation."""
    usual, folder = model_folder(None), tmp_path_factory.mktemp("model")
    for path in usual.iterdir():
        (folder / path.name).symlink_to(path)
    config = json.loads((usual / "config.json").read_text("utf-8"))
    config["generation"] |= GENERATION
    (folder / "config.json").unlink()
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    return folder


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    """A service of that model, without a process of its own."""
    app, _, _ = build(Settings(model=folder))
    with TestClient(app) as client:
        end = time.monotonic() + READY_WITHIN
        while client.get("/health/ready").status_code != 200:
            assert time.monotonic() < end
            time.sleep(0.02)
        yield client


def asked(client: TestClient, text: str, **options: object) -> dict:
    response = client.post("/v1/summarize", json={"text": text, "max_length": 60, **options})
    assert response.status_code == 200, response.text
    return response.json()["results"][0]["summaries"][0]


@pytest.mark.parametrize("text", [TEXTS[0], TEXTS[40], TWO_SENTENCES])
@pytest.mark.parametrize("nothing", [{}, dict.fromkeys(GENERATION)], ids=["absent", "null"])
def test_what_a_request_leaves_open_the_models_folder_says(client, folder, text, nothing):
    expected = Summarizer.load(folder).summarize(text, 60)
    assert expected == Summarizer.load().summarize(text, 60, **GENERATION)
    got = asked(client, text, **nothing)
    assert got["text"] == expected.text
    assert [other["text"] for other in got["alternatives"]] == [
        other.text for other in expected.alternatives
    ]


@pytest.mark.parametrize("text", [TEXTS[0], TEXTS[40], TWO_SENTENCES])
def test_what_a_request_says_goes_before_the_models_folder(client, text):
    usual = {"case": "sentence", "faithful": False, "sentences": "best", "alternatives": 1}
    got = asked(client, text, **usual)
    assert got["text"] == Summarizer.load().summarize(text, 60).text
    assert got["alternatives"] == []


def test_a_request_has_every_option_with_its_limits():
    described = SummarizeRequest.model_json_schema()["properties"]
    beside = {"text", "max_length", "unit", "partial"}
    assert set(described) - beside == {option.name for option in fields(Options)}
    for option in fields(Options):
        about, facts = described[option.name], option.metadata
        value, null = about["anyOf"]
        assert null == {"type": "null"} and about["default"] is None
        assert about["description"].startswith(facts["what"])
        if option.name in CHOICES:
            assert value["enum"] == list(CHOICES[option.name]())
        elif "most_words" in facts:
            assert (value["type"], value["maxItems"]) == ("array", facts["most_words"])
        else:
            limits = facts["least"], facts["most"]
            assert (value.get("minimum"), value.get("maximum")) == limits


def test_a_new_method_is_known_at_once(client, monkeypatch):
    refused = client.post("/v1/summarize", json={"text": TEXTS[0], "method": "toy"}).json()["error"]
    assert refused["field"] == "method"
    assert all(method in refused["message"] for method in methods())
    monkeypatch.setitem(CHOICES, "method", lambda: (*methods(), "toy"))
    described = SummarizeRequest.model_json_schema()["properties"]["method"]["anyOf"][0]
    assert described["enum"] == [*methods(), "toy"]
    body = json.dumps({"text": TEXTS[0], "method": "toy"})
    assert SummarizeRequest.model_validate_json(body).options().method == "toy"


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"case": "loud"}, "case"),
        ({"sentences": "last"}, "sentences"),
        ({"fill": 1.5}, "fill"),
        ({"at_least": -1}, "at_least"),
        ({"bucket": 2.5}, "bucket"),
        ({"tidy": "yes"}, "tidy"),
        ({"required": ["a", "b", "c", "d"]}, "required"),
        ({"forbidden": ["a", 1]}, "forbidden[1]"),
        ({"required": ["ferries"], "forbidden": ["Ferries"]}, "required"),
        ({"alternatives": 2, "method": "greedy"}, "alternatives"),
    ],
)
def test_an_option_that_cannot_be_had_is_named(client, given, field):
    response = client.post("/v1/summarize", json={"text": TEXTS[0], **given})
    assert response.status_code == 422
    assert response.json()["error"]["field"] == field
