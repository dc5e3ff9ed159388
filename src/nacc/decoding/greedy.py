"""The greedy decoder: the best symbol of every slot, cut at the last whole word that fits."""

from __future__ import annotations

from collections.abc import Sequence

from nacc.decoding.candidates import UNLIMITED, usable
from nacc.decoding.decoded import Decoded
from nacc.decoding.problem import DecodingProblem
from nacc.decoding.registry import Decoder


class Greedy(Decoder):
    name = "greedy"
    what = "the best symbol of every slot, cut at the last whole word that fits"

    def solve(
        self, problem: DecodingProblem, lows: Sequence[int], highs: Sequence[int]
    ) -> list[Decoded]:
        from nacc.decoding.kernels.greedy import greedy_path

        found = usable(problem, problem.no_rules, UNLIMITED)
        return [
            problem.answer(greedy_path(found, min(high, UNLIMITED)), low, found.top, found.top)
            for low, high in zip(lows, highs, strict=True)
        ]
