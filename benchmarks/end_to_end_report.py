"""What benchmarks/end_to_end.py found, as the page results/end_to_end.md."""

from __future__ import annotations

from typing import Any

import onnxruntime

from decoder_report import span, table

BARS = {"load": 0.5, "cold start": 1.4}


def markdown(found: dict[str, Any], where: str, sentences: int) -> str:
    parts = [
        "# From text to headline on the CPU",
        f"{where}; ONNX Runtime {onnxruntime.__version__}; load average {found['load average']:.1f}"
        f" before the run; `{found['command']}`.",
        f"{sentences} sentences of 15 to 45 words (`benchmarks/news.txt`), 50 characters, packaged"
        " model (int8). Milliseconds a sentence: median (10th–90th percentile of the rounds).",
        *speed_section(found["speed"]),
        *shares_section(found["shares"]),
        *processes_section(found["processes"]),
        *(precisions_section(found["precisions"]) if found["precisions"] else []),
    ]
    return "\n\n".join(parts) + "\n"


def speed_section(rows: list[dict[str, Any]]) -> list[str]:
    return [
        "## Speed",
        table(
            ["threads", "batch", "method", "ms on the wall", "ms of CPU", "sentences/s"],
            [
                [r["threads"] or "all", r["batch"], r["method"], span(r["wall"]), span(r["cpu"]),
                 f"{1e3 / r['wall']['ms']:.0f}"]
                for r in rows
            ],
        ),
    ]  # fmt: skip


def shares_section(rows: list[dict[str, Any]]) -> list[str]:
    return [
        "## Where the time goes",
        "CPU time, one sentence at a time on one core, measured inside `summarize`. *Other*:"
        " splitting, arrays, lattices, weighing, rules, spelling. *Network*: the forward pass and,"
        " where answers are compared, the scorer's.",
        table(
            ["method", "whole", "network", "decoding", "other", "decoding", "all but the network"],
            [
                [r["method"], *(span(r[c]) for c in ("whole", "forward", "decode", "other")),
                 f"{r['decode %']:.1f}%",
                 f"{r['outside forward %']:.1f}%"]
                for r in rows
            ],
        ),
    ]  # fmt: skip


def processes_section(processes: dict[str, dict[str, float]]) -> list[str]:
    def seconds(name: str) -> str:
        return span(processes[name]).replace(".000", "")

    return [
        "## New processes",
        "Seconds; the compiled decoders are in their cache.",
        table(
            ["what", "median (10th–90th percentile)", "bar"],
            [
                ["`import nacc.summarizer`", seconds("import"), ""],
                ["`Summarizer.load()`", seconds("load"), f"≤ {BARS['load']}"],
                ["first answer", seconds("first answer"), ""],
                ["`nacc fit \"…\" --max 50`, whole", seconds("cold start"),
                 f"≤ {BARS['cold start']}"],
                ["the same, CPU time", seconds("cold start CPU"), ""],
            ],
        ),
        f"Peak memory of a process that summarizes batches of 32:"
        f" {processes['peak MB']['ms']:.0f} MB.",
    ]  # fmt: skip


def precisions_section(rows: list[dict[str, Any]]) -> list[str]:
    return [
        "## int8 and fp32",
        "CPU milliseconds a sentence for reading alone (one core; int8 runs sentence by"
        " sentence whatever the batch); how many headlines are the same.",
        table(
            ["precision", "model.onnx", "batch 1", "batch 32", "same as fp32"],
            [
                [r["precision"], f"{r['MB']:.1f} MB", span(r["batch 1"]), span(r["batch 32"]),
                 f"{r['same as fp32 %']:.0f}%"]
                for r in rows
            ],
        ),
    ]  # fmt: skip
