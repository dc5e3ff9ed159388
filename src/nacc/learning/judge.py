"""A language model learns from graded answers to grade others.

People and large language models can grade some thousand lists; what has learnt from those can grade
a million, for a small scorer to learn from (`order`), or to choose what a writer wrote (`teach`). A
source is read once for all of its answers, which stand behind it as the branches of a tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
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
from nacc.learning.branches import Branches, Line
from nacc.learning.grading import NATS, SHARP, WORTH, Choice, Graded, is_held_out, order_loss
from nacc.learning.packing import chunks
from nacc.learning.writer import LONGEST, Rows, Teaching, Writer, batches, taught
from nacc.text.words import split

GRADES = "".join(WORTH)
ORDER, SAID = 0.25, 0.25
"""How much it counts, beside the grades, in which order the answers of a list stand, and how
probable those are that run as they are."""
_AT_ONCE = 10_000  # lists
_JUDGED_TOKENS = 2**16  # at a time

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
        grades = [found.ids for found in self._tokenizer.encode_batch(list(GRADES))]
        if any(len(ids) != 1 for ids in grades):
            raise InvalidInput("a grade has to be one token of the language model")
        self._grades = torch.tensor(grades, device=device)[:, 0]

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
        given = [one for out, one in known if not out]
        if not given:
            raise InvalidInput("there is no list to learn from")
        asked = self._asked([(s, b, [answer for answer, _ in said]) for s, b, said in given])
        lines = [
            Line(before, answers, [GRADES.index(grade) for _, grade in said])
            for (before, answers), (*_, said) in zip(asked, given, strict=True)
        ]
        first = self._members[0]
        prompts = first.prompts([source for source, _ in pairs], [len(h) for _, h in pairs])
        headlines = first.headlines([headline for _, headline in pairs])
        lines += [Line(p, [h], [-1]) for p, h in zip(prompts, headlines, strict=True)]
        lines = [line for line in lines if len(line.before) <= LONGEST]
        sizes = np.array([line.size for line in lines])
        for number, member in enumerate(self._members):

            def loss(batch: Rows, member: Writer = member) -> Tensor:
                return self._loss(member, [lines[i] for i in batch])

            network = member.network.to(self._device)
            taught(network, sizes, loss, replace(how, seed=how.seed + number), show)
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

    def _loss(self, member: Writer, lines: Sequence[Line]) -> Tensor:
        """How far the grades are from the right ones, in nats an answer; in which order answers
        are put; and, in nats a token, how far it is from saying those that run as they are."""
        branches = Branches.of(lines).to(self._device)
        coarse = self._device.type == "cuda"
        with torch.autocast(self._device.type, torch.bfloat16, enabled=coarse):
            known = member.network.read(branches.tokens, branches.trees)
            logits = self._graded(member, known, branches).float()
            spoken = (branches.grades <= 0)[branches.said_of]  # an A, or a headline to be written
            said = member.network.speak(known.flatten(0, 1)[branches.before_said[spoken]])
        nats = F.cross_entropy(said.float(), branches.said[spoken], reduction="sum")
        loss = SAID * nats / spoken.sum().clamp(min=1)
        graded = branches.grades >= 0
        if bool(graded.any()):
            loss = loss + F.cross_entropy(logits[graded], branches.grades[graded])
            worths = torch.from_numpy(_WORTHS).to(self._device)
            scores = (logits.softmax(1) @ worths)[graded] * (NATS / SHARP)
            rows, of = torch.unique(branches.of_row[graded], return_inverse=True)
            lists = Graded(of, worths[branches.grades[graded]], rows)
            loss = loss + ORDER * order_loss(scores, torch.ones_like(of, dtype=torch.bool), lists)
        return loss

    def _graded(self, member: Writer, known: Tensor, branches: Branches) -> Tensor:
        """(N, grades) of the answers: the logits of what follows each."""
        words = member.network.token_embd.weight[self._grades]
        return F.linear(known.flatten(0, 1)[branches.last], words)

    @torch.inference_mode()
    def _shares(self, lists: Sequence[Answers]) -> list[Shares]:
        """Of each list."""
        asked = self._asked(lists)
        found = [np.full((len(answers), len(GRADES)), -1, np.float32) for _, answers in asked]
        lines, of = [], []
        for (before, answers), shares in zip(asked, found, strict=True):
            able = [j for j, said in enumerate(answers) if len(before) + len(said) <= LONGEST]
            if able:
                lines.append(Line(before, [answers[j] for j in able], [-1] * len(able)))
                of.append((shares, able))
        for member in self._members:
            member.network.to(self._device).eval()
            if self._device.type == "cuda":
                member.network.to(torch.bfloat16)
        sizes = np.array([line.size for line in lines])
        for rows in batches(sizes, Teaching(batch_tokens=_JUDGED_TOKENS)):
            branches = Branches.of([lines[i] for i in rows]).to(self._device)
            known = (m.network.read(branches.tokens, branches.trees) for m in self._members)
            each = map(partial(self._graded, branches=branches), self._members, known)
            mean = torch.stack([logits.float().softmax(1) for logits in each]).mean(0)
            told = iter(mean.cpu().numpy())
            for shares, able in (of[i] for i in rows):
                shares[able] = list(islice(told, len(able)))
        return found

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
