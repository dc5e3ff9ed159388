"""Batches on the device: rows of numbers in, chosen words out, nothing in between comes back.

On a GPU a batch of a shape is recorded once, network and decoder, and played from then on: the
shapes are few, so the device never waits for Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nacc.decoding.expected import Expected
from nacc.gpu.candidates import FIELDS, Judge, Numbers, Source
from nacc.gpu.decoding import decode
from nacc.gpu.network import DeviceNetwork, Outputs
from nacc.gpu.rows import BUCKETS

MOST_WORDS = 32
"""Of an answer, as it comes back: longer ones are the CPU's."""
SLOTS = 2**16
"""About so many slots a batch: their shares of the vocabulary take four gigabytes in fp16."""


@dataclass(frozen=True, eq=False)
class Found:
    """What a batch came to, on the device: (B, MOST_WORDS) symbols and slots, (B, 2) score and
    expected share, and the lattices in case the CPU is asked after all."""

    symbols: Tensor
    slots: Tensor
    figures: Tensor
    raw: Outputs


class Coming:
    """Tensors on their way from the device; source: what they are copied from, kept until then."""

    def __init__(self, parts: Sequence[Tensor], source: Any = None) -> None:
        self._source = source
        self._parts = tuple(part.to("cpu", non_blocking=True) for part in parts)
        self._ready: Any = None
        if parts[0].is_cuda:
            self._ready = torch.cuda.Event()  # type: ignore[no-untyped-call]
            self._ready.record()

    def done(self) -> bool:
        return self._ready is None or bool(self._ready.query())

    def arrays(self) -> tuple[Any, ...]:
        return tuple(part.numpy() for part in self._parts)


class Batch(Coming):
    """What a batch chose, on its way; and its lattices, where they are asked for."""

    def __init__(self, found: Found, rows: int) -> None:
        super().__init__((found.symbols[:rows], found.slots[:rows], found.figures[:rows]))
        self._raw = found.raw

    def raw(self, rows: list[int], aside: Any) -> Coming:
        """The network's output for some rows; aside: a stream, so that it waits for no batch."""
        raw = self._raw
        with torch.cuda.stream(aside) if aside is not None else nullcontext():
            at = torch.tensor(rows, device=raw.words.device)
            return Coming([part[at] for part in (raw.words, raw.values, raw.links)], raw)


class Device:
    """A network and a judge, and the shapes that were recorded."""

    def __init__(self, network: DeviceNetwork, judge: Judge, *, slots: int = SLOTS) -> None:
        self.network, self.judge, self._slots = network, judge, slots
        self._recorded: dict[int, tuple[Any, Tensor, Found]] = {}
        # What is recorded works in the same memory: one is played at a time, its end copied.
        self._pool = torch.cuda.graph_pool_handle() if network.device.type == "cuda" else None
        fast = network.device.type == "cuda"
        self.aside: Any = torch.cuda.Stream() if fast else None  # type: ignore[no-untyped-call]
        options = judge.options
        self._expected = Expected(options.expected_words, options.expected_pairs)

    def rows(self, bucket: int) -> int:
        """How many sentences make a batch."""
        words, pieces = BUCKETS[bucket]
        fewer = max(1, pieces // (2 * words))  # long pieces: attention's tables grow
        rows = self._slots // (self.network.slots * words * fewer)
        return max(rows // 16 * 16, min(rows, 16), 2)

    def start(self, bucket: int, packed: Numbers) -> Batch:
        """Put a batch of at most `rows` under way."""
        rows = len(packed)
        device = self.network.device
        if device.type != "cuda":
            return Batch(self.forward(torch.from_numpy(packed), BUCKETS[bucket][0]), rows)
        graph, static, found = self._record(bucket)
        host = torch.from_numpy(packed).pin_memory()
        static[:rows].copy_(host, non_blocking=True)
        graph.replay()
        kept = Found(
            found.symbols.clone(), found.slots.clone(), found.figures.clone(),
            Outputs(found.raw.words.clone(), found.raw.values.clone(), found.raw.links.clone()),
        )  # fmt: skip
        return Batch(kept, rows)

    @torch.no_grad()
    def forward(self, packed: Tensor, words: int) -> Found:
        """Network, judgement, decoding."""
        source = Source.of(packed, words)
        raw = self.network(
            source.pieces.long(), source.places.long(), source.length.long(), source.symbols.long()
        )
        lattices = self.judge.lattices(raw, source, self.network.slots)
        answers = decode(lattices, self._expected)
        path = answers.path[:, :MOST_WORDS].long()
        there = torch.arange(MOST_WORDS, device=path.device) < answers.length[:, None]
        there &= (answers.settled & (answers.length <= MOST_WORDS))[:, None]
        said = lattices.words.flatten(1).gather(1, path)
        slots = torch.div(path, lattices.words.shape[2], rounding_mode="floor")
        figures = torch.stack([answers.score, answers.expected], 1)
        return Found(
            torch.where(there, said, -1).int(), torch.where(there, slots, -1).int(),
            figures.float(), raw,
        )  # fmt: skip

    def _record(self, bucket: int) -> tuple[Any, Tensor, Found]:
        if bucket not in self._recorded:
            words, pieces = BUCKETS[bucket]
            width = 2 + len(FIELDS) * words + pieces
            static = torch.zeros((self.rows(bucket), width), dtype=torch.int32)
            static[:, 0] = 1
            static = static.to(self.network.device)
            aside = torch.cuda.Stream()  # type: ignore[no-untyped-call]
            aside.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(aside):  # kernels are compiled, libraries choose theirs
                for _ in range(2):
                    self.forward(static, words)
            torch.cuda.current_stream().wait_stream(aside)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, pool=self._pool):
                found = self.forward(static, words)
            self._recorded[bucket] = (graph, static, found)
        return self._recorded[bucket]


def stacked(parts: list[Numbers]) -> Numbers:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
