"""The paper's decoder: one best path per slot and bucket of lengths (equations 3 to 7).

Exact only for buckets of 1 without merging.
"""

from __future__ import annotations

from collections.abc import Sequence

from nacc.decoding.candidates import usable
from nacc.decoding.decoded import Decoded
from nacc.decoding.problem import DecodingProblem
from nacc.decoding.registry import Decoder


class Bucketed(Decoder):
    name = "bucketed"
    what = "the paper's dynamic programme: one best path per bucket of lengths"

    def solve(
        self, problem: DecodingProblem, lows: Sequence[int], highs: Sequence[int]
    ) -> list[Decoded]:
        from nacc.decoding.kernels.bucketed import bucketed_path

        answers = []
        for low, high in zip(lows, highs, strict=True):
            found = usable(problem, problem.no_rules, high)
            path = bucketed_path(found, low, high, problem.bucket)
            answers.append(problem.answer(path, low, found.top, found.top))
        return answers
