"""Text in, Summary out, by the thousand: a GPU for network and decoding, processes for the rest.

The answers are those of `Summarizer` with rerank=0, on the lattices that the network makes on the
device. One loop in one thread keeps everybody busy: it deals out lots of texts, gathers rows into
batches of a shape, and hands what came of a batch back to whoever read the texts. Headlines come as
the oldest lot is done, so no row may wait for long, however seldom its shape is.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from nacc.gpu.candidates import Judge
from nacc.gpu.crew import Crew, Told
from nacc.gpu.desk import lexicon_of
from nacc.gpu.device import SLOTS, Batch, Coming, Device, stacked
from nacc.gpu.network import DeviceNetwork
from nacc.gpu.rows import Chosen, Rows
from nacc.length.budget import Budget
from nacc.options import Options
from nacc.parallel import cores
from nacc.runtime.folder import model_folder
from nacc.summarizer import Amount, Result, Summarizer

LOT = 512
"""Texts dealt out at a time: the one loop spends its time by the lot, not by the text."""
AHEAD = 12
"""Lots under way for each worker: headlines come in order, and rows of seldom shapes wait."""
PATIENCE = 2
"""Lots for each worker that are read while rows of a seldom shape wait for others of it: then they
go by themselves, for the headlines of all lots after theirs wait with them."""
AT_WORK = 3
"""Batches on the device at a time."""


def as_it_is(result: Result) -> Result:
    return result


def text_of(result: Result) -> Any:
    """For `each(…, told=text_of)`: the headline, or the error."""
    return getattr(result, "text", result)


class GpuSummarizer:
    """A model on a GPU. Use it in a `with`, or close it: it has processes of its own."""

    def __init__(self, folder: Path, network: DeviceNetwork, crew: Crew) -> None:
        self.network, self.crew = network, crew
        self._cpu = Summarizer.load(folder)
        self._lexicon = lexicon_of(self._cpu)
        self._device: tuple[Any, Device] | None = None

    @classmethod
    def load(
        cls,
        path: str | Path | None = None,
        *,
        weights: Path | None = None,
        device: str | None = None,
        workers: int | None = None,
    ) -> GpuSummarizer:
        """The packaged model, another by its name, or one by its folder's path.

        weights: a folder that training left, of the same model: its weights, not the rounded ones.
        """
        folder = model_folder(path)
        crew = Crew(folder, workers or cores())  # before the device is asked for anything
        where = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        top_k = int(Summarizer.load(folder).engine.config["top_k"])
        return cls(folder, DeviceNetwork.load(weights or folder, top_k, where), crew)

    def __enter__(self) -> GpuSummarizer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.crew.close()

    def each(
        self,
        texts: Iterable[str],
        budget: Amount = 50,
        options: Options | None = None,
        *,
        told: Told = as_it_is,
        slots: int = SLOTS,
    ) -> Iterator[Any]:
        """For each text, in order, its summary or its NaccError, or what `told` makes of that.

        told:  a function of a module, called where the summary is made.
        slots: of a batch; fewer where the device has less memory.
        """
        wanted = Budget.of(budget)
        asked = replace(options or Options(), rerank=0)
        device = self._device_for(wanted, asked, slots)
        self.crew.begin(wanted, asked, told)
        return _Run(self.crew, device).each(texts)

    def _device_for(self, budget: Budget, options: Options, slots: int) -> Device:
        """The last one, with what it recorded, if it was for the same."""
        known = (budget, options, slots)
        if self._device is None or self._device[0] != known:
            self._device = None  # its memory first
            settled = self._cpu.settled(options)
            judge = Judge.of(self._lexicon, budget, settled, self.network.device)
            self._device = known, Device(self.network, judge, slots=slots)
        return self._device[1]


@dataclass
class _Lot:
    """What is done of it; and what is being written, in the order in which it will be reported:
    the batch, where its part begins there, and which sentences these are."""

    size: int
    done: dict[int, Any] = field(default_factory=dict)
    written: deque[tuple[Batch, int, list[int]]] = field(default_factory=deque)


class _Run:
    """The texts of one call, on their way."""

    def __init__(self, crew: Crew, device: Device) -> None:
        self.crew, self.device = crew, device
        self.lots: dict[int, _Lot] = {}
        self.waiting: dict[int, deque[tuple[int, Rows, int]]] = {}  # rows by their bucket: since?
        self.count: Counter[int] = Counter()  # of these
        self.at_work: deque[tuple[Batch, list[tuple[int, Rows]]]] = deque()
        self.coming: list[tuple[str, int, list[int], Coming]] = []  # lattices, what to do with them
        self.busy = 0  # orders that were not reported on
        self.reading = 0  # lots that are being read, and parts of them that are chosen from
        self.read = 0  # lots that were

    def each(self, texts: Iterable[str]) -> Iterator[Any]:
        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # others would spin for what is copied, on the workers' cores
        try:
            yield from self._each(texts)
        finally:  # what was ordered is reported, whether it is wanted or not
            torch.set_num_threads(threads)
            while self.busy:
                self.busy -= len(list(self.crew.reports(None)))

    def _each(self, texts: Iterable[str]) -> Iterator[Any]:
        source, given, told, more = iter(texts), 0, 0, True
        while more or told < given:
            while more and given - told < AHEAD * len(self.crew):
                lot = list(islice(source, LOT))
                more = len(lot) == LOT
                if lot:
                    self.lots[given] = _Lot(len(lot))
                    self._order("read", given, lot)
                    self.reading += 1
                    given += 1
            self._step()
            while told in self.lots and len(self.lots[told].done) == self.lots[told].size:
                lot_done = self.lots.pop(told)
                told += 1
                yield from (lot_done.done[i] for i in range(lot_done.size))

    def _order(self, name: str, lot: int, *parts: Any) -> None:
        self.busy += 1
        self.crew.order(name, lot, *parts)

    def _step(self) -> None:
        """Whatever can be done now; where nothing can, wait for a report."""
        while self.at_work and self.at_work[0][0].done():
            self._hand_back(*self.at_work.popleft())
        for each in [each for each in self.coming if each[-1].done()]:
            self.coming.remove(each)
            name, lot, which, arrays = each
            self._order(name, lot, which, arrays.arrays())
        due = self._due() if len(self.at_work) < AT_WORK else None
        if due is not None:
            self._start(due)
            return
        for name, lot, found in self.crew.reports(0.0005 if self.at_work or self.coming else 1.0):
            self.busy -= 1
            self._reported(name, lot, found)

    def _due(self) -> int | None:
        """The shape of the next batch: one that waits too long, or is full; if the device would
        have nothing to do and nobody is reading, the one that waits longest."""
        if not self.waiting:
            return None
        oldest = min(self.waiting, key=lambda bucket: self.waiting[bucket][0][2])
        late = self.read - self.waiting[oldest][0][2] > PATIENCE * len(self.crew)
        if late or not (self.reading or self.at_work):
            return oldest
        return next((b for b, count in self.count.items() if count >= self.device.rows(b)), None)

    def _reported(self, name: str, lot: int, found: Any) -> None:
        done, *more = found
        self.lots[lot].done.update(done)
        if name in ("read", "choose"):
            self.reading -= 1
            self.read += name == "read"
            for rows in more[0]:
                self.waiting.setdefault(rows.bucket, deque()).append((lot, rows, self.read))
                self.count[rows.bucket] += len(rows.which)
        elif name == "write":
            batch, begin, which = self.lots[lot].written.popleft()
            if left := more[0]:
                rows = [begin + which.index(i) for i in left]
                self.coming.append(("decode", lot, left, batch.raw(rows, self.device.aside)))

    def _start(self, bucket: int) -> None:
        """Put a batch of a bucket's rows under way; parts stay together, a part too many is cut."""
        room, taken, queue = self.device.rows(bucket), [], self.waiting[bucket]
        while queue and room:
            lot, rows, since = queue.popleft()
            if len(rows.which) > room:
                rest = Rows(bucket, rows.which[room:], rows.packed[room:])
                queue.appendleft((lot, rest, since))
                rows = Rows(bucket, rows.which[:room], rows.packed[:room])
            room -= len(rows.which)
            self.count[bucket] -= len(rows.which)
            taken.append((lot, rows))
        if not queue:
            del self.waiting[bucket], self.count[bucket]
        batch = self.device.start(bucket, stacked([rows.packed for _, rows in taken]))
        self.at_work.append((batch, taken))

    def _hand_back(self, batch: Batch, taken: list[tuple[int, Rows]]) -> None:
        symbols, slots, figures = batch.arrays()
        begin = 0
        for lot, rows in taken:
            part = slice(begin, begin + len(rows.which))
            if rows.which[0] < 0:  # windows: each is read to choose a sentence, which is read again
                raw = batch.raw(list(range(part.start, part.stop)), self.device.aside)
                self.coming.append(("choose", lot, rows.which, raw))
                self.reading += 1
            else:
                self.lots[lot].written.append((batch, begin, rows.which))
                chosen = Chosen(rows.which, symbols[part], slots[part], figures[part])
                self._order("write", lot, chosen)
            begin = part.stop
