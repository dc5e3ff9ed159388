"""A language model learns from graded answers to grade others.

People and large language models can grade some thousand lists; what has learnt from those can grade
a million, for a small scorer to learn from (`order`), or to choose what a writer wrote (`teach`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from numpy.typing import NDArray

from nacc.data.lines import lines_of
from nacc.errors import InvalidInput
from nacc.learning.grading import HELD_OUT, WORTH, Choice
from nacc.learning.packing import chunks
from nacc.learning.writer import LONGEST, Teaching, Writer

GRADES = "".join(WORTH)
_BATCH_TOKENS = 65_536
_AT_ONCE = 10_000  # lists
_SIMILAR = 500  # rows further on, sorted, that are hardly longer

Answers = tuple[str, int, Sequence[str]]
"""A source, a budget, and answers."""
Shares = NDArray[np.float32]


@dataclass(frozen=True)
class Judged:
    """An answer with its most probable grade, and what its grades are worth on average."""

    source: str
    budget: int
    answer: str
    grade: str
    worth: float


class Judge:
    def __init__(self, writer: Writer, device: torch.device) -> None:
        self._writer, self._device = writer, device
        self._grades = [found.ids for found in writer.tokenizer.encode_batch(list(GRADES))]
        if any(len(ids) != 1 for ids in self._grades):
            raise InvalidInput("a grade has to be one token of the language model")

    def learn(
        self,
        lists: Iterable[tuple[str, int, list[tuple[str, str]]]],
        how: Teaching,
        show: Callable[[dict[str, float]], None] = lambda report: None,
    ) -> Choice:
        """Learn from lists of answers with grades; gives what it would put first in those that
        were held out, one in HELD_OUT, of which something is worth more than something else."""
        known = list(lists)
        held_out = [
            (source, budget, graded)
            for source, budget, graded in known[::HELD_OUT]
            if len({grade for _, grade in graded}) > 1
        ]
        rows = [
            (self._told(source, budget, answer), self._grades[GRADES.index(grade)])
            for i, (source, budget, graded) in enumerate(known)
            if i % HELD_OUT
            for answer, grade in graded
        ]
        if not rows:
            raise InvalidInput("there is no list to learn from")
        asked = [ids.ids for ids in self._writer.tokenizer.encode_batch([told for told, _ in rows])]
        self._writer.learn(asked, [said for _, said in rows], how, self._device, show)
        return self._choice(held_out)

    def judge(self, lists: Iterable[Answers]) -> Iterator[list[Judged]]:
        """Every list with its answers graded, but for those that are too long to read."""
        for part in chunks(lists, _AT_ONCE):
            told = [self._told(s, b, answer) for s, b, answers in part for answer in answers]
            shares = iter(self._shares(told))
            for source, budget, answers in part:
                each = zip(answers, islice(shares, len(answers)), strict=True)
                yield [
                    Judged(source, budget, answer, GRADES[share.argmax()], float(share @ _WORTHS))
                    for answer, share in each
                    if share[0] >= 0
                ]

    def _told(self, source: str, budget: int, answer: str) -> str:
        return f"{source}\n{budget}: {answer}\n"

    @torch.inference_mode()
    def _shares(self, told: Sequence[str]) -> Shares:
        """(n, grades) how probable each is; −1 for what is too long."""
        asked = [found.ids for found in self._writer.tokenizer.encode_batch(list(told))]
        order = sorted((len(ids), i) for i, ids in enumerate(asked) if len(ids) <= LONGEST)
        shares = np.full((len(told), len(GRADES)), -1, np.float32)
        network = self._writer.network.to(self._device).eval()
        grades = torch.tensor(self._grades, device=self._device)[:, 0]
        begin = 0
        while begin < len(order):
            size = max(1, _BATCH_TOKENS // order[min(begin + _SIMILAR, len(order) - 1)][0])
            part = [i for _, i in order[begin : begin + size]]
            begin += size
            width = max(len(asked[i]) for i in part)
            tokens = torch.tensor(
                [asked[i] + [0] * (width - len(asked[i])) for i in part], device=self._device
            )
            last = torch.tensor([len(asked[i]) - 1 for i in part], device=self._device)
            coarse = self._device.type == "cuda"
            with torch.autocast(self._device.type, torch.bfloat16, enabled=coarse):
                known = network(tokens)[torch.arange(len(part), device=self._device), last]
                logits = F.linear(known, network.token_embd.weight[grades])
            shares[part] = logits.float().softmax(1).cpu().numpy()
        return shares

    def _choice(self, held_out: Sequence[tuple[str, int, list[tuple[str, str]]]]) -> Choice:
        asked = [(source, budget, [a for a, _ in graded]) for source, budget, graded in held_out]
        chosen = []
        for judged, (_, _, graded) in zip(self.judge(asked), held_out, strict=True):
            if judged:
                chosen.append(WORTH[dict(graded)[max(judged, key=_worth).answer]])
        return Choice.of(chosen)


_WORTHS = np.array(list(WORTH.values()), np.float32)
_worth = attrgetter("worth")


def read_answers(path: Path) -> Iterator[Answers]:
    """The lists of a .tsv file with a row an answer: source, budget, answer; the rows of a source
    stand together."""

    def rows() -> Iterator[tuple[str, int, str]]:
        for number, line in enumerate(lines_of(path), 1):
            cells = line.split("\t")
            if len(cells) != 3 or not cells[1].isdigit():
                raise InvalidInput(
                    f"{path}, line {number}: wanted source, budget and answer, separated by tabs"
                )
            yield cells[0], int(cells[1]), cells[2]

    for source, same in groupby(rows(), key=lambda row: row[0]):
        by_budget: dict[int, list[str]] = {}
        for _, budget, answer in same:
            by_budget.setdefault(budget, []).append(answer)
        for budget, answers in by_budget.items():
            yield source, budget, answers


def as_rows(judged: Sequence[Judged]) -> list[tuple[str, ...]]:
    """A list as `read_lists` reads it."""
    return [(one.source, str(one.budget), one.answer, one.grade) for one in judged]


def as_pair(judged: Sequence[Judged]) -> list[tuple[str, ...]]:
    """The source and the answer that is worth most, if that is most probably an A."""
    found = max(judged, key=_worth, default=None)
    return [(found.source, found.answer)] if found and found.grade == GRADES[0] else []
