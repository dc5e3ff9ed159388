"""A progress bar on a terminal that shows nothing else: how much is done, how fast, and how long it
will take."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from nacc.data.rows import counted

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

PATIENCE = 2.0
"""Seconds that nobody needs a bar for."""
REPORT_EVERY = 60.0
"""Seconds between two lines where there is no terminal."""


class Progress:
    """Told how much is done, and shows it.

    total: bytes to read, None if unknown. shown: whether to show anything at all. what: one of the
    things that are counted. at_once: long work, which is shown from the start, and in lines where
    there is no terminal.
    """

    def __init__(
        self, total: int | None, shown: bool, what: str = "text", at_once: bool = False
    ) -> None:
        self._total = total
        self._what = what
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._shown = shown and (self._terminal or at_once)
        self._started = self._reported = time.monotonic()
        self._patience = 0.0 if at_once else PATIENCE
        self._first: tuple[float, int, int] | None = None
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def begin(self, bytes_done: int, rows: int) -> None:
        """So much was done before."""
        self.update(bytes_done, rows)
        self._first = None

    def update(self, bytes_read: int, rows: int) -> None:
        """So many bytes were read and so many texts are done."""
        now = time.monotonic()
        if self._first is None:  # rates count from here on: before, the model was loaded
            self._first = (now, bytes_read, rows)
        if not self._shown or now - self._started < self._patience:
            return
        if not self._terminal:
            if now - self._reported >= REPORT_EVERY:
                self._reported = now
                print(f"nacc: {self._told(bytes_read, rows)}", file=sys.stderr, flush=True)
            return
        if self._bar is None:
            self._open()
        if self._bar is not None and self._task is not None:
            told = self._told(bytes_read, rows)
            self._bar.update(self._task, completed=bytes_read, told=told)

    def _told(self, bytes_read: int, rows: int) -> str:
        """How many, how fast, and how long it will take."""
        told = counted(rows, self._what)
        begun, bytes_then, rows_then = self._first or (0.0, 0, 0)
        seconds, done = time.monotonic() - begun, bytes_read - bytes_then
        if seconds <= 0 or done <= 0:
            return told
        told += f", {(rows - rows_then) / seconds:,.0f}/s"
        if self._total is None:
            return told
        left = round(seconds * max(self._total - bytes_read, 0) / done)
        return f"{told}, {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        columns = (BarColumn(), TextColumn("{task.fields[told]}"), TimeElapsedColumn())
        self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("", total=self._total, told="")
        self._bar.start()
