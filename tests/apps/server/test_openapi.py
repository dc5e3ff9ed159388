"""The OpenAPI page promises what the server does: schemathesis asks it, within bounds."""

from __future__ import annotations

import json

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import positive_data_acceptance

from .process import KEY
from .texts import TEXTS

BOUNDED = settings(
    max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
PRODUCED = {"200", "401", "408", "413", "415", "422", "429", "503", "504"}
"""Each of these has a test of its own beside this file."""


ROUTES = [
    ("POST", "/v1/summarize"),
    *(("GET", path) for path in ("/v1/units", "/v1/models", "/info", "/metrics")),
    *(("GET", path) for path in ("/health/live", "/health/ready")),
]


@pytest.fixture(scope="module")
def promises(strict):
    rejected = {
        "negative_data_rejection": {"expected-statuses": ["401", "405", "413", "415", "422"]}
    }
    config = schemathesis.Config.from_dict({"checks": rejected})
    return schemathesis.openapi.from_url(f"{strict.url}/openapi.json", config=config)


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode))
@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_every_answer_is_one_that_openapi_promises(promises, method, path, mode):
    statuses = set()

    @given(case=promises[path][method].as_strategy(generation_mode=mode))
    @BOUNDED
    def keeps_its_promise(case):
        # A schema cannot say which strings are budgets: some of what it allows is rightly refused.
        response = case.call_and_validate(
            headers=KEY, excluded_checks=[positive_data_acceptance], timeout=30
        )
        statuses.add(response.status_code)

    try:
        keeps_its_promise()
    except Unsatisfiable:
        assert method == "GET", "a request without parameters cannot be wrong"
    if path == "/v1/summarize":
        wanted = {200, 422} if mode is schemathesis.GenerationMode.POSITIVE else {422}
        assert wanted <= statuses, "too little was asked to tell"


def test_all_routes_were_asked(promises):
    described = {(one.ok().method.upper(), one.ok().path) for one in promises.get_all_operations()}
    assert described == set(ROUTES)


def test_every_promised_status_is_produced_by_a_test(strict):
    paths = strict.get("/openapi.json").json()["paths"]
    assert set(paths["/v1/summarize"]["post"]["responses"]) == PRODUCED
    others = {
        status
        for path, methods in paths.items()
        if path != "/v1/summarize"
        for status in methods["get"]["responses"]
    }
    assert others == {"200", "401", "503"}


def test_the_examples_work(server):
    described = server.get("/openapi.json").json()
    body = described["paths"]["/v1/summarize"]["post"]["requestBody"]["content"]
    examples = body["application/json"]["schema"]["examples"]
    assert len(examples) >= 2
    for example in examples:
        assert server.post(example).status_code == 200
    assert TEXTS[0] not in json.dumps(described)
