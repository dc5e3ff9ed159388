"""Every decoder asked for all that it can do, so that everything is compiled, and kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from nacc.decoding.coherence import Coherence
from nacc.decoding.expected import Expected
from nacc.decoding.front_door import alternatives, decode, decode_budgets
from nacc.decoding.registry import decoder, methods
from nacc.errors import InvalidInput
from nacc.lattice import Lattice
from nacc.ngrams.bigrams import Bigrams

WORDS = 6


def warm_up() -> None:
    """Compile what is not compiled yet: some 30 seconds, once; then a moment in every process."""
    weights = np.arange(1, WORDS + 1)
    for method in methods():
        needs = decoder(method).needs
        lattice = _lattice("links" in needs)
        for how in _ways(method):
            with suppress(InvalidInput):  # a rule that this method does not know
                decode(lattice, weights, 12, at_least=6, method=method, **how)
                decode_budgets(lattice, weights, [5, 9], method=method, **how)
                alternatives(lattice, weights, 12, 3, at_least=6, method=method, **how)
                decode(lattice, 10**7 * weights, 12 * 10**7, method=method, **how)


def make_ready(method: str) -> None:
    """Load or compile what a method's first answers will need."""
    weights, lattice = np.arange(1, WORDS + 1), _lattice("links" in decoder(method).needs)
    how = next(_ways(method))
    if decoder(method).ranks:
        alternatives(lattice, weights, 12, 3, at_least=6, method=method, **how)
    else:
        decode(lattice, weights, 12, method=method, **how)


def _lattice(linked: bool) -> Lattice:
    slots = WORDS + 2
    words = (np.arange(WORDS) + np.arange(slots)[:, None]) % WORDS
    values = np.log(np.linspace(0.4, 0.05, WORDS))
    links = np.log(np.full((slots + 1, slots + 1), 1 / slots)) if linked else None
    blank = np.full(slots, -np.inf if linked else -2.0)
    return Lattice(words, np.tile(values, (slots, 1)), blank, np.full(slots, -5.0), links=links)


def _ways(method: str) -> Iterator[dict[str, Any]]:
    """What a method can be asked for, each way taking kernels that others do not."""
    needs = decoder(method).needs
    given: dict[str, Any] = {}
    if "bigrams" in needs:
        words = [f"w{i}" for i in range(WORDS)]
        bigrams = Bigrams.train([" ".join(words)] * 3)
        pairs = np.array([[0, 1], [2, 3]])
        given["coherence"] = Coherence(bigrams, bigrams.ids(words), adjacent=pairs, adjacency=0.1)
    if "links" in needs:
        given["expected"] = Expected()
    yield given
    if decoder(method).keeps_rules:
        yield {**given, "once": range(WORDS), "no_dangling": [0, 1], "required": [2]}
        yield {**given, "once": range(WORDS), "phrases": [(1, 2)], "forbidden": [5]}
    if "links" in needs:
        yield {**given, "in_order": range(WORDS), "once": range(WORDS)}
        yield {**given, "in_order": [*range(WORDS)] * 30}
