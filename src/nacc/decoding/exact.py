"""The exact decoder: the best path within the budget, merging of repeats included."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nacc.decoding.candidates import for_a_table
from nacc.decoding.decoded import Decoded
from nacc.decoding.kernels.arrays import Automaton, Candidates
from nacc.decoding.problem import DecodingProblem
from nacc.decoding.relaxation import Completions, RuleKeeper


class Exact(RuleKeeper):
    name = "exact"
    what = "the best words that fit, for sure"
    cells_to_mark = 2**23

    def best(
        self,
        problem: DecodingProblem,
        automaton: Automaton,
        lows: Sequence[int],
        highs: Sequence[int],
    ) -> list[Decoded] | None:
        from nacc.decoding.kernels.exact import exact_paths

        found = for_a_table(problem, automaton, max(highs))
        paths = exact_paths(found, automaton, np.array(lows, np.int64), np.array(highs, np.int64))
        if problem.constraints.wanted and not paths.reached.all():
            return None
        return problem.answers(paths, lows, -np.inf, found.elsewhere)

    def completions(
        self,
        problem: DecodingProblem,
        found: Candidates,
        automaton: Automaton,
        high: int,
        slack: int,
    ) -> Completions:
        from nacc.decoding.kernels.exact import exact_completions

        size = len(found.members) + 1
        starting = exact_completions(found, automaton, high, slack)
        return Completions(starting, np.zeros((size, size)), found.elsewhere)
