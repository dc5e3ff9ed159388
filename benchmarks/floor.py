"""How fast the network is on one core, and what that costs: model folders side by side.

    python benchmarks/floor.py runs/fp32 runs/static      # beside the packaged model

Each folder's graph reads the sentences of benchmarks/news.txt in turn, one at a time and in batches
of similar length, so that whatever else the machine does disturbs all alike. Milliseconds are of
the CPU, medians over rounds. What a folder's lattices lose is told against the first folder given:
the share of slots with the same best word, and of the same candidates. The last column is the
largest difference that a batch makes to a log-probability.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from nacc.runtime.engine import Engine
from nacc.runtime.folder import PACKAGED
from nacc.text.words import split
from news import news

ROUNDS = 7
BATCH = 4
CHARACTERS = 50


class Folder:
    """One model folder, and the sentences as it reads them, shortest first."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.engine = Engine(path, threads=1)
        keys = [split(text).keys for _, text in news()]
        self.keys = sorted((k[: self.engine.encoder.fitting(k)] for k in keys), key=len)

    def read(self, batch: int) -> list[Any]:
        """The lattices, so many sentences a forward pass."""
        self.engine.batch = batch
        told = [self.engine.told("wire", CHARACTERS)] * len(self.keys)
        return self.engine.lattices(self.keys, told)

    @property
    def size(self) -> float:
        return sum(file.stat().st_size for file in self.path.iterdir()) / 1e6


def cpu(work: Callable[[], object], sentences: int) -> float:
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1e3 / sentences


def best(lattices: list[Any]) -> list[list[tuple[str, ...]]]:
    """Of every slot of every sentence, the candidates, best first."""
    return [
        [tuple(found.keys[word] for word in slot if word >= 0) for slot in found.lattice.words]
        for found in lattices
    ]


def agreement(one: list[Any], other: list[Any]) -> tuple[float, float]:
    """The share of slots with the same best word, and of the candidates that both have."""
    pairs = [
        (a, b)
        for left, right in zip(best(one), best(other), strict=True)
        for a, b in zip(left, right, strict=True)
    ]
    same = np.mean([a[0] == b[0] for a, b in pairs])
    shared = np.mean([len({*a} & {*b}) / len(a) for a, b in pairs])
    return float(same), float(shared)


def apart(one: list[Any], other: list[Any]) -> float:
    """The largest difference of a log-probability, of words or links; infinite if words differ."""
    largest = 0.0
    for a, b in zip(one, other, strict=True):
        if best([a]) != best([b]):
            return float("inf")
        largest = max(largest, float(np.abs(a.lattice.values - b.lattice.values).max()))
    return largest


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folders", type=Path, nargs="+")
    given = [Folder(path) for path in options.parse_args().folders]
    folders = [*given, Folder(PACKAGED / "default")]
    times: dict[tuple[int, int], list[float]] = {}
    for attempt in range(ROUNDS + 1):
        for i, folder in enumerate(folders):
            for batch in (1, BATCH):
                taken = cpu(lambda f=folder, b=batch: f.read(b), len(folder.keys))
                if attempt:  # the first one warms up
                    times.setdefault((i, batch), []).append(taken)
    wanted = folders[0].read(1)
    print(f"| folder | MB | ms | ms, {BATCH} a pass | same best word | same candidates | a batch |")
    print("|---|---|---|---|---|---|---|")
    for i, folder in enumerate(folders):
        alone = folder.read(1)
        ms = [f"{np.median(times[i, batch]):.1f}" for batch in (1, BATCH)]
        same, shared = agreement(wanted, alone)
        print(
            f"| {folder.path.name} | {folder.size:.0f} | {ms[0]} | {ms[1]} | {same:.1%} "
            f"| {shared:.1%} | {apart(alone, folder.read(BATCH)):.0e} |"
        )


if __name__ == "__main__":
    main()
