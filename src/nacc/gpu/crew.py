"""Workers beside the device: processes that each have a desk, and what is said between them.

Orders go through queues, which never keep the sender waiting; reports through pipes. So neither
side can wait for the other in a ring. A worker ends what it began before it begins more: of the
orders that it has, those of the oldest lot come first.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from nacc.errors import NaccError
from nacc.gpu.desk import Desk
from nacc.length.budget import Budget
from nacc.options import Options
from nacc.summarizer import Result, Summarizer

Told = Callable[[Result], Any]
"""What a worker makes of a result before it is sent: a string is sent sooner than a Summary."""
SELDOM = 1_000_000
"""New objects after which a worker looks for circles among them: texts leave hardly any."""
Order = tuple[Any, ...]
Report = tuple[str, int, Any]


class Crew:
    """Processes with desks for a model folder. Orders name a lot; who read a lot, writes it, and
    what is ordered of a lot is reported in the same order."""

    def __init__(self, folder: Path, workers: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._orders: list[Any] = []
        self._reports: list[Connection] = []
        self.processes = []
        for _ in range(workers):
            orders, (ours, theirs) = context.Queue(), context.Pipe(duplex=False)
            process = context.Process(target=_serve, args=(folder, orders, theirs), daemon=True)
            process.start()
            theirs.close()
            self._orders.append(orders)
            self._reports.append(ours)
            self.processes.append(process)

    def __len__(self) -> int:
        return len(self.processes)

    def begin(self, budget: Budget, options: Options, told: Told) -> None:
        """What all that comes is for."""
        for orders in self._orders:
            orders.put(("begin", budget, options, told))
        for report in self._reports:
            _received(report)

    def order(self, name: str, lot: int, *parts: Any) -> None:
        self._orders[lot % len(self)].put((name, lot, *parts))

    def reports(self, timeout: float | None) -> Iterator[Report]:
        """What has been reported; waits until something is, so long."""
        for report in wait(self._reports, timeout):
            assert isinstance(report, Connection)
            yield _received(report)

    def close(self) -> None:
        for orders in self._orders:
            orders.put(None)
        for process in self.processes:
            process.join(5)
            if process.is_alive():
                process.terminate()


class ByLot:
    """Orders by their lot, the oldest first; those of one lot as they came."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, Order | None]] = []
        self._came = 0

    def next(self, empty: Callable[[], bool], get: Callable[[], Order | None]) -> Order | None:
        """The next order, of all that there are; waits for one if there is none."""
        while not self._waiting or not empty():
            order = get()
            lot = order[1] if order is not None and order[0] != "begin" else -1
            self._came += 1
            heappush(self._waiting, (lot, self._came, order))
        return heappop(self._waiting)[2]


def _received(report: Connection) -> Any:
    try:
        found = report.recv()
    except EOFError:
        raise RuntimeError("a worker process has ended before its work was done") from None
    if isinstance(found, Exception):
        raise found
    return found


def _serve(folder: Path, orders: Any, reports: Connection) -> None:
    """A worker's life."""
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # every core has its worker
    try:
        summarizer = Summarizer.load(folder)
        gc.freeze()  # what is loaded stays: nobody need look through it again and again
        gc.set_threshold(SELDOM)
        sorted_ = ByLot()
        while (order := sorted_.next(orders.empty, orders.get)) is not None:
            reports.send(_done(summarizer, order))
    except Exception as error:  # whoever ordered is to know
        reports.send(error if isinstance(error, NaccError) else RuntimeError(repr(error)))


_desk: Desk | None = None
_told: Told | None = None


def _done(summarizer: Summarizer, order: Order) -> Report:
    global _desk, _told  # noqa: PLW0603 - a process has one desk
    name, *parts = order
    if name == "begin":
        budget, options, _told = parts
        _desk = Desk(summarizer, budget, summarizer.settled(options))
        return name, 0, None
    assert _desk is not None and _told is not None, "orders come after a begin"
    lot, *rest = parts
    made = getattr(_desk, name)(lot, *rest)
    done, *more = made if isinstance(made, tuple) else (made,)
    return name, lot, ({i: _told(one) for i, one in done.items()}, *more)
