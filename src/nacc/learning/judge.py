"""A language model learns from graded answers to grade others.

People and large language models can grade some thousand lists; what has learnt from those can grade
a million, for a small scorer to learn from (`order`), or to choose what a writer wrote (`teach`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from numpy.typing import NDArray
from torch import Tensor

from nacc.data.lines import lines_of
from nacc.errors import InvalidInput
from nacc.learning.grading import WORTH, Choice, is_held_out
from nacc.learning.packing import chunks
from nacc.learning.writer import LONGEST, Teaching, Writer, equally_long, widened
from nacc.text.words import split

GRADES = "".join(WORTH)
_BATCH_ROWS = 8_192
_AT_ONCE = 10_000  # lists

Answers = tuple[str, int, Sequence[str]]
"""A source, a budget, and answers."""
Shares = NDArray[np.float32]
"""(answers, grades) how probable each grade is; −1 for what is too long to read."""


@dataclass(frozen=True)
class Judged:
    """An answer with its most probable grade, and what its grades are worth on average."""

    source: str
    budget: int
    answer: str
    grade: str
    worth: float


class Judge:
    """One language model or several, whose opinions are averaged."""

    def __init__(self, members: Sequence[Writer], device: torch.device) -> None:
        self._members, self._device = members, device
        self._tokenizer = members[0].tokenizer
        self._grades = [found.ids for found in self._tokenizer.encode_batch(list(GRADES))]
        if any(len(ids) != 1 for ids in self._grades):
            raise InvalidInput("a grade has to be one token of the language model")

    def learn(
        self,
        lists: Iterable[tuple[str, int, list[tuple[str, str]]]],
        how: Teaching,
        show: Callable[[dict[str, float]], None] = lambda report: None,
        pairs: Sequence[tuple[str, str]] = (),
    ) -> Choice:
        """Learn from lists of answers with grades, and beside them to write these headlines; gives
        what it would put first in the lists held out of which something is worth more than
        something else."""
        known = [(is_held_out(split(one[0]).keys), one) for one in lists]
        held_out = [one for out, one in known if out and len({grade for _, grade in one[2]}) > 1]
        taught = [one for out, one in known if not out]
        if not taught:
            raise InvalidInput("there is no list to learn from")
        asked = self._asked([(s, b, [answer for answer, _ in said]) for s, b, said in taught])
        rows = [before + answer for before, answers in asked for answer in answers]
        grades = [self._grades[GRADES.index(g)] for *_, said in taught for _, g in said]
        first = self._members[0]
        rows += first.prompts([source for source, _ in pairs], [len(h) for _, h in pairs])
        grades += first.headlines([headline for _, headline in pairs])
        for number, member in enumerate(self._members):
            member.learn(rows, grades, replace(how, seed=how.seed + number), self._device, show)
        return self._choice(held_out)

    def judge(self, lists: Iterable[Answers]) -> Iterator[list[Judged]]:
        """Every list with its answers graded, but for those that are too long to read."""
        for part in chunks(lists, _AT_ONCE):
            for (source, budget, answers), shares in zip(part, self._shares(part), strict=True):
                yield [
                    Judged(source, budget, answer, GRADES[share.argmax()], float(share @ _WORTHS))
                    for answer, share in zip(answers, shares, strict=True)
                    if share[0] >= 0
                ]

    def _asked(self, lists: Sequence[Answers]) -> list[tuple[list[int], list[list[int]]]]:
        """What is asked of each list, in tokens: what is before all answers, and each of them."""
        before = self._tokenizer.encode_batch(
            [f"{source}\n{budget}:" for source, budget, _ in lists]
        )
        flat = [f" {answer}\n" for *_, answers in lists for answer in answers]
        said = iter(self._tokenizer.encode_batch(flat))
        return [
            (one.ids, [found.ids for found in islice(said, len(answers))])
            for one, (*_, answers) in zip(before, lists, strict=True)
        ]

    @torch.inference_mode()
    def _shares(self, lists: Sequence[Answers]) -> list[Shares]:
        """Of each list. A source is read once for all of its answers; sources that are read at a
        time are equally long."""
        asked = self._asked(lists)
        found = [np.full((len(answers), len(GRADES)), -1, np.float32) for _, answers in asked]
        most = max((len(answers) for _, answers in asked), default=1)
        befores = [before for before, _ in asked]
        order = sorted(range(len(asked)), key=lambda i: len(befores[i]))
        for rows in equally_long(order, befores, max(1, _BATCH_ROWS // max(most, 1))):
            width = LONGEST - len(befores[rows[0]])
            here = [
                (i, j) for i in rows for j, said in enumerate(asked[i][1]) if len(said) <= width
            ]
            if not here:
                continue
            said = [asked[i][1][j] for i, j in here]
            at = {row: number for number, row in enumerate(rows)}
            of = torch.tensor([at[i] for i, _ in here], device=self._device)
            before = torch.tensor([befores[i] for i in rows], device=self._device)
            each = [self._graded(member, before, said, of) for member in self._members]
            for (i, j), share in zip(here, torch.stack(each).mean(0).cpu().numpy(), strict=True):
                found[i][j] = share
        return found

    def _graded(
        self, member: Writer, before: Tensor, said: Sequence[list[int]], of: Tensor
    ) -> Tensor:
        """(R, grades) of answers, each after the row of `before` that it is of."""
        network = member.network.to(self._device).eval()
        if self._device.type == "cuda":
            network = network.to(torch.bfloat16)
        width = max(map(len, said))
        tokens = torch.tensor([one + [0] * (width - len(one)) for one in said], device=self._device)
        last = torch.tensor([len(one) - 1 for one in said], device=self._device)
        batch, length = before.shape
        kept = network.room(batch, length, network.token_embd.weight)
        network(before, kept, 0)
        known = network(tokens, widened(kept, of, length + width), length)
        grades = torch.tensor(self._grades, device=self._device)[:, 0]
        rows = torch.arange(len(said), device=self._device)
        logits = F.linear(known[rows, last], network.token_embd.weight[grades])
        return logits.float().softmax(1)

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
    return [(one.source, str(one.budget), one.answer, f"{one.worth:.2f}") for one in judged]


def as_pair(judged: Sequence[Judged]) -> list[tuple[str, ...]]:
    """The source and the answer that is worth most, if that is most probably an A."""
    found = max(judged, key=_worth, default=None)
    return [(found.source, found.answer)] if found and found.grade == GRADES[0] else []
