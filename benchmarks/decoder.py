"""How long the decoders take, how that grows, and how good they are at their own objective.

    python benchmarks/decoder.py            # writes results/decoder.json and results/decoder.md

Lattices come from benchmarks/sentences.py. Times are milliseconds a sentence, Python included:
the median over repetitions, and the 10th and 90th percentile.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from decoder_report import markdown
from nacc.decoding import (
    Bigrams,
    Coherence,
    Decoded,
    alternatives,
    decode,
    decode_batch,
    decode_budgets,
)
from nacc.decoding.expected import Expected
from nacc.evaluation.timing import machine
from sentences import Language, Sentence

ROOT = Path(__file__).resolve().parent.parent
METHODS = ("greedy", "bucketed", "exact", "coherent")
SIZES = ((32, 50), (32, 75), (64, 120), (128, 280))
BATCH = 64
FULL = 0.8  # the floor: this share of the budget is to be used
LAMBDA = 0.12
EXPECTED = Expected(words=2.0, pairs=3.0)
LINKED_SIZES = ((16, 50), (32, 50), (64, 50), (128, 50), (32, 25), (32, 100), (32, 200))
FIRST_CALL = """
import time; start = time.perf_counter()
import nacc; imported = time.perf_counter()
nacc.decode([[-1.0, -0.5, -2.0]] * 8, [0, 3, 4], 20)
print(imported - start, time.perf_counter() - imported)
"""


def timed(work: Callable[[], object], sentences: int, seconds: float = 0.7) -> dict[str, float]:
    """Milliseconds a sentence: run for about `seconds`, at least five times."""
    work()
    runs: list[float] = []
    while len(runs) < 5 or sum(runs) < seconds:
        start = time.perf_counter()
        work()
        runs.append(time.perf_counter() - start)
    low, median, high = np.percentile(np.array(runs) * 1e3 / sentences, [10, 50, 90])
    return {"ms": float(median), "p10": float(low), "p90": float(high)}


class Bench:
    def __init__(self) -> None:
        self.language = Language()
        self.bigrams: Bigrams = self.language.bigrams()

    def sentences(self, slots: int, top_k: int = 20, count: int = BATCH) -> list[Sentence]:
        return [self.language.sentence(slots, top_k, self.bigrams) for _ in range(count)]

    def options(
        self, sentences: Sequence[Sentence], method: str, budget: int, beam: int | None = 32
    ) -> list[dict[str, Any]]:
        """The keyword arguments of decode for every sentence."""
        coherent = method == "coherent"
        return [
            {
                "method": method,
                "at_least": int(FULL * budget),
                "coherence": Coherence(self.bigrams, s.ids, LAMBDA, beam) if coherent else None,
            }
            for s in sentences
        ]

    def alone(self, sentences: Sequence[Sentence], method: str, budget: int) -> list[Decoded]:
        options = self.options(sentences, method, budget)
        return [
            decode(s.lattice, s.weights, budget, **given)
            for s, given in zip(sentences, options, strict=True)
        ]

    def batch(
        self,
        sentences: Sequence[Sentence],
        method: str,
        budget: int,
        threads: int,
        beam: int | None = 32,
    ) -> list[Decoded]:
        given = self.options(sentences, method, budget, beam)
        return decode_batch(
            [s.lattice for s in sentences],
            [s.weights for s in sentences],
            budget,
            method=method,
            at_least=int(FULL * budget),
            coherence=[g["coherence"] for g in given] if method == "coherent" else None,
            threads=threads,
        )

    def methods(self) -> list[dict[str, Any]]:
        rows = []
        for slots, budget in SIZES:
            sentences = self.sentences(slots)
            for method in METHODS:
                work = {
                    "batch 1": lambda m=method, s=sentences, b=budget: self.alone(s, m, b),
                    "batch 64, one core": lambda m=method, s=sentences, b=budget: self.batch(
                        s, m, b, 1
                    ),
                    "batch 64, two cores": lambda m=method, s=sentences, b=budget: self.batch(
                        s, m, b, 2
                    ),
                }
                times = {name: timed(run, BATCH) for name, run in work.items()}
                rows.append({"slots": slots, "budget": budget, "method": method, **times})
        return rows

    def growth(self) -> list[dict[str, Any]]:
        """One size at a time, the others at 64 slots, budget 100 and 20 candidates."""
        rows = []
        sizes = [("slots", n, 20, 100) for n in (16, 32, 64, 128, 256)]
        sizes += [("budget", 64, 20, n) for n in (25, 50, 100, 200, 400)]
        sizes += [("candidates", 64, n, 100) for n in (5, 10, 20, 40, 80)]
        for varied, slots, top_k, budget in sizes:
            sentences = self.sentences(slots, top_k, 16)
            row: dict[str, Any] = {
                "varied": varied, "slots": slots, "budget": budget, "candidates": top_k
            }  # fmt: skip
            for method in ("bucketed", "exact", "coherent"):
                row[method] = timed(
                    lambda m=method, s=sentences, b=budget: self.batch(s, m, b, 1), 16, 0.3
                )
            rows.append(row)
        return rows

    def quality(self) -> list[dict[str, Any]]:
        """Of 512 sentences, how often is each method's answer the best, and known to be?"""
        rows = []
        for slots, budget in SIZES[:3]:
            sentences = self.sentences(slots, count=512)
            exact = self.batch(sentences, "exact", budget, 2)
            unlimited = self.batch(sentences, "coherent", budget, 2, None)
            answers = {
                name: (self.batch(sentences, name, budget, 2), exact)
                for name in ("greedy", "bucketed", "exact")
            }
            for beam in (1, 2, 4, 8, 16, 32):
                found = self.batch(sentences, "coherent", budget, 2, beam)
                answers[f"coherent, beam {beam}"] = (found, unlimited)
            for name, (found, best) in answers.items():
                pairs = list(zip(found, best, strict=True))
                rows.append({
                    "slots": slots, "budget": budget, "method": name,
                    "best": float(np.mean([
                        f.floor_met == b.floor_met and f.score >= b.score - 1e-9 for f, b in pairs
                    ])),
                    "proven over candidates": float(np.mean([f.exact for f in found])),
                    "proven over vocabulary": float(np.mean([f.optimal for f in found])),
                })  # fmt: skip
        return rows

    def linked(self) -> list[dict[str, Any]]:
        """Linked slots, two a word, by words and budget; every second word may come only once."""
        rows = []
        for words, budget in LINKED_SIZES:
            sentences = [self.language.linked_sentence(words, 20, self.bigrams) for _ in range(16)]
            given: dict[str, Any] = {
                "method": "linked", "at_least": int(FULL * budget), "expected": EXPECTED
            }  # fmt: skip
            work: dict[str, Callable[[Sentence], object]] = {
                "best": lambda s, b=budget, g=given: decode(s.lattice, s.weights, b, **g),
                "best, once": lambda s, b=budget, g=given: decode(
                    s.lattice, s.weights, b, once=range(0, len(s.weights), 2), **g
                ),
                "20 best": lambda s, b=budget, g=given: alternatives(
                    s.lattice, s.weights, b, 20, **g
                ),
                "eight budgets": lambda s, b=budget, g=given: decode_budgets(
                    s.lattice, s.weights, [b * n // 8 for n in range(1, 9)], **{**g, "at_least": 0}
                ),
            }
            times = {
                name: timed(lambda r=run, e=sentences: [r(s) for s in e], len(sentences), 0.3)
                for name, run in work.items()
            }
            rows.append({"words": words, "budget": budget, **times})
        return rows

    def extras(self) -> list[dict[str, Any]]:
        """What the other things one can ask for cost, at (32, 50)."""
        sentences = self.sentences(32)
        rows = []
        for method in ("exact", "coherent"):
            given = self.options(sentences, method, 50)
            work: dict[str, Callable[[Sentence, dict[str, Any]], object]] = {
                "plain": lambda s, g: decode(s.lattice, s.weights, 50, **g),
                "one required word": lambda s, g: decode(
                    s.lattice, s.weights, 50, required=[int(s.lattice.words[5, 0])], **g
                ),
                "no_dangling": lambda s, g: decode(
                    s.lattice, s.weights, 50, no_dangling=range(0, len(s.weights), 4), **g
                ),
                "once, every word": lambda s, g: decode(
                    s.lattice, s.weights, 50, once=range(len(s.weights)), **g
                ),
                "eight budgets at once": lambda s, g: decode_budgets(
                    s.lattice, s.weights, range(15, 51, 5), **{**g, "at_least": 0}
                ),
                "ten alternatives": lambda s, g: alternatives(s.lattice, s.weights, 50, 10, **g),
            }
            for name, run in work.items():
                everything = [(s, g) for s, g in zip(sentences, given, strict=True)]
                times = timed(lambda r=run, e=everything: [r(s, g) for s, g in e], BATCH, 0.3)
                rows.append({"method": method, "what": name, **times})
        return rows


def first_call() -> dict[str, float]:
    """Seconds to import nacc and to the first answer, in a new process with a warm cache."""
    runs = []
    for _ in range(8):
        answer = subprocess.run(
            [sys.executable, "-c", FIRST_CALL], capture_output=True, text=True, check=True
        )
        runs.append([float(part) for part in answer.stdout.split()])
    imported, called = np.median(runs[1:], axis=0)
    return {"import": float(imported), "first call": float(called)}


def main() -> None:
    bench = Bench()
    found = {
        "machine": asdict(machine()),
        "command": "python benchmarks/decoder.py",
        "methods": bench.methods(),
        "growth": bench.growth(),
        "quality": bench.quality(),
        "linked": bench.linked(),
        "extras": bench.extras(),
        "first call": first_call(),
    }
    text = markdown(found, str(machine()))
    results = ROOT / "results"
    (results / "decoder.json").write_text(json.dumps(found, indent=1) + "\n")
    (results / "decoder.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
