"""The paper's baseline: the greedy path whatever it weighs; its string is cut at the budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nacc.decoding.candidates import UNLIMITED
from nacc.decoding.decoded import Decoded
from nacc.decoding.greedy import Greedy
from nacc.decoding.problem import DecodingProblem


class Truncate(Greedy):
    name = "truncate"
    what = "the best symbol of every slot, however long; cut at the budget, even inside a word"
    whole_words = False

    def solve(
        self, problem: DecodingProblem, lows: Sequence[int], highs: Sequence[int]
    ) -> list[Decoded]:
        whole = super().solve(problem, lows, [UNLIMITED] * len(highs))
        return [
            answer if answer.weight <= high else replace(answer, exact=False, optimal=False)
            for answer, high in zip(whole, highs, strict=True)
        ]
