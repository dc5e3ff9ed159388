"""Many texts: any iterable, in order, in constant memory; a text that fails is its own failure."""

from __future__ import annotations

import threading
import tracemalloc
from itertools import chain, count, islice, repeat
from statistics import median

import pytest

from nacc import Budget, BudgetTooSmall, InvalidInput, NaccError, Options, Summary

NEWS = [
    "The ferry Santa Lucia ran aground off Sardinia early on Sunday with 212 people on board.",
    "Shares in chipmaker Norvex fell 12% on Thursday after the company cut its sales forecast.",
    "The city council voted 7-2 on Tuesday night to turn the old post office into a library.",
]
BAD = ["", " \n", "half \ud83d", None, 7]


def test_one_list_a_text_with_an_entry_a_budget(model):
    budgets = [30, "75 bytes", Budget(50)]
    alone = [model.summarize(text, budgets) for text in NEWS]
    assert list(model.each(NEWS, budgets)) == alone
    assert list(model.each(iter(NEWS), budgets)) == alone
    assert list(model.each(NEWS, 30)) == [[each[0]] for each in alone]
    assert list(model.each([])) == []


def test_the_order_is_that_of_the_texts_whatever_the_number_of_workers(model):
    texts = NEWS * 8
    alone = [[model.summarize(text)] for text in NEWS] * 8
    for workers in (1, 2, 5):
        assert list(model.each(texts, workers=workers)) == alone


def test_a_text_that_fails_gives_its_error_and_no_harm_to_others(model):
    mixed = [*BAD, NEWS[0], *BAD, NEWS[1]]
    found = list(model.each(mixed, [50, 30]))
    assert [type(each[0]) is Summary for each in found] == [text in NEWS for text in mixed]
    for text, results in zip(mixed, found, strict=True):
        if text in NEWS:
            assert results == model.summarize(text, [50, 30])
        else:
            assert all(isinstance(result, InvalidInput) for result in results)


def test_a_budget_that_fails_harms_no_other(model):
    (results,) = model.each([NEWS[0]], [50, 1, 30], Options(required="Sardinia"))
    assert isinstance(results[0], Summary)
    assert isinstance(results[1], BudgetTooSmall)
    assert isinstance(results[2], Summary)


def test_errors_may_be_raised_where_they_happen(model):
    found = model.each([NEWS[0], "", NEWS[1]], errors="raise")
    assert next(found)[0].text
    with pytest.raises(InvalidInput, match="empty") as raised:
        next(found)
    assert raised.value.__notes__ == ["text 2"]


def test_an_unforeseen_error_of_the_source_is_not_swallowed(model):
    def broken():
        yield NEWS[0]
        raise OSError("disk gone")

    found = model.each(broken())
    assert next(found)[0].text
    with pytest.raises(OSError, match="disk gone"):
        next(found)


def test_alternatives_come_with_the_best(model):
    ((best,),) = model.each([NEWS[0]], 50, Options(alternatives=3))
    listed = model.alternatives(NEWS[0], 3)
    assert [best.text, *(other.text for other in best.alternatives)] == [s.text for s in listed]
    assert all(not summary.alternatives for summary in listed)


def test_readings_are_taken_in_place_of_texts(model):
    (reading,) = model.read([NEWS[0]])
    assert list(model.each([reading, NEWS[1]], 40)) == list(model.each(NEWS[:2], 40))


def test_reading_returns_errors_where_asked(model):
    found = model.read([NEWS[0], ""], errors="return")
    assert isinstance(found[1], NaccError)
    with pytest.raises(InvalidInput, match="empty"):
        model.read([NEWS[0], ""])


def test_texts_are_taken_only_as_they_are_needed(model):
    taken = []

    def endless():
        for number in count():
            taken.append(number)
            yield NEWS[number % 3]

    found = model.each(endless(), workers=2)
    assert len(list(islice(found, 6))) == 6
    found.close()
    assert len(taken) < 40


def test_memory_does_not_grow_with_the_number_of_texts(model):
    list(model.each(NEWS * 20, workers=2))  # what is remembered of these texts is not at issue
    texts = chain.from_iterable(repeat(NEWS, 60))
    tracemalloc.start()
    held = [tracemalloc.get_traced_memory()[0] for _ in model.each(texts, workers=2)]
    tracemalloc.stop()
    third = len(held) // 3  # a peak is by chance that of both workers, and they begin with nothing
    early, late = median(held[third // 2 : -third]), median(held[-third:])
    assert late < 1.3 * early + 100_000


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"texts": NEWS[0]}, "str"),
        ({"texts": None}, "NoneType"),
        ({"texts": NEWS, "errors": "ignore"}, "ignore"),
        ({"texts": NEWS, "budgets": "much"}, "much"),
        ({"texts": NEWS, "options": Options(method="greedy", alternatives=2)}, "greedy"),
    ],
)
def test_what_is_wrong_for_all_texts_is_said_at_once(model, asked, named):
    with pytest.raises(InvalidInput, match=named):
        model.each(**asked)


def test_several_threads_may_do_many_texts_at_once(model):
    alone = list(model.each(NEWS))
    found: list[list] = []
    threads = [threading.Thread(target=lambda: found.append(list(model.each(NEWS)))) for _ in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 3
