"""POST /v1/summarize keeps the Summarizer's promises over HTTP."""

from __future__ import annotations

import pytest

from nacc import Budget, Summarizer

from .texts import TEXTS

TEXT = TEXTS[0]


@pytest.fixture(scope="module")
def summarizer() -> Summarizer:
    return Summarizer.load()


def test_one_text_and_one_budget(server, summarizer):
    (result,) = server.ask(TEXT, max_length=50).json()["results"]
    (summary,) = result["summaries"]
    expected = summarizer.summarize(TEXT, 50)
    assert summary["text"] == expected.text
    assert (summary["length"], summary["budget"], summary["unit"]) == (
        expected.length,
        50,
        "characters",
    )
    assert not result["truncated_input"]


def test_many_texts_and_many_budgets_come_in_order(server, summarizer):
    budgets = [30, "75 bytes", "push", "300px Roboto 16"]
    results = server.ask(TEXTS[:3], max_length=budgets).json()["results"]
    for text, result in zip(TEXTS[:3], results, strict=True):
        said = [summary["text"] for summary in result["summaries"]]
        assert said == [summary.text for summary in summarizer.summarize(text, budgets)]


@pytest.mark.parametrize(
    "unit", ["characters", "graphemes", "bytes", "words", "columns", "px", "px Inter 14", "sms"]
)
def test_never_over_long_in_any_unit(server, unit):
    amounts = {"words": [3, 9], "sms": [1, 2]}.get(unit, [7, 12, 31, 64, 200])
    asked = {"max_length": amounts, "unit": unit, "partial": True, "alternatives": 2}
    for result in server.ask(TEXTS[:1], **asked).json()["results"]:
        for amount, summary in zip(amounts, result["summaries"], strict=True):
            if "error" in summary:
                assert summary["error"]["smallest"] > amount
                continue
            budget = Budget.of(f"{amount} {unit}")
            for said in [summary, *summary["alternatives"]]:
                assert budget.fits(said["text"])
                assert said["length"] == budget.length(said["text"])


def test_alternatives_are_different_and_come_best_first(server):
    summary = server.ask(TEXT, alternatives=4).json()["results"][0]["summaries"][0]
    all_said = [summary, *summary["alternatives"]]
    assert len({said["text"] for said in all_said}) == 4
    scores = [said["score"] for said in all_said]
    assert scores == sorted(scores, reverse=True)


def test_options_are_heeded(server):
    def made(**options):
        answer = server.ask(TEXT, max_length=60, **options)
        return answer.json()["results"][0]["summaries"][0]

    def said(**options):
        return made(**options)["text"]

    assert "ferries" in said(required=["ferries"]).lower()
    assert "terminals" not in said(forbidden=["terminals"])
    assert said(case="lower") == said(case="lower").lower()
    assert made(style="plain")["score"] != made(style="wire")["score"]
    source = TEXT.lower().replace(",", " ").replace(".", " ").split()
    in_order = iter(source)
    assert all(word in in_order for word in said(extract=True).lower().split())
    new = [word for word in said(faithful=True).lower().split() if word not in source]
    assert all(len(word) < 5 for word in new), "only function words may be new"


def test_methods_are_heeded_or_refused(server, ctc_server):
    def made(method):
        (result,) = ctc_server.ask(TEXT, max_length=60, method=method).json()["results"]
        return result["summaries"][0]

    assert made("greedy")["text"] != made("coherent")["text"]
    assert made("greedy")["method"] == "greedy"
    refused = server.ask(TEXT, method="greedy")
    assert (refused.status_code, refused.json()["error"]["field"]) == (422, "method")


def test_copied_words_say_where_in_the_source_they_stand(server):
    text = f"  «{TEXTS[0]}» \n{TEXTS[1]} 🎈"
    words = server.ask(text, sentences="all", max_length=80).json()["results"][0]["summaries"][0]
    places = [(word["text"], word["start"], word["end"]) for word in words["words"]]
    copied = [(said, text[start:end]) for said, start, end in places if start is not None]
    assert copied
    assert all(said.lower() == source.lower() for said, source in copied)


def test_partial_answers_what_can_be_answered(server):
    result = server.ask(TEXT, max_length=[1, 50], partial=True)
    assert result.status_code == 200
    failed, fitted = result.json()["results"][0]["summaries"]
    assert failed["error"]["code"] == "budget_too_small"
    assert fitted["text"]


@pytest.mark.parametrize(
    ("kind", "read", "split"),
    [
        ("ctc_server", 1, 10),
        # Once to see which sentence it is about (which is kept in mind, with its words), then once
        # for each length that it tells apart.
        ("server", 6, 1),
    ],
)
def test_the_same_text_again_costs_decoding_only(kind, read, split, request):
    server = request.getfixturevalue(kind)
    text = f"{TEXTS[5]} Nobody asked for this one before."
    passes, decodings = "nacc_inference_seconds_count", "nacc_decoding_seconds_count"
    before = server.count(passes), server.count(decodings)
    tokenised = server.count("nacc_tokenising_seconds_count")
    for budget in range(20, 60, 4):
        assert server.ask(text, max_length=budget).status_code == 200
    after = server.count(passes), server.count(decodings)
    assert (after[0] - before[0], after[1] - before[1]) == (read, 10)
    tokenised = server.count("nacc_tokenising_seconds_count") - tokenised
    assert tokenised == split + read  # into words, and into pieces for each pass


def test_a_text_longer_than_the_model_reads_says_so(server):
    text = "Committee after committee " * 200
    (result,) = server.ask(text, sentences="all").json()["results"]
    assert result["truncated_input"]


def test_partial_answers_the_other_texts_where_one_is_empty(server, summarizer):
    texts = [TEXTS[0], " \n", TEXTS[1]]
    answer = server.ask(texts, max_length=[30, 50], partial=True)
    assert answer.status_code == 200
    first, empty, last = (result["summaries"] for result in answer.json()["results"])
    for entry in empty:
        error = entry["error"]
        assert (error["code"], error["field"], error["text"]) == ("invalid_input", "text[1]", 1)
        assert error["message"] == "the text is empty"
    for text, summaries in ((TEXTS[0], first), (TEXTS[1], last)):
        expected = [made.text for made in summarizer.summarize(text, [30, 50])]
        assert [summary["text"] for summary in summaries] == expected
