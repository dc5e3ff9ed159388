"""How much work one answer is worth: steps, counted before they are taken.

Whoever asks says so around the call (`with effort(2**26): …`), whoever works tells each part before
it begins (`spend`). A deadline ends work by the clock; this ends it at the same place on every
machine, however often rounds begin anew. It goes with the thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

from nacc.errors import Untrusted


class _Effort:
    """So many steps, less those that were taken."""

    def __init__(self, steps: float) -> None:
        self.left = steps


_now: ContextVar[_Effort | None] = ContextVar("effort", default=None)


@contextmanager
def effort(steps: int) -> Iterator[None]:
    """What is done inside takes so many steps at most."""
    token = _now.set(_Effort(steps))
    try:
        yield
    finally:
        _now.reset(token)


def left() -> float:
    """The steps that may still be taken; without end, where nobody has said how many."""
    here = _now.get()
    return inf if here is None else here.left


def spend(steps: int) -> None:
    """Count steps that are about to be taken; Untrusted if there are not so many left."""
    here = _now.get()
    if here is None:
        return
    if steps > here.left:
        raise Untrusted("no answer that keeps all rules was found in as many steps as it is worth")
    here.left -= steps
