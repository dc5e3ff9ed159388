"""Kernels: functions that Numba compiles once and keeps on disk.

Numba's own cache watches only the file that a function is written in, so a kernel that calls
another file's would go on calling the old one. Here the cache's folder is named after the content
of all kernel files together: a change in any of them starts a new folder.

The folder lies beside the package's byte code; where that cannot be written, in the user's cache,
else among temporary files; and if there is no such place, kernels are compiled in every process.
So they are where the disk is full, and once more where a file is damaged.
"""

from __future__ import annotations

import getpass
import hashlib
import os
import shutil
import stat
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit
from numba.core import config
from numba.core.caching import IndexDataCacheFile

with suppress(ImportError, AttributeError):
    # When Numba loads its arrays it looks whether SciPy has a BLAS, a fifth of a second. No kernel
    # here needs one, and who does is asked again.
    _linalg = import_module("numba.np.linalg")
    _ensure, _linalg.ensure_blas = _linalg.ensure_blas, lambda: None  # type: ignore[attr-defined]
    try:
        import_module("numba.np.arraymath")
    finally:
        _linalg.ensure_blas = _ensure  # type: ignore[attr-defined]

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).parent
FOLDERS = ("decoding/kernels", "search/kernels", "lattice", "ngrams")
"""Where kernels are written, and the constants and arrays that they compile in."""
_lock = threading.Lock()


def kernel(function: F, *, fastmath: bool = False) -> F:
    """Compile a function at its first call, without the interpreter's lock; keep what came out.

    fastmath: sums may be formed in any order, which is faster and not the same on every machine.
    """
    with _lock:
        folder = cache_folder()
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder or "")
        try:
            compiled: Any = njit(nogil=True, fastmath=fastmath, cache=folder is not None)(function)
            if folder is not None:
                compiled._cache._cache_file.__class__ = _Kept
            return cast(F, compiled)
        finally:
            config.CACHE_DIR = before


class _Kept(IndexDataCacheFile):  # type: ignore[misc]
    """What is kept of one kernel: never more than a help."""

    def load(self, key: Any) -> Any:
        try:
            return super().load(key)
        except Exception:  # half a file, as a machine that went down leaves it
            with suppress(OSError):
                self.flush()
            return None

    def save(self, key: Any, data: Any) -> None:
        with suppress(OSError):
            super().save(key, data)


@cache
def cache_folder() -> Path | None:
    """Where compiled kernels are kept, None if there is no place; said once on a terminal."""
    stamp = hashlib.sha256()
    for path in sorted(path for name in FOLDERS for path in (PACKAGE / name).glob("*.py")):
        stamp.update(path.read_bytes())
    name = f"nacc-kernels-{hashlib.sha256(str(PACKAGE).encode()).hexdigest()[:8]}"
    for place in _places():
        folder = place / f"{name}-{stamp.hexdigest()[:16]}"
        if _usable(folder):
            for old in folder.parent.glob(f"{name}-*"):
                if old != folder:
                    shutil.rmtree(old, ignore_errors=True)
            return folder
    if sys.stderr is not None and sys.stderr.isatty():
        print("nacc: no folder can be written: decoders are compiled each time", file=sys.stderr)
    return None


def is_first_run() -> bool:
    """Whether nothing was compiled yet on this machine."""
    folder = cache_folder()
    return folder is None or not any(folder.rglob("*.nbi"))


def _places() -> Iterator[Path]:
    """Folders that may hold the cache's, best first."""
    if config.CACHE_DIR:  # NUMBA_CACHE_DIR: the user's own choice
        yield Path(config.CACHE_DIR)
        return
    yield PACKAGE / "__pycache__"
    if caches := os.environ.get("XDG_CACHE_HOME"):
        yield Path(caches)
    elif home := os.environ.get("HOME"):
        yield Path(home) / ".cache"
    with suppress(OSError):  # there may be no temporary folder
        user = os.getuid() if hasattr(os, "getuid") else getpass.getuser()
        yield Path(tempfile.gettempdir()) / f"nacc-{user}"


def _usable(folder: Path) -> bool:
    """Whether the folder can be written, by us and nobody else: what lies there will be run."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        if hasattr(os, "getuid"):
            found = folder.lstat()
            others = stat.S_IWGRP | stat.S_IWOTH
            return found.st_uid == os.getuid() and not (found.st_mode & others)
        return True
    except OSError:
        return False
