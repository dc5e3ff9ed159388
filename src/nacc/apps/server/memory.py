"""Memory that nobody uses any more: what Python's collector finds, and what the C library keeps.
glibc can be told; others are left alone."""

from __future__ import annotations

import ctypes
import gc
import sys
from typing import Any

from nacc.parallel import cores

ARENA_MAX = -8
"""mallopt's name for how many heaps there may be."""
SELDOM = 10_000
"""Short rounds of the collector for a long one: at five a second, half an hour."""


def few_heaps() -> None:
    """As many heaps as there are cores, not one a thread: what is free in one is of no use to
    another. To be called before there are threads."""
    if libc := _libc("mallopt"):
        libc.mallopt(ARENA_MAX, cores())


def seldom_all() -> None:
    """Have what is loaded never looked through by the collector, and what is remembered of texts
    when memory is given back only: every thread waits for that, 60 ms long."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], SELDOM)


def give_back() -> None:
    """Look for what nobody can reach, and hand pages that hold nothing back to the system."""
    gc.collect()
    if libc := _libc("malloc_trim"):
        libc.malloc_trim(0)


def _libc(needed: str) -> Any:
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, needed) else None
