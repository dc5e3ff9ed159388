"""The coherent decoder: the best path by its words and by what stands next to what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nacc.decoding.candidates import for_a_table
from nacc.decoding.coherence import Coherence
from nacc.decoding.decoded import Decoded
from nacc.decoding.kernels.arrays import Automaton, Candidates, Pairs
from nacc.decoding.problem import DecodingProblem
from nacc.decoding.relaxation import Completions, RuleKeeper


class Coherent(RuleKeeper):
    name = "coherent"
    what = "as exact, with a bigram model's say on which words stand next to each other"
    needs = frozenset({"blank", "bigrams"})

    def best(
        self,
        problem: DecodingProblem,
        automaton: Automaton,
        lows: Sequence[int],
        highs: Sequence[int],
    ) -> list[Decoded] | None:
        from nacc.decoding.kernels.bounds import best_cut_off
        from nacc.decoding.kernels.coherent import coherent_paths
        from nacc.decoding.pairs import pair_table

        coherence = _coherence(problem)
        found = for_a_table(problem, automaton, max(highs))
        pairs = pair_table(found, coherence)
        limits = np.array(lows, np.int64), np.array(highs, np.int64)
        paths, cut = coherent_paths(found, pairs, automaton, coherence.beam or 0, *limits)
        missed = -np.inf
        if cut.max(initial=-np.inf) > -np.inf:
            missed = best_cut_off(found, pairs, cut)
            if ((paths.weights < limits[0]) | ~paths.reached).any():
                # What was cut off might have been heavy enough.
                everything = replace(coherence, beam=None)
                return self.best(replace(problem, coherence=everything), automaton, lows, highs)
        if problem.constraints.wanted and not paths.reached.all():
            return None
        elsewhere = _best_elsewhere(problem, found, pairs)
        return problem.answers(paths, lows, missed, max(missed, elsewhere))

    def completions(
        self,
        problem: DecodingProblem,
        found: Candidates,
        automaton: Automaton,
        high: int,
        slack: int,
    ) -> Completions:
        from nacc.decoding.kernels.coherent_table import coherent_completions
        from nacc.decoding.pairs import pair_table, pair_values

        pairs = pair_table(found, _coherence(problem))
        values = pair_values(pairs)
        starting = coherent_completions(found, values, automaton, high, slack)
        return Completions(starting, values, _best_elsewhere(problem, found, pairs))


def _coherence(problem: DecodingProblem) -> Coherence:
    assert problem.coherence is not None, "a problem for this decoder has it"
    return problem.coherence


def _best_elsewhere(problem: DecodingProblem, found: Candidates, pairs: Pairs) -> float:
    """No path with a word that is not among the candidates scores higher than this."""
    from nacc.decoding.kernels.bounds import best_elsewhere

    coherence = _coherence(problem)
    pair_best = coherence.weight * max(coherence.bigrams.best, 0.0) + coherence.adjacency
    return best_elsewhere(found, pairs, problem.lattice.rest, pair_best)
