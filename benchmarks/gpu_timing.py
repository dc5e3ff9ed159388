"""How benchmarks/gpu.py runs, times and checks its parts."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
import torch

from nacc.decoding import decode as cpu_decode
from nacc.decoding.expected import Expected
from nacc.gpu.candidates import Judge, Source
from nacc.gpu.lattices import Lattices
from nacc.gpu.network import DeviceNetwork, Outputs
from nacc.gpu.rows import Chosen, Rows
from nacc.lattice import NO_WORD, Lattice

ROUNDS = 9


_graphs: list[Any] = []
"""Recordings work in the same memory, which is theirs as long as one of them lives."""


def recorded(work: Callable[[], Any], device: torch.device) -> tuple[Callable[[], Any], Any]:
    """How to run it again, and what it gave; on a GPU as a recording."""
    if device.type != "cuda":
        return work, work()
    aside = torch.cuda.Stream()
    aside.wait_stream(torch.cuda.current_stream())
    with torch.no_grad(), torch.cuda.stream(aside):
        for _ in range(2):
            work()
    torch.cuda.current_stream().wait_stream(aside)
    graph = torch.cuda.CUDAGraph()
    with torch.no_grad(), torch.cuda.graph(graph, pool=_graphs[0].pool() if _graphs else None):
        found = work()
    _graphs.append(graph)
    graph.replay()
    torch.cuda.synchronize()
    return graph.replay, found


def timed(run: Callable[[], Any], device: torch.device) -> float:
    """Seconds, the median."""
    if device.type != "cuda":
        start = time.perf_counter()
        run()
        return time.perf_counter() - start
    spent = []
    for _ in range(ROUNDS):
        torch.cuda.synchronize()
        start = time.perf_counter()
        run()
        torch.cuda.synchronize()
        spent.append(time.perf_counter() - start)
    return median(spent)


def run_network(network: DeviceNetwork, s: Source) -> Outputs:
    return network(s.pieces.long(), s.places.long(), s.length.long(), s.symbols.long())


def on_cpu(lattices: Lattices, row: int, judge: Judge) -> tuple[list[int], float]:
    """The words and score of the CPU decoder's answer to one of the device's lattices."""
    S = int(lattices.slots[row])
    symbols = lattices.words[row, :S].cpu().numpy()
    values = lattices.values[row, :S].cpu().numpy().astype(np.float64)
    weights, flags = (t[row, :S].cpu().numpy() for t in (lattices.weights, lattices.flags))
    links = lattices.links[row].cpu().numpy().astype(np.float64)
    links = links[: S + 1, [*range(S), links.shape[1] - 1]]
    names, local = np.unique(symbols, return_inverse=True)
    local = local.reshape(symbols.shape)
    heavy, kind = np.zeros(len(names), np.int64), np.zeros(len(names), np.int64)
    heavy[local], kind[local] = weights, flags
    words = np.where(values > -np.inf, local, NO_WORD)
    nothing = np.full(S, -np.inf)
    options = judge.options
    answer = cpu_decode(
        Lattice(words, values, nothing, nothing, links=links), heavy, lattices.high,
        at_least=int(lattices.lows[row]), method="linked",
        expected=Expected(options.expected_words, options.expected_pairs),
        no_dangling=np.flatnonzero((kind & 1) == 0).tolist(),
        once=np.flatnonzero(kind & 2).tolist(),
    )  # fmt: skip
    return [int(names[i]) for i in answer.tokens], answer.score


def as_chosen(rows: Rows, lattices: Lattices, answers: Any) -> Chosen:
    """The device's answers as a desk gets them, for a sample's rows."""
    n = min(len(rows.which), len(lattices.slots))
    path = answers.path[:n, :32].long()
    there = (torch.arange(32, device=path.device) < answers.length[:n, None]) & answers.settled[
        :n, None
    ]
    said = lattices.words[:n].flatten(1).gather(1, path)
    figures = torch.stack([answers.score[:n], answers.expected[:n]], 1).float()
    slots = path // lattices.words.shape[2]
    parts = (torch.where(there, said, -1), torch.where(there, slots, -1))
    symbols, at = (part.int().cpu().numpy() for part in parts)
    return Chosen(rows.which[:n], symbols, at, figures.cpu().numpy())
