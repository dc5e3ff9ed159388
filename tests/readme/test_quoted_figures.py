"""The figures that the README, the model card and docs/evaluation.md quote are those of results."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
PAGE = (ROOT / "docs/evaluation.md").read_text("utf-8")
CARD = (ROOT / "src/nacc/weights/default/README.md").read_text("utf-8")
ROUGE = ("r1", "r2", "rl")

SYSTEMS = {"lead": "lead", "the former": "former CTC", "**the packaged": "default"}
SURVEYED = {
    "Gigaword": "gigaword/dev",
    "Reuters, April 2018": "headlines/reuters-2018-04.dev",
    "web news, December 2025": "headlines/web-2025-12.dev",
    "short text, 16 kinds": "short/",
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


@cache
def surveyed(data: str, survey: str = "survey-dev") -> list[dict[str, dict[str, Any]]]:
    """The rows of a survey by their systems, of each data set whose name begins so."""
    file = ROOT / "results" / survey / "survey.json"
    found = json.loads(file.read_text("utf-8"))["data"]
    return [
        {row["system"]: row for row in each["rows"]}
        for each in found
        if each["title"].startswith(data)
    ]


def quoted_of_survey(data: str, system: str, digits: int, survey: str = "survey-dev") -> str:
    """The ROUGE of a system in a survey, the mean over its data sets, as the pages write it."""
    rows = [rows[system] for rows in surveyed(data, survey)]
    return " / ".join(f"{fmean(row[name] for row in rows):.{digits}f}" for name in ROUGE)


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


@pytest.mark.parametrize(("page", "digits"), [(README, 1), (PAGE, 2)], ids=["README", "page"])
def test_the_surveys_table_is_what_was_measured(page: str, digits: int) -> None:
    rows = list(table(page, "", *SURVEYED))
    assert len(rows) == len(SYSTEMS)
    for row, (label, system) in zip(rows, SYSTEMS.items(), strict=True):
        assert row[""].startswith(label)
        for name, data in SURVEYED.items():
            assert row[name].strip("*") == quoted_of_survey(data, system, digits)


def test_the_cards_table_is_what_was_measured() -> None:
    rows = list(table(CARD, "development set", "R-1"))
    assert len(rows) == len(SURVEYED)
    for row, data in zip(rows, SURVEYED.values(), strict=True):
        figures = " / ".join(row[name] for name in ("R-1", "R-2", "R-L"))
        assert figures == quoted_of_survey(data, "default", 2)


@pytest.mark.parametrize(
    ("page", "header", "digits"),
    [(README, "Gigaword test", 1), (PAGE, "Gigaword", 2)],
    ids=["README", "page"],
)
def test_the_test_sets_figures_are_what_was_measured(page: str, header: str, digits: int) -> None:
    told = {"**the packaged": "default", "… ": "style wire"}
    if page is PAGE:
        told |= {"lead": "lead", "the former": "former CTC", "the third stage": "default"}
    sets = {
        header: "gigaword/test",
        "DUC 2004": "duc2004",
        "Reuters, May 2018": "headlines/reuters-2018-05",
        "web news": "headlines/web-2025-12",
    }
    rows = list(table(page, "", header, "DUC 2004"))
    for label, system in told.items():
        row = next(row for row in rows if row[""].startswith(label))
        survey = "survey-test-third-stage" if "third stage" in label else "survey-test"
        for name, data in sets.items():
            if name in row:
                assert row[name].strip("*") == quoted_of_survey(data, system, digits, survey)


def test_the_survey_has_all_kinds_of_short_text() -> None:
    assert len(surveyed("short/")) == 16
    assert all(len(surveyed(data)) == 1 for data in SURVEYED.values() if data != "short/")


def test_what_the_readme_promises_of_all_outputs_was_measured() -> None:
    assert "All of its outputs fit" in README
    for data in SURVEYED.values():
        assert all(rows["default"]["within_budget"] == 1 for rows in surveyed(data))


GRADES = {"runs as it is": "A", "small flaw": "B", "broken": "C", "false": "F"}


@cache
def graded(system: str, budget: str) -> dict[str, str]:
    """The share of each grade, as the pages write it."""
    found = json.loads((ROOT / "results/reading/grades.json").read_text("utf-8"))["grades"]
    counts = {(row["system"], row["budget"]): row["counts"] for row in found}[system, budget]
    return {name: f"{counts[grade] / sum(counts.values()):.0%}" for name, grade in GRADES.items()}


@pytest.mark.parametrize("page", [README, CARD], ids=["README", "card"])
def test_the_grades_are_those_that_were_given(page: str) -> None:
    rows = list(table(page, "characters", *GRADES))
    assert [row["characters"] for row in rows] == ["30", "50", "75"]
    for row in rows:
        found = graded("new", f"{row['characters']} characters")
        assert {name: row[name] for name in GRADES} == found
    for budget in ("30", "50"):
        found = graded("new", f"{budget} characters")
        said = f"At {budget} characters {found['runs as it is']} run as they are and"
        assert f"{said} {found['false']} are false" in " ".join(page.split())


def test_what_is_said_of_the_contrast_set_was_measured() -> None:
    found = json.loads((ROOT / "results/contrast/contrast.json").read_text("utf-8"))["rows"]
    kept = {
        (row["system"], row["budget"]): f"{row['share']:.1%}"
        for row in found
        if row["phenomenon"] == "all"
    }
    for budget, pages in (("30", [PAGE]), ("50", [README, CARD, PAGE]), ("75", [PAGE])):
        said = f"{kept['default', f'{budget} characters']} are kept at {budget} characters"
        assert all(said in " ".join(page.split()) for page in pages)
    former = [kept["CTC, coherent", f"{budget} characters"] for budget in (30, 50, 75)]
    assert "of the former model's {}, {} and {} ".format(*former) in " ".join(PAGE.split())


def test_the_bars_that_the_former_model_met_by_rule_were_measured() -> None:
    assert PAGE.count("% on all seven sets") == 4
    for folder in DATA_AND_BUDGET.values():
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
