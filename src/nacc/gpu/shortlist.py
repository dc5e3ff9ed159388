"""The best few answers to a lattice that came back from the device, as the device weighs its words.

Where the best answer does not keep the rules, the next one that does is told: the CPU's fitting
looks through its list for it, too. Here the list is all that is made: weights and flags are looked
up in the tables that the device has, and no word is written down before it is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nacc.decoding.constraints import Constraints
from nacc.decoding.expected import Expected
from nacc.decoding.linked import leading
from nacc.decoding.linked_parts import Lead
from nacc.decoding.problem import DecodingProblem
from nacc.decoding.registry import decoder
from nacc.fitting.fit import MOST_LISTED
from nacc.fitting.task import least_weight
from nacc.gpu.candidates import MOST_ROOM, NOT_SAID, Lexicon, Numbers
from nacc.gpu.lattices import MAY_END, ONCE
from nacc.lattice import NO_WORD, Lattice
from nacc.lattice.words import own_links
from nacc.length.budget import Budget
from nacc.options import Settled

COUNTS = (8, MOST_LISTED)
"""How many answers are looked for at first, and at most: as many as the CPU's fitting would."""


class Source(NamedTuple):
    """What is known of each word of a source: see nacc.gpu.candidates.FIELDS; and the number of
    its style."""

    symbols: Sequence[int]
    weights: Sequence[int]
    flags: Sequence[int]
    bases: Sequence[int]
    style: int


class Raw(NamedTuple):
    """What the network says of a sentence: (U, K + 1) words and values, (U + 1, U + 1) links; more
    of them than the sentence has slots are padding."""

    words: Numbers
    values: NDArray[np.float32]
    links: NDArray[np.float32]


class Shortlist:
    """Lists for one budget and one set of options."""

    def __init__(self, lexicon: Lexicon, budget: Budget, options: Settled) -> None:
        self._lexicon, self._budget, self._options = lexicon, budget, options
        self._plan = budget.plans()[0]
        self._expected = Expected(options.expected_words, options.expected_pairs)

    @cached_property
    def _weights(self) -> Numbers:
        return self._lexicon.weights(self._plan)

    def __call__(self, raw: Raw, source: Source, slots: int) -> Iterator[Lead]:
        """The best answers, best first, their words as symbols; none where the search for them does
        not come to one."""
        own, symbols = np.array(source.symbols), raw.words[:slots, :-1]
        number = np.full(len(self._lexicon.flags) + len(own), NO_WORD, np.int32)
        number[symbols] = 0
        known = np.flatnonzero(number == 0)
        number[known] = np.arange(len(known))
        local, place = number[symbols], number[own]
        there = place != NO_WORD
        weights, flags, new = self._judged(known, source, place[there], there)
        values = raw.values[:slots, :-1] - np.float64(self._options.novelty) * new[local]
        gone = ((flags & NOT_SAID) != 0)[local]
        nothing = np.full(slots, -np.inf)
        lattice = Lattice(
            np.where(gone, NO_WORD, local), np.where(gone, -np.inf, values), nothing, nothing,
            links=own_links(raw.links, slots),
        )  # fmt: skip
        said = np.array(source.weights)[there]
        problem = DecodingProblem(
            lattice, weights, NO_WORD, decoder("linked"), 1, True, self._rules(flags), None,
            self._expected,
        )  # fmt: skip
        room, source_weight = self._plan.room, int(said[said < 2 * MOST_ROOM].sum())
        low = least_weight(self._options, self._budget, room, source_weight)
        for one in leading(problem, min(max(low, 1), room), room, COUNTS):
            yield one._replace(tokens=known[one.tokens].tolist())

    def _rules(self, flags: NDArray[np.int64]) -> Constraints:
        if not self._options.is_tidy:
            return Constraints()
        ends, once = np.flatnonzero((flags & MAY_END) == 0), np.flatnonzero(flags & ONCE)
        return Constraints(no_dangling=frozenset(ends.tolist()), once=frozenset(once.tolist()))

    def _judged(
        self, known: NDArray[np.int64], source: Source, place: Numbers, there: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """Of each of some words what it weighs, its flags, and whether it is new to the source,
        as kernels.judge has it; place: of those words of the source that are `there`."""
        lexicon = self._lexicon
        common = np.minimum(known, len(lexicon.flags) - 1)
        weights = self._weights[source.style][common].astype(np.int64)
        flags = lexicon.flags[common].astype(np.int64)
        weights[place] = np.array(source.weights)[there]
        flags[place] = np.array(source.flags)[there]
        old = np.zeros(len(lexicon.flags) + 1, np.bool_)  # the last is for bases without a number
        old[np.array(source.bases)] = True
        new = ((flags & ONCE) != 0) & ~old[lexicon.bases[common]]
        new[place] = False
        return weights, flags, new
