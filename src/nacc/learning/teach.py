"""A language model learns from the good headlines of a file, then writes one for every source.

The file has a source and a headline a line, the headline empty where the human one is not in its
source's own words (`own_words`). What comes of it is a file of pairs like any other, or one of
lists of answers, for a judge to choose from (`judge`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from nacc.data.pairs import read_pairs
from nacc.errors import InvalidInput
from nacc.learning import gguf
from nacc.learning.lessons import without_clause
from nacc.learning.own_words import Row, choose_all
from nacc.learning.writer import Teaching, Writer
from nacc.runtime.folder import lines
from nacc.text.words import key

_LENGTHS = ((20, 1), (25, 2), (30, 4), (35, 3), (40, 3), (45, 4), (50, 4), (55, 2), (60, 2),
            (65, 2), (70, 2), (75, 2), (80, 1))  # fmt: skip
"""Characters asked for, and how often: short ones are what human headlines teach least."""

BUDGETS = (30, 50, 75, 120)
"""Characters that answers are graded for: a headline is for the first that holds it."""

Show = Callable[[dict[str, float]], None]


@dataclass(frozen=True)
class Writing:
    """How headlines are written: so many are looked at for each source; the best that has at most
    `new` words that are not of the source is taken, or, in lists, all that do. Headlines that hold
    a shorter one of at most `cut` characters are learnt from as that, too."""

    beams: int = 4
    new: int = 1
    lists: bool = False
    cut: int = 44
    batch: int = 768
    seed: int = 1
    processes: int = 1


def teach(
    model: Path,
    rows: Path,
    words: Path,
    out: Path,
    device: torch.device,
    teaching: Teaching,
    writing: Writing,
    show: Show = lambda report: None,
) -> int:
    """Write `out`; gives how many rows it has. words: the vocabulary, as it is usually written."""
    usual = {key(form): form for form in lines(words)}
    known = list(read_pairs(rows))
    good = [(source, headline) for source, headline in known if headline]
    if not good:
        raise InvalidInput(f"{rows} has no headline to learn from")
    writer = Writer.of(gguf.read(model))
    writer.teach([*good, *_shortened(good, writing.cut)], teaching, device, show)
    count = 0
    with out.open("w", encoding="utf-8") as file:
        written = _written(writer, list(dict.fromkeys(s for s, _ in known)), device, writing, show)
        for source, headline in choose_all(written, usual, writing.new, writing.processes):
            if headline:
                cells = (source, str(budget_of(headline)), headline)
                file.write("\t".join(cells if writing.lists else cells[::2]) + "\n")
                count += 1
    return count


def budget_of(headline: str) -> int:
    """The first of the budgets that holds it."""
    return next((budget for budget in BUDGETS if len(headline) <= budget), BUDGETS[-1])


def _shortened(pairs: Iterable[tuple[str, str]], cut: int) -> Iterator[tuple[str, str]]:
    """Headlines that hold a shorter one of at most `cut` characters, cut to that."""
    for source, headline in pairs:
        words = headline.split()
        if left := without_clause([word.lower() for word in words], cut):
            yield source, " ".join(words[:left]).rstrip(",;")


def _written(
    writer: Writer, sources: list[str], device: torch.device, writing: Writing, show: Show
) -> Iterator[Row]:
    """Every source with the headlines written for it; in lists, with one at a time."""
    draw = np.random.default_rng(writing.seed)
    sizes, often = zip(*_LENGTHS, strict=True)
    lengths = draw.choice(sizes, len(sources), p=np.array(often) / sum(often)).tolist()
    found = writer.write(sources, lengths, device, writing.beams, writing.batch)
    for done, (row, headlines) in enumerate(found, 1):
        if writing.lists:
            yield from ((sources[row], [headline]) for headline in dict.fromkeys(headlines))
        else:
            yield sources[row], headlines
        if done % 10_000 == 0:
            show({"written": done, "done": done / len(sources)})
