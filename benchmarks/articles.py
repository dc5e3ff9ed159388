"""Which sentence of several is told, and what it costs.

python benchmarks/articles.py [MODEL]    (default: the packaged model)

`benchmarks/articles.tsv` has small articles with the number of the sentence that each is about.
Where there is a data folder, news are followed by two others of the same set: what is told is to
be the first of them. Writes results/articles.json and .md: figures only, no text.
"""

from __future__ import annotations

import csv
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from itertools import accumulate
from pathlib import Path

from nacc import Options, Summarizer
from nacc.data.datasets import data_folder, load, locate
from nacc.evaluation import rouge
from nacc.evaluation.tables import piped
from nacc.evaluation.timing import machine
from nacc.text.words import split

ROOT = Path(__file__).resolve().parents[1]
WAYS = ("first", "best", "all")
BUDGETS = (30, 50, 75)
NEWS = {"gigaword-dev": "Gigaword", "reuters-dev": "Reuters, April 2018", "web-dev": "web news"}
TAKEN = 300  # news of each set


def right(model: Summarizer, articles: Sequence[dict[str, str]], way: str) -> dict[str, float]:
    """The share of articles of which most words come from the right sentence: of those where it is
    the first, and of the others; and milliseconds a text."""
    hits, counts = Counter(), Counter()
    started = time.perf_counter()
    for budget in BUDGETS:
        for each in articles:
            said = model.summarize(each["text"], budget, sentences=way, rewrite="always")
            ends = [*accumulate(map(len, split(each["text"]).sentences()))]
            places = [word.source for word in said.words if word.source is not None]
            numbers = Counter(1 + sum(place >= end for end in ends) for place in places)
            kind = "the first" if each["right"] == "1" else "another"
            counts[kind] += 1
            hits[kind] += max(numbers, key=numbers.__getitem__, default=0) == int(each["right"])
    taken = (time.perf_counter() - started) / (len(BUDGETS) * len(articles))
    return {kind: hits[kind] / counts[kind] for kind in sorted(counts)} | {"ms": 1e3 * taken}


def followed(model: Summarizer, name: str, way: str) -> list[float]:
    """ROUGE of news that are followed by two others of the same set."""
    data, draw = load(locate(name)[0]), random.Random(0)
    places = draw.sample(range(len(data)), 3 * TAKEN)
    texts = [
        " ".join(data.sources[place] for place in places[i : i + 3])
        for i in range(0, len(places), 3)
    ]
    options = Options(sentences=way, rewrite="always")
    said = [result.text for [result] in model.each(texts, 50, options, errors="raise")]
    found = rouge.score(said, [data.references[place] for place in places[::3]])
    return [100 * each.f1 for each in (found.rouge1, found.rouge2, found.rougeL)]


def main(folder: str | None = None) -> None:
    model = Summarizer.load(folder)
    with (ROOT / "benchmarks/articles.tsv").open(encoding="utf-8") as stream:
        articles = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    model.summarize(articles[0]["text"])  # compiled by now
    shares = {way: right(model, articles, way) for way in WAYS}
    sets = NEWS if data_folder().is_dir() else {}
    news = {name: {way: followed(model, name, way) for way in WAYS} for name in sets}
    cells = [["sentences", *(f"{k}, right" for k in ("another", "the first")), "ms a text"]]
    for way, found in shares.items():
        both = [f"{100 * found[kind]:.0f}%" for kind in ("another", "the first")]
        cells.append([f"`{way}`", *both, f"{found['ms']:.0f}"])
    lines = [
        f"# Articles\n\n{len(articles)} articles, at 30, 50 and 75 characters:\n",
        *piped(cells),
    ]
    if news:
        table = [["sentences", *(NEWS[name] for name in news)]]
        for way in WAYS:
            rows = [" / ".join(f"{value:.1f}" for value in news[name][way]) for name in news]
            table.append([f"`{way}`", *rows])
        lines += [f"\nNews followed by two others, {TAKEN} of each set, ROUGE:\n", *piped(table)]
    lines += ["", f"{machine()}; `python benchmarks/articles.py`", ""]
    print("\n".join(lines))
    record = {"machine": asdict(machine()), "articles": shares, "news": news}
    (ROOT / "results/articles.json").write_text(json.dumps(record, indent=1) + "\n")
    (ROOT / "results/articles.md").write_text("\n".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
