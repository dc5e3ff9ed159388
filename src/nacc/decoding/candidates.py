"""From a problem to what the kernels choose from: the candidates that can be used at all.

Words too heavy for the budget, forbidden or of probability zero are left out here, once, so the
decoders never meet them. The check of what is in the arrays happens in the same pass.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from nacc.decoding.kernels.arrays import Automaton, Candidates, Classes
from nacc.decoding.problem import DecodingProblem
from nacc.errors import InvalidInput
from nacc.lattice import Lattice

MOST_CELLS = 2**28  # of a table: slots × candidates × contexts × weights
UNLIMITED = 2**62


def usable(problem: DecodingProblem, classes: Classes, high: int) -> Candidates:
    """The candidates that weigh no more than `high`, or InvalidInput.

    classes: what each word id means to the constraints; below 0, it is forbidden.
    """
    lattice = problem.lattice
    found, fault, slot, column = _pack()(
        lattice.words, lattice.values, lattice.blank, lattice.rest, problem.weights, classes,
        min(high, UNLIMITED), problem.merge,
    )  # fmt: skip
    if fault:
        raise InvalidInput(_message(lattice, fault, slot, column, len(problem.weights)))
    return found


def for_a_table(problem: DecodingProblem, automaton: Automaton, high: int) -> Candidates:
    """The usable candidates, unless a table over them would be beyond reason."""
    lattice = problem.lattice
    found = usable(problem, automaton.classes, high)
    cells = lattice.words.size * len(automaton.accept) * (found.heaviest + 1)
    if cells > MOST_CELLS:
        raise InvalidInput(
            f"{lattice.slots} slots and weights up to {found.heaviest} need a table of {cells} "
            f"cells; at most {MOST_CELLS} are allowed: weigh words in coarser units"
        )
    return found


@cache
def _pack() -> Callable[..., tuple[Candidates, int, int, int]]:
    """Numba takes its time to load: not before there is something to decode."""
    from nacc.decoding.kernels.packing import pack

    return pack


def _message(lattice: Lattice, fault: int, slot: int, column: int, weights: int) -> str:
    from nacc.decoding.kernels.packing import BLANK, NO_WEIGHT, REST, TWICE, VALUE

    if fault == BLANK:
        return f"Lattice.blank[{slot}] is {lattice.blank[slot]}"
    if fault == REST:
        return f"Lattice.rest[{slot}] is {lattice.rest[slot]}"
    word, value = lattice.words[slot, column], lattice.values[slot, column]
    return {
        VALUE: f"Lattice.values[{slot}, {column}] is {value}",
        NO_WEIGHT: f"Lattice.words[{slot}, {column}] = {word} has no weight: "
        f"there are {weights} weights",
        TWICE: f"word {word} is twice among the candidates of slot {slot}",
    }[fault]
