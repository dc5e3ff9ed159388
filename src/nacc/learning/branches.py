"""Answers behind the source that they are of, as a language model reads them all at once.

The source stands once, its answers behind it one after another; a word of an answer knows the
source and what came before it in the same answer, and its place is as if it stood there alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor

from nacc.learning.llama import Trees
from nacc.learning.writer import ROUND

_PAST = -1


@dataclass(frozen=True)
class Line:
    """What is before all answers, in tokens, each answer, and its grade's number (−1: none)."""

    before: list[int]
    answers: list[list[int]]
    grades: list[int]

    @property
    def size(self) -> int:
        return len(self.before) + sum(map(len, self.answers))


@dataclass(frozen=True)
class Branches:
    """Lines, as a batch (B, T), where N is the number of all answers and M that of their tokens.

    tokens:      (B, T)
    places:      (B, T) of each token, as if its answer stood alone
    branch:      (B, T) 0 before the answers, then the number of the answer, −1 past the last
    last:        (N,) the last token of each answer, in the batch as one row
    of_row:      (N,) the line that it is of
    grades:      (N,)
    said:        (M,) the tokens of the answers, one after another, …
    before_said: (M,) … after which token of the batch each of them comes, …
    said_of:     (M,) … and of which answer it is.
    """

    tokens: Tensor
    places: Tensor
    branch: Tensor
    last: Tensor
    of_row: Tensor
    grades: Tensor
    said: Tensor
    before_said: Tensor
    said_of: Tensor

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Branches:
        width = -(-max(line.size for line in lines) // ROUND) * ROUND
        tokens, places = np.zeros((2, len(lines), width), np.int64)
        branch = np.full((len(lines), width), _PAST)
        last: list[int] = []
        of_row: list[int] = []
        said: list[int] = []
        before_said: list[int] = []
        said_of: list[int] = []
        for row, line in enumerate(lines):
            at = begin = len(line.before)
            tokens[row, :at], places[row, :at], branch[row, :at] = line.before, np.arange(at), 0
            for number, answer in enumerate(line.answers, 1):
                here = slice(at, at + len(answer))
                tokens[row, here], branch[row, here] = answer, number
                places[row, here] = np.arange(begin, begin + len(answer))
                first = row * width + at
                said += answer
                before_said += [row * width + begin - 1, *range(first, first + len(answer) - 1)]
                said_of += [len(last)] * len(answer)
                at += len(answer)
                last.append(row * width + at - 1)
                of_row.append(row)
        grades = [grade for line in lines for grade in line.grades]
        flat = (
            np.array(part, np.int64) for part in (last, of_row, grades, said, before_said, said_of)
        )
        return cls(*map(torch.from_numpy, (tokens, places, branch, *flat)))

    def to(self, device: torch.device) -> Branches:
        return Branches(*(getattr(self, field.name).to(device) for field in fields(self)))

    @property
    def trees(self) -> Trees:
        mine, theirs = self.branch[:, None, :, None], self.branch[:, None, None, :]
        length = self.tokens.shape[1]
        earlier = torch.ones(length, length, dtype=torch.bool, device=self.tokens.device).tril()
        return Trees(self.places, earlier & ((theirs == 0) | (theirs == mine)))
