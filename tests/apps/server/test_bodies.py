"""A body that nobody can mean takes no time, and what a text says in brackets is a text."""

from __future__ import annotations

import json

import pytest

from nacc import Options
from nacc.apps.server import request
from nacc.apps.server.refusals import Refusal
from nacc.apps.server.request import parse_request
from nacc.apps.server.settings import Settings


def parsed(body: bytes) -> request.ServiceRequest:
    return parse_request("application/json", body, Settings(), lambda o: o.settled(Options()))


@pytest.mark.parametrize(
    "body",
    [
        b'{"text":"a","max_length":[' + b"[[[]]]," * 140_000 + b"1]}",
        b'{"text":"a\\\\","max_length":[' + b'{"":0},' * 140_000 + b"1]}",
        b'{"text":"a\\\\\\"b","max_length":[' + b"{}," * 300_000 + b"1]}",
        b'{"text":' * 100_000,
    ],
    ids=lambda body: repr(body[:32]),
)
def test_lists_without_number_are_refused_before_they_are_made(body, monkeypatch):
    def made(body: bytes) -> None:
        raise AssertionError("30 ms in which nobody else was served")

    monkeypatch.setattr(request, "from_json", made)
    with pytest.raises(Refusal) as refused:
        parsed(body)
    assert (refused.value.status, refused.value.code) == (422, "invalid_input")


@pytest.mark.parametrize("part", ["[", "{", '"[', "\\[", '\\"[', '\\\\"{"', '"," [{'])
def test_a_text_may_have_as_many_brackets_as_it_likes(part):
    text = part * 1500
    for body in (json.dumps({"text": text}), json.dumps({"text": ["a", text], "required": ["a"]})):
        assert text in parsed(body.encode()).texts


@pytest.mark.parametrize("first", ["", "a", "zz"])
def test_of_unknown_fields_one_is_told(first):
    body = json.dumps({first: 1, "text": "a", **{f"k{i}": 1 for i in range(100)}})
    with pytest.raises(Refusal) as refused:
        parsed(body.encode())
    assert refused.value.detail.get("field", "") == first
