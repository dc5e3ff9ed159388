"""Many rows: in order, each as soon as it can be, and no model where there is nothing for it."""

from __future__ import annotations

from threading import Event

import pytest
from tests.apps.cli.texts import COUNCIL, RAIL, SQUID

from nacc.bulk.summaries import Summaries
from nacc.errors import InvalidInput
from nacc.length import Budget
from nacc.options import Settled


@pytest.fixture
def job(model):
    return Summaries(lambda: model, [Budget.of(30), Budget.of(50)], model.settled(None))


def test_rows_come_back_in_order_with_a_list_for_each_of_their_texts(job, model):
    rows = [("none", []), ("one", [COUNCIL]), ("gap", []), ("three", [SQUID, RAIL, COUNCIL])]
    found = list(job.each([*rows, ("end", [])]))
    assert [row for row, _ in found] == ["none", "one", "gap", "three", "end"]
    for (_, texts), (_, results) in zip(rows, found, strict=False):
        assert results == [[model.summarize(text, n) for n in (30, 50)] for text in texts]


def test_a_row_comes_back_before_the_next_is_there(job):
    come = [Event() for _ in range(4)]

    def rows():
        for i, texts in enumerate(([], [COUNCIL], [], [SQUID, RAIL])):
            assert come[i].wait(60)
            yield i, texts

    found = job.each(rows())
    for i, event in enumerate(come):
        event.set()
        assert next(found)[0] == i


@pytest.fixture
def unloaded():
    return Summaries(lambda: pytest.fail("the model was loaded"), [Budget.of(50)], Settled())


def test_the_model_is_loaded_only_for_a_text(unloaded):
    assert list(unloaded.each([("a", []), ("b", [])])) == [("a", []), ("b", [])]


def test_nor_is_it_for_texts_that_fit_or_are_not_english(unloaded):
    rows = [("a", ["Man bites dog", "It's not over"]), ("b", []), ("c", ["!" * 9 + " !" * 50])]
    said = [[result.method for [result] in found] for _, found in unloaded.each(rows)]
    assert said == [["as-is", "as-is"], [], ["lead"]]


def test_a_text_that_fits_is_the_same_before_and_after_one_that_does_not(job):
    rows = [(i, [text]) for i, text in enumerate(["Man bites dog", COUNCIL, "Man bites dog"])]
    first, _, last = (found for _, found in job.each(rows))
    assert first == last


def test_what_goes_wrong_while_reading_is_raised_where_it_happened(job):
    def rows():
        yield 1, [COUNCIL]
        raise InvalidInput("unreadable")

    found = job.each(rows())
    assert next(found)[0] == 1
    with pytest.raises(InvalidInput, match="unreadable"):
        next(found)
