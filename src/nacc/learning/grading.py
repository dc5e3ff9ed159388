"""Answers with grades (A runs as it is … F is false), in lists of one source's: what they are
worth, and in which order they should stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from zlib import crc32

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor

from nacc.data.lines import lines_of
from nacc.data.pairs import MAX_SOURCE_WORDS
from nacc.errors import InvalidInput
from nacc.text.overlap import overlap

WORTH = {"A": 1.0, "B": 0.35, "C": 0.0, "F": -1.0}
"""What a grade is worth …"""
SHARP = 0.25
"""… and the difference that makes one answer e times as right as another."""
NATS = 4.0
"""The difference in score that is taken for as much: as lists differ before anything is learnt."""
RISK = 2.0
"""How much counts, beside the order, what the answer that would be chosen is worth …"""
CHOOSING = 2.0
"""… if an answer is e times as likely to be chosen for so many nats more."""
RUNS = 0.75
"""What is worth as much runs as it is: a grade of A, or one that a judge is as good as sure of."""
HELD_OUT = 12
"""Of one source in so many the lists are kept from learning: they tell what was learnt."""
_NEVER = -1e4


@dataclass(frozen=True)
class Graded:
    """Of the answers in a batch, those to a source side by side: which source each is of, (R,),
    what it is worth, (R,), and the first one to each source, (L,)."""

    of: Tensor
    worth: Tensor
    first: Tensor

    @property
    def best(self) -> Tensor:
        """(R,) what counts of answers that run as they are: of each list as much, and more of what
        is worth more."""
        run = torch.where(self.worth >= RUNS, torch.exp(self.worth / SHARP), 0.0)
        each = torch.zeros_like(self.first, dtype=run.dtype).index_add(0, self.of, run)
        return run / each.clamp(min=1)[self.of]


@dataclass(frozen=True)
class Choice:
    """Of lists: how often the first by score is worth a whole, and false; and the mean worth."""

    best: float
    false: float
    worth: float

    @classmethod
    def of(cls, chosen: Sequence[float]) -> Choice:
        """chosen: what the first of each list is worth."""
        worth = np.array(chosen or [np.nan])
        best, false = worth >= RUNS, worth <= -RUNS
        return cls(float(best.mean()), float(false.mean()), float(worth.mean()))

    def __str__(self) -> str:
        return f"the first is an A in {self.best:.1%}, false in {self.false:.1%}"


def order_loss(scores: Tensor, counts: Tensor, graded: Graded) -> Tensor:
    """How far the lists' scores are from their grades' order, and what they would choose: the mean
    over the lists. counts: which of the answers have a score."""
    lists = torch.arange(len(graded.first), device=scores.device)
    here = (graded.of == lists[:, None]) & counts
    worth = graded.worth.masked_fill(~here, _NEVER)
    aim = torch.softmax(worth / SHARP, 1)
    table = scores.float().masked_fill(~here, _NEVER)
    order = -(aim * F.log_softmax(table / NATS, 1)).sum(1)
    chosen = (torch.softmax(table / CHOOSING, 1) * worth.masked_fill(~here, 0.0)).sum(1)
    return (order - RISK * chosen).mean()


def nearer(rows: Iterable[tuple[str, str]], counts: float) -> Iterator[str]:
    """Rows of graded answers, each beside the headline that people wrote: what an answer is worth
    in its grade's place, the less, the less it has in common with that headline than the one of its
    list that has most. Many say something that runs; editors choose what is said."""
    for (*_, headline), same in groupby(rows, key=lambda each: (*each[0].split("\t")[:2], each[1])):
        cells = [row.split("\t") for row, _ in same]
        if any(len(each) != 4 or worth_of(each[3]) is None for each in cells):
            raise InvalidInput("only graded answers are worth the more, the nearer they are")
        alike = [float(overlap(answer, [headline])[:, 2].mean()) for _, _, answer, _ in cells]
        for (*row, grade), share in zip(cells, alike, strict=True):
            worth = (worth_of(grade) or 0.0) - counts * (max(alike) - share)
            yield "\t".join([*row, f"{max(worth, min(WORTH.values())):.2f}"])


def is_held_out(words: Sequence[str]) -> bool:
    """Are the lists of the source with these words kept from learning?"""
    return crc32(" ".join(words[:MAX_SOURCE_WORDS]).encode()) % HELD_OUT == 0


def worth_of(grade: str) -> float | None:
    """What a grade is worth, or a number that says so itself (`judge`); None if it is neither."""
    with suppress(ValueError):
        return WORTH[grade] if grade in WORTH else _within(float(grade))
    return None


def _within(worth: float) -> float | None:
    return worth if min(WORTH.values()) <= worth <= max(WORTH.values()) else None


def read_lists(path: Path) -> Iterator[tuple[str, int, list[tuple[str, str]]]]:
    """(source, budget, [(answer, grade), …]) of a .tsv file with a row an answer: source, budget,
    answer, grade, or what it is worth; the rows of a list stand together."""

    def rows() -> Iterator[tuple[str, int, str, str]]:
        for number, line in enumerate(lines_of(path), 1):
            cells = line.rstrip("\n").split("\t")
            if len(cells) != 4 or not cells[1].isdigit() or worth_of(cells[3]) is None:
                raise InvalidInput(
                    f"{path}, line {number}: wanted source, budget, answer and a grade of "
                    f"{', '.join(WORTH)} (or a number from -1 to 1), separated by tabs"
                )
            yield cells[0], int(cells[1]), cells[2], cells[3]

    for (source, budget), same in groupby(rows(), key=lambda row: row[:2]):
        yield source, budget, [(answer, grade) for *_, answer, grade in same]
