"""Until when work is worth doing: by a time, and while somebody waits for it.

Whoever asks says so around the call (`with within(Deadline(2.0)): …`), whoever works looks now and
then (`check`): between texts, passes of the network, budgets and rounds, none of which takes long.
It goes with the thread, and on to the threads that `parallel.spread` hands work to.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf, isnan
from numbers import Real
from types import NoneType

from nacc.errors import InvalidInput, Stopped


class Deadline:
    """So many seconds from now (None: as long as it takes), unless it is cancelled before.

    One may hold for several threads at a time.
    """

    def __init__(self, seconds: float | None = None) -> None:
        if not isinstance(seconds, (Real, NoneType)) or isnan(seconds or 0):
            raise InvalidInput(f"a deadline is a number of seconds or None, not {seconds!r}")
        self._end = inf if seconds is None else time.monotonic() + seconds
        self._cancelled = False

    def cancel(self) -> None:
        """Nobody waits any more; from any thread."""
        self._cancelled = True

    @property
    def left(self) -> float:
        """The seconds that are left: 0 if there are none, or it was cancelled."""
        return 0.0 if self._cancelled else max(0.0, self._end - time.monotonic())

    def check(self) -> None:
        """Raise Stopped if work is to stop."""
        if self._cancelled:
            raise Stopped("it was cancelled")
        if self._end < inf and time.monotonic() > self._end:
            raise Stopped("the time for it is over")


_now: ContextVar[tuple[Deadline, ...]] = ContextVar("deadlines", default=())


@contextmanager
def within(*deadlines: Deadline) -> Iterator[None]:
    """What is done inside is done by these deadlines, and by those outside."""
    if wrong := [each for each in deadlines if not isinstance(each, Deadline)]:
        raise InvalidInput(f"{wrong[0]!r} is no Deadline: write within(Deadline(2.0))")
    token = _now.set((*_now.get(), *deadlines))
    try:
        yield
    finally:
        _now.reset(token)


def deadlines() -> tuple[Deadline, ...]:
    """Those that hold here, to be handed on to another thread."""
    return _now.get()


def check() -> None:
    """Raise Stopped if what is done here is no longer worth doing."""
    for deadline in _now.get():
        deadline.check()
