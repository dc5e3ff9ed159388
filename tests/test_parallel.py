"""Work over threads: everything, in order, no further ahead than asked, and nobody left behind."""

from __future__ import annotations

import threading
import time
from itertools import count, islice

import pytest

from nacc.parallel import AHEAD, cores, spread


def doubled(lot):
    return [2 * item for item in lot]


@pytest.mark.parametrize("workers", [1, 2, 7])
@pytest.mark.parametrize("lot", [1, 3, 100])
@pytest.mark.parametrize("items", [[], [1], list(range(250))])
def test_all_results_come_in_order(items, workers, lot):
    assert list(spread(doubled, items, workers=workers, lot=lot)) == doubled(items)
    assert list(spread(doubled, iter(items), workers=workers, lot=lot)) == doubled(items)


def test_slow_items_do_not_change_the_order():
    def slow(lot):
        time.sleep(0.002 * (lot[0] % 3))
        return lot

    assert list(spread(slow, range(60), workers=4)) == list(range(60))


def test_only_so_much_is_taken_ahead():
    taken = 0

    def endless():
        nonlocal taken
        for number in count(1):
            taken = number
            yield number

    found = spread(doubled, endless(), workers=2)
    assert list(islice(found, 100)) == doubled(range(1, 101))
    time.sleep(0.05)
    assert taken <= 100 + AHEAD * 2 + 2
    found.close()


def test_a_source_that_waits_keeps_no_result_back():
    more = threading.Event()

    def waiting():
        yield 1
        more.wait(10)
        yield 2

    found = spread(doubled, waiting(), workers=2)
    assert next(found) == 2  # long before the second item comes
    more.set()
    assert list(found) == [4]


def test_an_error_comes_where_its_result_would_have():
    def work(lot):
        if 3 in lot:
            raise ValueError("three")
        return lot

    found = spread(work, range(6), workers=2)
    assert [next(found) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="three"):
        next(found)


def test_an_error_of_the_source_comes_after_what_it_gave():
    def broken():
        yield from (1, 2)
        raise OSError("no more")

    found = spread(doubled, broken(), workers=2)
    assert [next(found), next(found)] == [2, 4]
    with pytest.raises(OSError, match="no more"):
        next(found)


def test_no_thread_stays_when_the_results_are_taken_or_left():
    before = threading.active_count()
    assert list(spread(doubled, range(50), workers=3))
    left = spread(doubled, iter(range(10_000)), workers=3)
    next(left)
    left.close()
    for _ in range(100):
        if threading.active_count() <= before:
            break
        time.sleep(0.02)
    assert threading.active_count() <= before


def test_there_is_at_least_one_core():
    assert cores() >= 1
