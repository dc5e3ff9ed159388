"""Work stops when its time is over or nobody waits for it, in whatever thread it is done."""

from __future__ import annotations

import re
import threading
import time

import pytest

from nacc.deadline import Deadline, check, within
from nacc.errors import InvalidInput, Stopped
from nacc.parallel import spread


def test_without_a_deadline_work_goes_on():
    check()
    with within(Deadline()), within(Deadline(60)):
        check()


def test_past_its_time_work_stops():
    deadline = Deadline(0.0)
    with within(deadline), pytest.raises(Stopped, match="time"):
        time.sleep(0.001)
        check()
    check()  # the deadline held inside only
    assert deadline.left == 0


def test_what_is_cancelled_stops_in_another_thread():
    deadline = Deadline(60)
    assert 59 < deadline.left <= 60
    begun, stopped = threading.Event(), threading.Event()

    def work():
        with within(deadline), pytest.raises(Stopped, match="cancelled"):
            while True:
                begun.set()
                check()
                time.sleep(0.001)
        stopped.set()

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    deadline.cancel()
    thread.join(timeout=5)
    assert stopped.is_set() and deadline.left == 0


def test_the_outer_deadline_holds_within_a_longer_one():
    outer = Deadline(60)
    with within(outer), within(Deadline(60)):
        outer.cancel()
        with pytest.raises(Stopped):
            check()


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("many", [3, 100])
def test_work_that_is_spread_out_stops(workers, many):
    deadline = Deadline()

    def work(lot):
        if lot[0] == 1:
            deadline.cancel()
        while lot[0] > 1 and deadline.left:
            time.sleep(0.001)
        if lot[0] > 1:
            check()
        return lot

    with within(deadline):
        found = spread(work, iter(range(many)) if workers > 1 else range(many), workers=workers)
    made = []
    with pytest.raises(Stopped):
        for one in found:
            made.append(one)
            check()  # the deadline does not hold here any more
    assert made == [0, 1]


@pytest.mark.parametrize("wrong", ["2", [1], float("nan")])
def test_what_is_no_time_is_refused_by_name(wrong):
    with pytest.raises(InvalidInput, match=re.escape(f"not {wrong!r}")):
        Deadline(wrong)
    with pytest.raises(InvalidInput, match=re.escape(f"{wrong!r} is no Deadline")), within(wrong):
        pass
