"""Text to headline on a GPU: sentences a second of each part and of the whole.

    python benchmarks/gpu.py                     # the packaged model; writes results/gpu.{json,md}
    python benchmarks/gpu.py --model FOLDER --texts FILE --limit 150
    python benchmarks/gpu.py --variants          # ways to do the same beside each other
    python benchmarks/gpu.py --decoding          # 1, 2 and 4 batches as one, nothing else: a minute

One text a line (without --texts: benchmarks/news.txt, over and over), at 50 characters. Every part
writes its figures as soon as it has them; one that fails says so and leaves the others alone.
Medians over rounds.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from gpu_parts import Parts
from gpu_report import markdown
from gpu_variants import JOINED, Compiling, Variants
from nacc.parallel import cores
from news import news

ROOT = Path(__file__).resolve().parent.parent
NEWS = [sentence for _, sentence in news()]
LIMIT, SHORT = 150.0, 60.0  # seconds; of decoding alone


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default=None, help="a packaged model, or a folder")
    parser.add_argument("--weights", type=Path, default=None, help="a folder that training left")
    parser.add_argument("--texts", type=Path, default=None, help="one text a line")
    parser.add_argument("--out", type=Path, default=ROOT / "results")
    parser.add_argument(
        "--limit", type=float, help="seconds, 150, or 60 with --decoding; no part begins later"
    )
    parser.add_argument("--texts-end-to-end", type=int, default=300_000)
    parser.add_argument("--slots", type=int, default=2**16, help="of a batch")
    parser.add_argument("--check", type=int, default=512, help="lattices the CPU decodes too")
    parser.add_argument("--budget", type=int, default=50, help="characters")
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--commit", default="not told", help="of the code, for the report")
    parser.add_argument("--variants", action="store_true", help="batches as one, networks")
    parser.add_argument("--decoding", action="store_true", help="batches as one, nothing else")
    given = parser.parse_args()
    texts = NEWS
    if given.texts:
        texts = [line for line in given.texts.read_text("utf-8").split("\n") if line.strip()]
    given.out.mkdir(parents=True, exist_ok=True)
    limit = given.limit or (SHORT if given.decoding else LIMIT)
    report = Report(given.out, time.perf_counter() + limit)
    cpus = multiprocessing.get_context("spawn").Process(target=compile_kernels, daemon=True)
    cpus.start()  # the CPU decoder's, for the check and what is left to it
    kernels = Compiling()
    parts = Parts(given, texts)
    variants = Variants(parts)
    report.part("machine", parts.machine)
    report.part("load", parts.load)
    report.part("kernels of the rounds", kernels.join)
    report.part("decoding", parts.decoding)
    if given.variants or given.decoding:
        for many in JOINED:
            report.part(f"decoding, {many} batches as one", partial(variants.joined, many))
    report.part("kernels of the CPU decoder", lambda: cpus.join(60))
    report.part("same answers", parts.same_answers)
    if given.variants or given.decoding:
        report.part("rounds, by time", variants.rounds)
        report.part("kernels, by time", variants.where)
    if not given.decoding:
        _others(report, parts, variants)
    parts.close()
    print((given.out / "gpu.md").read_text("utf-8"))


def _others(report: Report, parts: Parts, variants: Variants) -> None:
    """What is not decoding alone."""
    if parts.given.variants:
        report.part("network, variants", variants.network)
    report.part("text to headline", parts.whole)
    report.part("network", parts.network)
    report.part("workers, one core", parts.desk)
    report.part("re-ranking, one core", parts.reranking)
    report.part("re-ranking, the scorer on the device", parts.scorer)
    report.part("network, compiled", parts.compiled)
    report.part("text to headline, compiled", parts.whole)


class Report:
    def __init__(self, out: Path, until: float) -> None:
        self.out, self.until = out, until
        self.found: dict[str, Any] = {}

    def part(self, name: str, work: Callable[[], Any]) -> None:
        start = time.perf_counter()
        if start > self.until:
            self.found[name] = "not begun: out of time"
        else:
            try:
                self.found[name] = work()
            except Exception as error:
                traceback.print_exc()
                self.found[name] = {"failed": f"{type(error).__name__}: {error}"}
        self.found.setdefault("seconds", {})[name] = round(time.perf_counter() - start, 1)
        text = json.dumps(self.found, indent=1, default=float)
        (self.out / "gpu.json").write_text(text + "\n", "utf-8")
        (self.out / "gpu.md").write_text(markdown(self.found), "utf-8")
        print(f"{name}: {json.dumps(self.found[name], default=float)[:1500]}", flush=True)


def compile_kernels() -> None:
    """Have the linked decoder's kernels compiled, which then lie on the disk."""
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    from nacc.decoding import alternatives, decode
    from nacc.decoding.expected import Expected
    from nacc.lattice import Lattice

    links = np.log(np.triu(np.full((4, 4), 0.25)) + 1e-9)
    words = np.array([[0, 1], [1, 2], [0, 2]], np.int32)
    lattice = Lattice(
        words, np.full((3, 2), -0.7), np.full(3, -np.inf), np.full(3, -9.0), None, links
    )
    how: dict[str, Any] = {"method": "linked", "expected": Expected(), "no_dangling": [1]}
    decode(lattice, [3, 4, 5], 12, at_least=2, once=[0, 1, 2], **how)
    alternatives(lattice, [3, 4, 5], 12, 5, at_least=2, once=[0, 1, 2], **how)


if __name__ == "__main__":
    torch.backends.cuda.matmul.allow_tf32 = False
    main()
