"""What the C library keeps of memory that nobody uses any more. glibc can be told; others are left
alone."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

from nacc.parallel import cores

ARENA_MAX = -8
"""mallopt's name for how many heaps there may be."""


def few_heaps() -> None:
    """As many heaps as there are cores, not one a thread: what is free in one is of no use to
    another. To be called before there are threads."""
    if libc := _libc("mallopt"):
        libc.mallopt(ARENA_MAX, cores())


def give_back() -> None:
    """Hand pages that hold nothing back to the system."""
    if libc := _libc("malloc_trim"):
        libc.malloc_trim(0)


def _libc(needed: str) -> Any:
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, needed) else None
