"""The decoder benchmark's figures as a page of tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def markdown(found: dict[str, Any], machine: str) -> str:
    """results/decoder.md from what benchmarks/decoder.py measured."""
    first = found["first call"]
    parts = [
        "# Decoders: time, growth, exactness",
        f"{machine}; `{found['command']}`.",
        "Milliseconds a sentence, Python included: median (10th–90th percentile of the runs)."
        " 20 candidates a slot, floor at 80% of the budget.",
        "## Every method",
        table(
            ["slots", "budget", "method", "batch 1", "batch 64, one core", "batch 64, two cores"],
            [
                [r["slots"], r["budget"], r["method"]]
                + [span(r[c]) for c in ("batch 1", "batch 64, one core", "batch 64, two cores")]
                for r in found["methods"]
            ],
        ),
        f"In a new process with a warm cache: `import nacc` {first['import']:.2f} s, then the first"
        f" exact answer {first['first call']:.2f} s.",
        "## Growth",
        "One core; in brackets, the factor by which the time grew while the size varied doubled"
        " (2 is linear).",
        table(
            ["varied", "slots", "budget", "candidates", "bucketed", "exact", "coherent"],
            list(growth(found["growth"])),
        ),
        "## How often the answer is the best",
        "512 sentences each. *Best*: no other path over the candidates scores higher (for"
        " coherent: the same score as with no beam). *Proven*: the decoder itself says so.",
        table(
            ["slots", "budget", "method", "best", "proven over candidates",
             "proven over vocabulary"],
            [
                [r["slots"], r["budget"], r["method"]]
                + [f"{100 * r[c]:.1f}%"
                   for c in ("best", "proven over candidates", "proven over vocabulary")]
                for r in found["quality"]
            ],
        ),
        "## Linked slots",
        "Two slots a word of the source, 20 candidates a slot, expected words and pairs (η = 2,"
        " η₂ = 3), one core, one sentence at a time. *Once*: every second word may come only once.",
        table(
            ["words", "budget", "best", "best, once", "20 best", "eight budgets"],
            [
                [r["words"], r["budget"]]
                + [span(r[c]) for c in ("best", "best, once", "20 best", "eight budgets")]
                for r in found["linked"]
            ],
        ),
        "## What else can be asked for",
        "32 slots, budget 50, one core, one sentence at a time.",
        table(
            ["method", "what", "ms"], [[r["method"], r["what"], span(r)] for r in found["extras"]]
        ),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def span(times: dict[str, float]) -> str:
    return f"{times['ms']:.3f} ({times['p10']:.3f}–{times['p90']:.3f})"


def growth(rows: Sequence[dict[str, Any]]) -> Iterable[list[str]]:
    """Each row's times, with the factor since the row before."""
    before: dict[str, Any] = {"varied": ""}
    for row in rows:
        cells = [str(row[name]) for name in ("varied", "slots", "budget", "candidates")]
        for method in ("bucketed", "exact", "coherent"):
            cell = f"{row[method]['ms']:.3f}"
            if row["varied"] == before["varied"]:
                cell += f" ({row[method]['ms'] / before[method]['ms']:.1f})"
            cells.append(cell)
        before = row
        yield cells


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)
