"""Memory that nobody uses any more goes back to the system; what stays is not looked through."""

from __future__ import annotations

import ctypes
import gc
import sys
import weakref
from pathlib import Path

import pytest

from nacc.apps.server.memory import few_heaps, give_back
from nacc.apps.server.service import Service
from nacc.apps.server.settings import Settings

PAGE, PAGES = 4096, 25_000
GLIBC = sys.platform == "linux" and hasattr(ctypes.CDLL(None), "malloc_trim")


def resident() -> int:
    """Pages that this process has in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1])


@pytest.mark.skipif(not GLIBC, reason="another C library")
def test_free_pages_between_others_are_given_back():
    blocks = [bytearray(2 * PAGE) for _ in range(PAGES)]
    del blocks[::2]
    before = resident()
    give_back()
    assert before - resident() > PAGES / 2
    assert len(blocks) == PAGES // 2


def test_other_libraries_are_left_alone(monkeypatch):
    monkeypatch.setattr(sys, "platform", "another")
    monkeypatch.setattr(ctypes, "CDLL", None)
    few_heaps()
    give_back()


@pytest.fixture
def collector():
    """As it was, afterwards."""
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def test_what_is_loaded_is_not_looked_through_again(monkeypatch, model, collector):
    """It took 80 ms, in which no thread got on; and what is remembered of texts 60 ms, every
    three to five seconds beside hostile clients."""
    monkeypatch.setattr("nacc.apps.server.service.Engine", lambda *_: model.engine)
    monkeypatch.setattr("nacc.apps.server.service._warm_up", lambda _: None)
    gc.unfreeze()
    service = Service(Settings())
    service.start()
    service.close()
    assert service.ready
    assert gc.get_freeze_count() > 1000
    assert gc.get_threshold()[2] >= 10_000


def test_what_nobody_can_reach_goes_when_memory_is_given_back():
    circle = [Settings()]
    circle.append(circle)
    watched = weakref.ref(circle[0])
    gc.disable()
    try:
        del circle
        assert watched() is not None
        give_back()
        assert watched() is None
    finally:
        gc.enable()
