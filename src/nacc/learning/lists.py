"""The best answers that a model has for each source, in lists for graders (`judge`, `order`)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path

from nacc.errors import NaccError
from nacc.learning.packing import chunks
from nacc.summarizer import Summarizer

BUDGETS = {30: 0.4, 50: 0.35, 75: 0.25}
"""Characters that answers are asked for, and how often each."""
_CHUNK = 50

Rows = list[tuple[str, int, str]]


def lists(folder: Path, sources: Iterable[str], answers: int, processes: int = 1) -> Iterator[Rows]:
    """The rows of each source: itself, a budget drawn by it, an answer; none for a source with
    fewer than two answers of the model's own."""
    job = partial(_lists, folder, answers)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for done in pool.map(job, chunks(sources, _CHUNK)):
            yield from done


def _lists(folder: Path, answers: int, sources: Sequence[str]) -> list[Rows]:
    summarizer = _summarizer(folder)
    return [_rows(summarizer, answers, " ".join(source.split())) for source in sources]


@cache
def _summarizer(folder: Path) -> Summarizer:
    return Summarizer.load(folder)


def _rows(summarizer: Summarizer, answers: int, source: str) -> Rows:
    draw = random.Random(source)
    (budget,) = draw.choices(list(BUDGETS), list(BUDGETS.values()))
    try:
        found = summarizer.alternatives(source, answers, max_length=budget)
    except NaccError:  # nothing of it fits
        return []
    rows = [(source, budget, one.text) for one in found if one.method == "linked"]
    return rows if len(rows) > 1 else []
