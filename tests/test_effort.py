"""Steps are counted before they are taken, and end where there are no more."""

from __future__ import annotations

import threading
from math import inf

import pytest

from nacc.effort import effort, left, spend
from nacc.errors import Untrusted


def test_work_that_nobody_limits_has_no_end():
    spend(2**60)
    assert left() == inf


def test_steps_are_taken_until_there_are_too_few():
    with effort(10):
        spend(4)
        assert left() == 6
        with pytest.raises(Untrusted, match="as many steps as it is worth"):
            spend(7)
        spend(6)
        assert left() == 0
    assert left() == inf


def test_what_is_done_inside_has_steps_of_its_own():
    with effort(10):
        with effort(3):
            spend(3)
        assert left() == 10


def test_it_goes_with_the_thread():
    seen = []
    with effort(10):
        thread = threading.Thread(target=lambda: seen.append(left()))
        thread.start()
        thread.join()
    assert seen == [inf]
