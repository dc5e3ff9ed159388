"""ROUGE against ROUGE-1.5.5's own answers: ours, another package, and ours with one rule left out.

python benchmarks/rouge.py REFERENCE_RUNS DATA    (folders; default: beside the repository)

Prints the largest difference over R-1, R-2, R-L × precision, recall, F1 in points (0 to 100) and
the time for 2,000 pairs, and writes results/rouge.json and results/rouge.md.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import numpy as np
from rouge_score.rouge_scorer import RougeScorer

from nacc.data.datasets import data_folder, read_lines
from nacc.evaluation import rouge
from nacc.evaluation.timing import machine
from nacc.text.overlap import words
from nacc.text.stem import porter

RESULTS = Path(__file__).resolve().parents[1] / "results"
_KINDS = ("hypotheses", "references")
Means = np.ndarray  # (R-1, R-2, R-L) × (precision, recall, F1)


def ours(hypotheses: list[str], references: list, **options: object) -> Means:
    return rouge.score(hypotheses, references, **options).pairs.mean(axis=0)


def without_exceptions(hypotheses: list[str], references: list[str]) -> Means:
    def stems(text: str) -> str:
        found = words(text, stem=False)
        return " ".join(porter(word) if len(word) > 3 else word for word in found)

    return ours([*map(stems, hypotheses)], [*map(stems, references)], stem=False)


def rouge_score(hypotheses: list[str], references: list[str], *, stem: bool) -> Means:
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=stem)
    scores = [scorer.score(r, h) for h, r in zip(hypotheses, references, strict=True)]
    return np.mean([[tuple(s[k]) for k in ("rouge1", "rouge2", "rougeL")] for s in scores], axis=0)


def cut(text: str) -> str:
    return text.encode()[:75].decode("utf-8", "ignore")


def references_apart(hypotheses: list[str], references: list[tuple[str, ...]]) -> Means:
    columns = zip(*references, strict=True)
    return np.mean([ours(hypotheses, list(column), byte_limit=75) for column in columns], axis=0)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main(runs: Path, data: Path) -> None:
    expected = json.loads((runs / "expected.json").read_text("utf-8"))
    gigaword = [read_lines(runs / f"gigaword-valid.{kind}.txt") for kind in _KINDS]
    columns = [read_lines(data / "duc2003" / f"reference.{i}.txt") for i in range(4)]
    duc = read_lines(runs / "duc2003.hypotheses.txt"), list(zip(*columns, strict=True))
    stemmed, plain, four = (
        "gigaword-valid, -m",
        "gigaword-valid, no stemming",
        "duc2003, four references, -m -b 75",
    )
    found = [
        ("nacc", stemmed, ours(*gigaword)),
        ("nacc", plain, ours(*gigaword, stem=False)),
        ("nacc", four, ours(*duc, byte_limit=75)),
        ("rouge-score, use_stemmer=True", stemmed, rouge_score(*gigaword, stem=True)),
        ("rouge-score, use_stemmer=False", plain, rouge_score(*gigaword, stem=False)),
        ("nacc without WordNet's exceptions", stemmed, without_exceptions(*gigaword)),
        ("nacc, references not cut", four, ours([*map(cut, duc[0])], duc[1])),
        ("nacc, each reference apart", four, references_apart(*duc)),
    ]
    rows = [(name, run, *differences(means, expected[run])) for name, run, means in found]
    twice = [side * 2 for side in gigaword]
    times = {
        "nacc, with intervals": seconds(lambda: rouge.score(*twice)),
        "rouge-score, without": seconds(lambda: rouge_score(*twice, stem=True)),
    }
    report(rows, times)


def differences(means: Means, expected: dict[str, float]) -> tuple[float, float]:
    """The largest difference in points, and that of R-1 F1."""
    theirs = [[expected[f"ROUGE-{m}-{part}"] for part in "PRF"] for m in "12L"]
    off = 100 * (means - np.array(theirs))
    return float(np.abs(off).max()), float(off[0, 2])


def report(rows: list[tuple[str, str, float, float]], times: dict[str, float]) -> None:
    lines = [
        "| | run of ROUGE-1.5.5 | largest difference | R-1 F1 |",
        "| --- | --- | ---: | ---: |",
        *(f"| {name} | {run} | {worst:.3f} | {f1:+.3f} |" for name, run, worst, f1 in rows),
        "",
        "| 2,000 pairs | seconds |",
        "| --- | ---: |",
        *(f"| {name} | {taken:.2f} |" for name, taken in times.items()),
        "",
        f"{machine()}; `python benchmarks/rouge.py`",
    ]
    print("\n".join(lines))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "rouge.md").write_text("\n".join(["# ROUGE against ROUGE-1.5.5", "", *lines, ""]))
    found = {"machine": asdict(machine()), "differences": rows, "seconds_2000_pairs": times}
    (RESULTS / "rouge.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    folders = [Path(argument) for argument in sys.argv[1:]]
    main(*(folders or (data_folder().parent / "rouge", data_folder())))
