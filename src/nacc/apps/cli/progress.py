"""A progress bar for what takes more than two seconds, on a terminal that shows nothing else."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

PATIENCE = 2.0


class Progress:
    """Told how much is done; shows it from the third second on.

    total: bytes to read, None if unknown. shown: whether to show anything at all.
    """

    def __init__(self, total: int | None, shown: bool) -> None:
        self._total = total
        self._shown = shown and sys.stderr is not None and sys.stderr.isatty()
        self._started = time.monotonic()
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

    def update(self, bytes_read: int, rows: int) -> None:
        """So many bytes were read and so many texts are done."""
        if not self._shown:
            return
        if self._bar is None:
            if time.monotonic() - self._started < PATIENCE:
                return
            self._open()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=bytes_read, rows=f"{rows:,} texts")

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns = [BarColumn(), TextColumn("{task.fields[rows]}"), TimeElapsedColumn()]
        if self._total:
            columns.append(TimeRemainingColumn())
        self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("", total=self._total, rows="")
        self._bar.start()
