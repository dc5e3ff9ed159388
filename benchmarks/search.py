"""The searches: how high a score in how much time, and what the extracts are worth.

python benchmarks/search.py MODEL [DATA]    (DATA: the data folder; default: beside the sources)

On every eighth sentence of gigaword/dev.tsv (499): the mean score and the sentences a second of the
published hill climbing, of the same with fewer starts, and of ascent, at 8, 10 and 13 words and 50
characters; how often each reaches the best score that any of them or climbing with ten times the
starts does. On its sentences of up to 16 words to choose from: how often each finds the optimum of
exhaustive search. On all of it: ROUGE of the extracts, and of those of other settings.

Writes results/search/objective.{json,md} and results/search/quality.{json,md}.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from nacc.data.datasets import data_folder
from nacc.data.pairs import read_pairs
from nacc.evaluation import rouge
from nacc.evaluation.timing import machine
from nacc.search import Extract, SearchModel, SearchSettings, search
from nacc.search.kernels.objective import score_parts
from nacc.search.run import search_problem
from nacc.search.words import candidates
from nacc.text.words import split

RESULTS = Path(__file__).resolve().parents[1] / "results" / "search"
ASKED = {
    "8 words": {"words": 8},
    "10 words": {"words": 10},
    "13 words": {"words": 13},
    "50 characters": {"max_length": 50},
}
SYSTEMS: dict[str, dict[str, Any]] = {
    "climb, as published": {"method": "climb"},
    "climb, 1/10 of the starts": {"method": "climb", "starts": 0.1},
    "climb, 1/100 of the starts": {"method": "climb", "starts": 0.01},
    "ascent": {"method": "ascent"},
}
EVERY, SHORT = 8, 16


def timed(model: SearchModel, texts: Sequence[str], **asked: Any) -> tuple[list[Extract], float]:
    """The extracts, and the sentences a second, everything included but compiling."""
    settings = SearchSettings(**asked)
    list(search(model, texts[:2], settings))
    start = time.perf_counter()
    found = list(search(model, texts, settings))
    return found, len(texts) / (time.perf_counter() - start)


def scores(found: Sequence[Extract]) -> np.ndarray:
    return np.array([extract.score for extract in found])


def against_time(model: SearchModel, texts: Sequence[str]) -> list[dict[str, Any]]:
    rows = []
    for asked, amount in ASKED.items():
        known, _ = timed(model, texts, method="climb", starts=10.0, **amount)
        runs = {name: timed(model, texts, **how, **amount) for name, how in SYSTEMS.items()}
        best = np.max([scores(known), *(scores(found) for found, _ in runs.values())], axis=0)
        for name, (found, rate) in runs.items():
            reached = scores(found)
            rows.append(
                {
                    "asked": asked,
                    "search": name,
                    "score": float(reached.mean()),
                    "best": float((reached >= best - 1e-6).mean()),
                    "rate": rate,
                }
            )
            print(rows[-1], flush=True)
    return rows


@njit
def exhaustive(problem):  # type: ignore[no-untyped-def]
    """The highest score of all ways to keep problem.words words."""
    n = len(problem.costs) - 2
    kept = np.zeros(n + 2, np.bool_)
    best = -np.inf
    for mask in range(1 << n):
        count = 0
        for i in range(n):
            kept[i + 1] = (mask >> i) & 1
            count += (mask >> i) & 1
        if count == problem.words:
            best = max(best, score_parts(problem, kept)[0])
    return best


def against_optimum(model: SearchModel, texts: Sequence[str], words: int = 8) -> dict[str, Any]:
    short = []
    for text in texts:
        said = split(text).words
        chosen = [said[i] for i in candidates(said)]
        if words < len(chosen) <= SHORT:
            problem = search_problem(model, chosen, SearchSettings(words=words))
            short.append((text, exhaustive(problem)))
    optima = np.array([optimum for _, optimum in short])
    found = {"sentences": len(short)}
    for name, how in SYSTEMS.items():
        settings = SearchSettings(words=words, **how)
        reached = scores(list(search(model, [text for text, _ in short], settings)))
        found[name] = float((reached >= optima - 1e-6).mean())
    print(found, flush=True)
    return found


def worth(outputs: Sequence[str], headlines: Sequence[str]) -> list[float]:
    measured = rouge.score(outputs, headlines, resamples=10)
    return [100 * s.f1 for s in (measured.rouge1, measured.rouge2, measured.rougeL)]


def quality(model: SearchModel, rows: Sequence[tuple[str, str]]) -> dict[str, Any]:
    texts, headlines = [text for text, _ in rows], [headline for _, headline in rows]

    def measured(outputs: Sequence[str]) -> dict[str, Any]:
        return {
            "whole": worth(outputs, headlines),
            "cut": worth([output[:50] for output in outputs], headlines),
            "characters": float(np.mean([*map(len, outputs)])),
        }

    systems = {"lead, 8 words": measured([" ".join(text.split()[:8]) for text in texts])}
    for asked, amount in ASKED.items():
        found = search(model, texts, SearchSettings(**amount))
        systems[f"search, {asked}"] = measured([extract.text for extract in found])
    other = {f"SIM^{weight:g}": replace(model, weight_sim=weight) for weight in (6.0, 18.0, 24.0)}
    for likeness in (0.0, 0.5, 1.0):
        other[f"likeness {likeness:g}"] = replace(model, likeness=likeness)
    for name, changed in other.items():
        outputs = [e.text for e in search(changed, texts, SearchSettings(words=8))]
        systems[f"search, 8 words, {name}"] = measured(outputs)
    print(systems, flush=True)
    return systems


def table(head: str, lines: Sequence[Sequence[str]]) -> list[str]:
    columns = head.split(" | ")
    marks = ["---", *["---:"] * (len(columns) - 1)]
    return [f"| {' | '.join(line)} |" for line in [columns, marks, *lines]]


def write(name: str, title: str, found: dict[str, Any], lines: Sequence[str]) -> None:
    here, busy = machine(), os.getloadavg()[0]
    note = f"{here}, load average {busy:.1f}; `python benchmarks/search.py MODEL`"
    text = "\n".join([f"# {title}", "", *lines, "", note, ""])
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{name}.md").write_text(text, "utf-8")
    whole = {"machine": asdict(here), "load": busy, **found}
    (RESULTS / f"{name}.json").write_text(json.dumps(whole, indent=1) + "\n", "utf-8")
    print(text)


def main(path: Path, data: Path) -> None:
    model = SearchModel.load(path)
    rows = list(read_pairs(data / "gigaword" / "dev.tsv"))
    texts = [source for source, _ in rows]
    times = against_time(model, texts[::EVERY])
    optima = against_optimum(model, texts)
    lines = table(
        "asked · search | mean score | best known reached | sentences/s",
        [
            [
                f"{r['asked']} · {r['search']}",
                f"{r['score']:.4f}",
                f"{r['best']:.1%}",
                f"{r['rate']:,.0f}",
            ]
            for r in times
        ],
    )
    lines += ["", f"{optima['sentences']} sentences of up to {SHORT} words to choose 8 from:", ""]
    lines += table("search | optimum found", [[name, f"{optima[name]:.1%}"] for name in SYSTEMS])
    write("objective", "Search: score against time", {"time": times, "optimum": optima}, lines)
    systems = quality(model, rows)
    lines = table(
        "extracts | R-1 / R-2 / R-L | cut at 50 characters | characters",
        [
            [
                name,
                *(" / ".join(f"{value:.2f}" for value in s[k]) for k in ("whole", "cut")),
                f"{s['characters']:.1f}",
            ]
            for name, s in systems.items()
        ],
    )
    title = f"Search: ROUGE F1 on gigaword/dev.tsv, {len(rows):,} sentences"
    write("quality", title, {"systems": systems}, lines)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else data_folder())
