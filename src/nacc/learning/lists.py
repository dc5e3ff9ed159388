"""The best answers that a model has for each source, in lists for graders (`judge`, `order`)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path

from nacc.fitting.fit import Fitting
from nacc.fitting.reading import Prompt, opened
from nacc.learning.packing import by_chunks
from nacc.length.budget import Budget
from nacc.summarizer import Summarizer

BUDGETS = {30: 0.4, 50: 0.35, 75: 0.25}
"""Characters that answers are asked for, and how often each."""
LISTED = 40
"""Answers that a list is drawn from: as many as the scorer compares."""
_CHUNK = 50

Rows = list[tuple[str, int, str]]


def lists(folder: Path, sources: Iterable[str], answers: int, processes: int = 1) -> Iterator[Rows]:
    """The rows of each source: itself, a budget drawn by it, an answer, a third of them the best
    by the slots alone and the others drawn from those that follow; none for a source with fewer
    than two answers of the model's own."""
    with by_chunks(partial(_lists, folder, answers), processes, _CHUNK) as listed:
        for done in listed(sources):
            yield from done


def _lists(folder: Path, answers: int, sources: Sequence[str]) -> list[Rows]:
    summarizer = _summarizer(folder)
    return [_rows(summarizer, answers, " ".join(source.split())) for source in sources]


@cache
def _summarizer(folder: Path) -> Summarizer:
    return Summarizer.load(folder)


def _rows(summarizer: Summarizer, answers: int, source: str) -> Rows:
    draw = random.Random(source)
    (amount,) = draw.choices(list(BUDGETS), list(BUDGETS.values()))
    budget, settled = Budget.of(amount), summarizer.settled(None)
    (asked,) = summarizer.before(source, [budget], settled)
    if not isinstance(asked, Prompt) or len(asked.sentence) < len(opened(source)):
        return []  # it needs no model, nothing of it fits, or one sentence of several is told
    (reading,) = summarizer.read_prompts([asked])
    found = list(
        dict.fromkeys(one.text for one in Fitting.of(reading, budget, settled).sound(LISTED))
    )
    first = min(len(found), answers // 3)
    rest = found[first:]
    chosen = sorted(draw.sample(range(len(rest)), min(len(rest), answers - first)))
    texts = [*found[:first], *(rest[i] for i in chosen)]
    return [(source, amount, text) for text in texts] if len(texts) > 1 else []
