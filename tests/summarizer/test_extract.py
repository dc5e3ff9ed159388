"""What `extract=True` promises: every word is a word of the source, in the source's order."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from nacc import Budget, BudgetTooSmall, InvalidInput, Options, Summary
from nacc.apps.cli import main
from nacc.fitting.reading import dangles
from nacc.text.punctuation import QUOTES
from nacc.text.words import Sentence, key, split

WRITTEN = [
    "The harbour pilots of Odense said on Friday they would stop work for 48 hours from Sunday "
    "unless the port pays them the $3.5 million it has owed them since the storm of 2019.",
    "“Nobody was hurt, and nobody will be moved,” Mayor Ingrid Dahl's office said after a water "
    "main burst under U.S. Route 9, flooding 30 percent of the town's cellars.",
    "A retired teacher who taught chess to chess players who had had enough of losing has won the "
    "national senior chess title in Kraków at the age of 91.",
]
TOKENIZED = [
    "UNK , a maker of small engines , said tuesday that it will close its plant in the north of "
    "the country and move ### jobs abroad .",
    "two <unk> fishermen who drifted for ## days in an open boat were found alive on monday , the "
    "coast guard 's spokesman said .",
]
BUDGETS = ["20", "50", "90", "75 bytes", "40 graphemes", "6 words", "30 columns", "300 px", "sms"]
WORDS = """The the of in had had said said it 's n't , . “ ” ' ( ) -- … U.S. iPhone 12% $2.3 150
    billion percent two hundred UNK <unk> <blank> ## Kraków naïve 東京 ß ŉ İ ı 👩‍👧 e\u0301
    port pilots strike strike closed closes Odense mayor""".split()
SENTENCES = st.builds(
    lambda words, gap: gap.join(words),
    st.lists(
        st.sampled_from(WORDS) | st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
        min_size=1,
        max_size=30,
    ),
    st.sampled_from([" ", " ", ""]),
)


ASKED = {"extract": True, "rewrite": "always"}


def in_order(part: list[str], whole: tuple[str, ...]) -> bool:
    """Is this a subsequence?"""
    rest = iter(whole)
    return all(word in rest for word in part)


def check(summary: Summary, sentence: Sentence, budget: Budget, tidy: bool = True) -> None:
    """It fits; its words stand in the source where they say, in order; and it says no others. It
    ends on no small word, if tidy."""
    assert summary.length <= summary.budget and budget.fits(summary.text)
    places = [word.source for word in summary.words]
    assert None not in places
    assert all(before < after for before, after in pairwise(places))
    keys = [key(word.text) for word in summary.words]
    assert keys == [sentence.keys[place] for place in places]
    assert in_order(keys, sentence.keys)
    assert not (tidy and dangles(keys[-1]))
    said = _letters("".join(word.text for word in summary.words))
    # A question keeps its mark, which is the source's too but no word.
    assert _letters(summary.text).removesuffix("?") == said.removesuffix("?")


def _letters(text: str) -> str:
    """Without spaces and the quotation marks that are put back, in one case."""
    return "".join(c for c in text if not c.isspace() and c not in QUOTES).upper()


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("rerank", [0, 8])
def test_every_word_is_the_sources_in_its_order(linked, rerank, budget):
    parsed = Budget.of(budget)
    readings = linked.read(WRITTEN + TOKENIZED, budget)
    for reading, text in zip(readings, WRITTEN + TOKENIZED, strict=True):
        summary = linked.summarize(reading, budget, rerank=rerank, **ASKED)
        check(summary, split(text), parsed)
        assert summary.words


@pytest.mark.parametrize("case", ["sentence", "title", "lower", "source"])
def test_so_it_is_in_every_case_and_however_words_are_repeated(linked, case):
    for text in WRITTEN + TOKENIZED:
        for tidy in (True, False):
            summary = linked.summarize(text, 60, case=case, tidy=tidy, **ASKED)
            check(summary, split(text), Budget(60), tidy)


def test_without_it_words_come_in_other_orders(linked):
    for text in WRITTEN + TOKENIZED:
        said = linked.summarize(text, 60, rewrite="always", tidy=False)
        places = [word.source for word in said.words if word.source is not None]
        assert places != sorted(places)


def test_and_new_words_too(linked):
    (reading,) = linked.read(WRITTEN[:1], 60)
    new = next(word for word in reading.word_lattice.keys if word not in reading.places)
    said = linked.summarize(reading, 60, required=[new], rewrite="always", tidy=False)
    assert [key(word.text) for word in said.words if word.source is None] == [new]


def test_so_are_all_alternatives(linked):
    for text in WRITTEN + TOKENIZED:
        found = linked.alternatives(text, 6, 45, tidy=False, **ASKED)
        assert len({summary.text for summary in found}) == len(found) >= 2
        for summary in found:
            check(summary, split(text), Budget(45), tidy=False)


@settings(max_examples=150, deadline=None)
@given(SENTENCES, st.sampled_from(BUDGETS), st.booleans())
def test_so_it_is_for_any_text(linked, text, budget, faithful):
    assume(split(text).words)
    try:
        summary = linked.summarize(text, budget, faithful=faithful, **ASKED)
    except BudgetTooSmall:
        return
    if summary.method == "lead":
        assert summary.note
        return
    check(summary, split(text), Budget.of(budget))
    assert in_order(list(_letters(summary.text).removesuffix("?")), tuple(_letters(text)))


def test_required_words_come_in_the_sources_order_not_the_callers(linked):
    for text in WRITTEN + TOKENIZED:
        sentence = split(text)
        content = [word for word in sentence.words if len(word) > 5 and word.isalpha()]
        for required in ([content[-1], content[0]], [content[3].upper()], content[2:0:-1]):
            summary = linked.summarize(text, 80, required=required, tidy=False, **ASKED)
            check(summary, sentence, Budget(80))
            said = {key(word.text) for word in summary.words}
            assert {key(word) for word in required} <= said


@pytest.mark.parametrize("word", ["zebra", "police", "<blank>", "odens"])
def test_a_required_word_that_is_not_the_sources_is_refused_by_name(linked, word):
    with pytest.raises(InvalidInput, match=f"required word '{word}' is neither in the text"):
        linked.summarize(WRITTEN[0], 80, required=["harbour", word], **ASKED)


def test_a_budget_too_small_names_one_that_is_not(linked):
    required = ("Friday", "pilots")
    with pytest.raises(BudgetTooSmall) as refused:
        linked.summarize(WRITTEN[0], 3, required=required, **ASKED)
    enough = refused.value.smallest
    summary = linked.summarize(WRITTEN[0], enough, required=required, **ASKED)
    check(summary, split(WRITTEN[0]), Budget.of(enough))
    with pytest.raises(BudgetTooSmall):
        linked.summarize(WRITTEN[0], enough - 1, required=required, **ASKED)


def test_the_command_has_it(linked, linked_folder, capsys):
    asked = ["fit", WRITTEN[0], "--max", "45", "--model", str(linked_folder), "--extract"]
    with pytest.raises(SystemExit) as left:
        main(asked)
    assert not left.value.code
    expected = linked.summarize(WRITTEN[0], 45, options=Options(extract=True)).text
    assert capsys.readouterr().out == expected + "\n"
    with pytest.raises(SystemExit) as left:
        main([*asked, "--require", "zebra"])
    assert left.value.code == 2
    assert "required word 'zebra' is neither in the text" in capsys.readouterr().err


@pytest.fixture(scope="module")
def service(linked_folder) -> Iterator[Any]:
    """The service with the model, and how to ask it."""
    pytest.importorskip("fastapi", reason='needs pip install ".[serve]"')
    from fastapi.testclient import TestClient

    from nacc.apps.server.app import build
    from nacc.apps.server.settings import Settings

    app, _, _ = build(Settings(model=linked_folder))
    with TestClient(app) as client:
        end = time.monotonic() + 180  # the decoders compile on a new machine
        while client.get("/health/ready").status_code != 200:
            assert time.monotonic() < end
            time.sleep(0.05)
        yield client


def test_the_service_has_it(linked, service):
    asked = {"text": WRITTEN, "max_length": [30, "75 bytes"], "alternatives": 3, "extract": True}
    answer = service.post("/v1/summarize", json=asked).json()
    for text, result in zip(WRITTEN, answer["results"], strict=True):
        for amount, made in zip(asked["max_length"], result["summaries"], strict=True):
            expected = linked.summarize(text, amount, extract=True, alternatives=3)
            assert made["text"] == expected.text
            for said in (made, *made["alternatives"]):
                spans = [(word["start"], word["end"]) for word in said["words"]]
                assert all(end <= start for (_, end), (start, _) in pairwise(spans))
                copied = [key(text[start:end]) for start, end in spans]
                assert copied == [key(word["text"]) for word in said["words"]]


def test_the_service_names_the_styles(service):
    (model,) = service.get("/v1/models").json()["models"]
    assert model["styles"] == ["wire", "web", "any"]
    asked = {"text": WRITTEN[0], "style": "loud"}
    refused = service.post("/v1/summarize", json=asked).json()["error"]
    assert refused["field"] == "style" and "wire, web, any" in refused["message"]


def test_the_service_blames_a_required_word_that_is_not_the_sources(service):
    asked = {"text": WRITTEN[0], "required": ["zebra"], "extract": True}
    refused = service.post("/v1/summarize", json=asked)
    assert refused.status_code == 422
    assert refused.json()["error"]["field"] == "required"
