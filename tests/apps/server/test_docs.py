"""docs/serving.md says what is so."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import fields
from pathlib import Path

from nacc import Options
from nacc.apps.cli.serve import serve
from nacc.apps.server.settings import Settings

PAGE = (Path(__file__).parents[3] / "docs" / "serving.md").read_text("utf-8")


def test_every_setting_is_in_the_table_with_its_variable_and_default():
    rows = re.findall(r"^\| `--([\w-]+)` \| `(\w+)` \| (?:`(.*?)`)? ?\|", PAGE, re.MULTILINE)
    documented = {flag.replace("-", "_"): (variable, default) for flag, variable, default in rows}
    expected = {}
    for name in inspect.signature(serve).parameters:
        usual = getattr(Settings(), name)
        expected[name] = (f"NACC_{name.upper()}", str(usual) if usual not in (None, ()) else "")
    assert documented == expected


def test_every_promised_status_is_explained(server):
    described = server.get("/openapi.json").json()["paths"]["/v1/summarize"]["post"]["responses"]
    explained = set(re.findall(r"^\| (\d{3}) \|", PAGE, re.MULTILINE))
    assert explained == set(described) - {"200"} | {"401"}


def test_the_example_works(server):
    body = re.search(r"-d '(\{.*?\})'", PAGE, re.DOTALL)
    assert body
    asked = json.loads(body[1])
    (result,) = server.post(asked).json()["results"]
    assert len(result["summaries"]) == len(asked["max_length"])


def test_every_metric_named_exists(server):
    shown = server.get("/metrics").text
    for name in re.findall(r"`(nacc_\w+)", PAGE):
        assert f"# HELP {name}" in shown


def test_every_option_is_named():
    (told,) = re.findall(r"^- Options are (.*?)^- ", PAGE, re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"`(\w+)`", told)) - {"generation"}
    assert named == {option.name for option in fields(Options)}
