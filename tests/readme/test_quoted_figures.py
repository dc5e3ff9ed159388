"""The figures that the README and docs/evaluation.md quote are those of results/evaluation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
PAGE = (ROOT / "docs/evaluation.md").read_text("utf-8")
ROUGE = ("r1", "r2", "rl")

README_SYSTEMS = {"lead": "lead", "greedy, cut": "truncate", "bucketed": "bucketed"}
README_SYSTEMS |= {"exact": "exact", "**coherent": "coherent"}
README_DATA = {
    "Gigaword dev": "gigaword-dev-50",
    "Reuters, May 2018": "reuters-2018-05.test-50",
    "web news, December 2025": "web-2025-12.test-50",
}
DATA_AND_BUDGET = {
    ("Gigaword, dev", "50"): "gigaword-dev-50",
    ("Reuters, April 2018, dev", "50"): "reuters-2018-04.dev-50",
    ("Reuters, May 2018, test", "50"): "reuters-2018-05.test-50",
    ("web, December 2025, dev", "50"): "web-2025-12.dev-50",
    ("web, December 2025, test", "50"): "web-2025-12.test-50",
    ("Gigaword, dev", "75"): "gigaword-dev-75",
    ("Reuters, May 2018, test", "75"): "reuters-2018-05.test-75",
    ("web, December 2025, test", "75"): "web-2025-12.test-75",
    ("sentence compression, test", "75"): "compression.test-75",
    ("DUC 2003", "75 bytes"): "duc2003-75-bytes",
}
UNSUPERVISED = {
    "lead": ("lead", "lead"),
    "search, 8 words (DUC: 13), cut": ("search-8-words", "search-13-words"),
    "search, character-constrained": ("search-50-characters", "search-75-characters"),
}
SCRATCH = "model=runs/scratch-extracts/onnx"
ABLATION = {
    "the paper's, from scratch": ":model=runs/scratch/onnx",
    "over MiniLM": ":model=runs/no-copy/onnx",
    "and copying, in voices": ":model=runs/told/onnx",
}


@cache
def measured(folder: str) -> dict[str, dict[str, Any]]:
    """The rows of an evaluation by their systems."""
    file = ROOT / "results/evaluation" / folder / "evaluation.json"
    return {row["system"]: row for row in json.loads(file.read_text("utf-8"))["rows"]}


def quoted(folder: str, system: str, digits: int) -> str:
    """The ROUGE of a system as the pages write it."""
    row = measured(folder)[system]
    return " / ".join(f"{row[name]:.{digits}f}" for name in ROUGE)


def table(text: str, *header: str) -> Iterator[dict[str, str]]:
    """The rows of the one Markdown table whose header starts so."""
    start = re.escape("|".join(["", *(f" {name} " if name else " " for name in header)]))
    found = re.findall(rf"^({start}.*\n\|[-:| ]+\|\n(?:\|.*\n)+)", text, re.MULTILINE)
    assert len(found) == 1, header
    names, _, *body = (
        [cell.strip() for cell in line[1:-1].split("|")] for line in found[0].splitlines()
    )
    for cells in body:
        yield dict(zip(names, cells, strict=True))


def test_the_readmes_table_is_what_was_measured() -> None:
    rows = list(table(README, "", *README_DATA))
    assert len(rows) == len(README_SYSTEMS)
    for row, (label, system) in zip(rows, README_SYSTEMS.items(), strict=True):
        assert row[""].startswith(label)
        for name, folder in README_DATA.items():
            assert row[name].strip("*") == quoted(folder, system, 1)


def test_what_the_readme_says_of_the_extractive_model_and_the_search_was_measured() -> None:
    folder = "gigaword-dev-50-unsupervised"
    for figures in (
        f"reaches {quoted(folder, 'coherent:model=extractive', 1)} on Gigaword dev",
        f"that search itself {quoted(folder, 'search-50-characters', 1)}.",
    ):
        assert figures in " ".join(README.split())


def test_what_the_readme_promises_of_all_outputs_was_measured() -> None:
    assert "All of the default's outputs fit" in README
    for folder in README_DATA.values():
        row = measured(folder)["coherent"]
        assert row["within_budget"] == 1
        assert row["dangling"] == row["repeating"] == row["invented_numbers"] == 0


@pytest.mark.parametrize(
    ("header", "budget"), [(("data", "pairs"), "50"), (("data", "budget"), None)]
)
def test_the_pages_tables_are_what_was_measured(
    header: tuple[str, ...], budget: str | None
) -> None:
    rows = list(table(PAGE, *header))
    assert len(rows) == 5
    for row in rows:
        folder = DATA_AND_BUDGET[row["data"], budget or row["budget"]]
        for system in ("lead", "truncate", "bucketed", "exact", "coherent"):
            if row.get(system):
                assert row[system].strip("*") == quoted(folder, system, 2)


def test_the_pages_table_without_human_headlines_is_what_was_measured() -> None:
    gigaword, duc = "Gigaword dev, 50 characters, F1", "DUC 2003, 75 bytes, recall"
    rows = list(table(PAGE, "", gigaword))
    assert len(rows) == 11
    for row in rows:
        network, _, method = row[""].rpartition(", ")
        told = f"{method}:{SCRATCH if 'paper' in network else 'model=extractive'}"
        systems = UNSUPERVISED.get(row[""], (told, told))
        for name, folder, system in zip(
            (gigaword, duc), ("gigaword-dev-50", "duc2003-75-bytes"), systems, strict=True
        ):
            assert row[name].strip("*") == quoted(f"{folder}-unsupervised", system, 2)


def test_the_pages_ablation_is_what_was_measured() -> None:
    rows = list(table(PAGE, "network", "words"))
    assert len(rows) == 4
    for row in rows:
        model = next((m for label, m in ABLATION.items() if row["network"].startswith(label)), "")
        folder = "gigaword-dev-50-ablation" if model else "gigaword-dev-50"
        for column in ("bucketed (the paper's)", "exact", "coherent"):
            system = f"{column.split()[0]}{model}"
            assert row[column].strip("*") == quoted(folder, system, 2)
    finetuned = quoted("gigaword-dev-50-finetuned", "coherent:model=runs/gigaword/onnx", 2)
    assert f"the same network reaches {finetuned} with coherence" in PAGE


def test_the_pages_figures_beyond_rouge_are_what_was_measured() -> None:
    rows = list(table(PAGE, "data", "novel words"))
    assert len(rows) == 4
    for row in rows:
        name, comma, budget = row["data"].partition(", 75")
        found = measured(DATA_AND_BUDGET[name, f"75{budget}" if comma else "50"])
        ours, exact = found["coherent"], found["exact"]
        for column, key, shown in (
            ("novel words", "novel_words", "{:.1%}"),
            ("perplexity", "perplexity", "{:.0f}"),
            ("with a grammar fault", "ungrammatical", "{:.1%}"),
        ):
            assert row[column] == f"{shown.format(ours[key])} ({shown.format(exact[key])})"
