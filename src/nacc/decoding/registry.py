"""The decoding methods: what each is called, what it needs and what it can do.

A method is one file with a class, and a line in the table below; or, from outside the package, an
instance that is registered. Nothing is loaded before it is asked for, and no decoder loads its
kernels before it solves something.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from nacc.errors import InvalidInput

if TYPE_CHECKING:
    from nacc.decoding.decoded import Decoded
    from nacc.decoding.problem import DecodingProblem

_BUILT_IN = {
    "greedy": "nacc.decoding.greedy:Greedy",
    "truncate": "nacc.decoding.truncate:Truncate",
    "bucketed": "nacc.decoding.bucketed:Bucketed",
    "exact": "nacc.decoding.exact:Exact",
    "coherent": "nacc.decoding.coherent:Coherent",
    "linked": "nacc.decoding.linked:Linked",
}
_loaded: dict[str, Decoder] = {}


class Decoder(ABC):
    """A way to choose words from a lattice.

    name:        what it is asked for by.
    what:        one line about it, for help and docs.
    needs:       "bigrams": the problem's `coherence` (and no other method takes one);
                 "links": a lattice with links;
                 "blank": ε, so a lattice whose links stand in for it is refused.
    keeps_rules: keeps required, phrases, forbidden, no_dangling and once, and reaches a floor if
                 it can; in_order too, if it needs links.
    ranks:       can give the n best answers.
    whole_words: its answers weigh no more than they may. If False, they are to be finished and
                 the string cut to the budget.
    """

    name: str
    what: str
    needs: frozenset[str] = frozenset({"blank"})
    keeps_rules: bool = False
    ranks: bool = False
    whole_words: bool = True

    @abstractmethod
    def solve(
        self, problem: DecodingProblem, lows: Sequence[int], highs: Sequence[int]
    ) -> list[Decoded]:
        """The best answer with weight in [lows[i], highs[i]], for every i.

        If there is none, the heaviest that can be had below; if that is none, the empty one.
        """

    def rank(self, problem: DecodingProblem, low: int, high: int, n: int) -> list[Decoded]:
        """The n best distinct word sequences with weight in [low, high], best first."""
        ranking = alternatively(lambda other: other.ranks)
        raise InvalidInput(f"alternatives need method={ranking}, got {self.name!r}")


def methods() -> tuple[str, ...]:
    """The names of all methods: those of the package, then those registered, in their order."""
    return (*_BUILT_IN, *(name for name in _loaded if name not in _BUILT_IN))


def decoder(name: str) -> Decoder:
    """The decoder of that name; InvalidInput if there is none."""
    found = _loaded.get(name)
    if found is None:
        if name not in _BUILT_IN:
            raise InvalidInput(f"unknown method {name!r}: use one of {', '.join(methods())}")
        module, _, kind = _BUILT_IN[name].partition(":")
        found = _loaded[name] = getattr(import_module(module), kind)()
    return found


def register(new: Decoder) -> None:
    """Add a method for the rest of the process. No name can be taken twice."""
    if new.name in methods():
        raise InvalidInput(f"there is a method {new.name!r} already")
    _loaded[new.name] = new


def unregister(name: str) -> None:
    """Take back what was registered."""
    if name in _BUILT_IN or name not in _loaded:
        raise InvalidInput(f"{name!r} is no method that was registered")
    del _loaded[name]


def alternatively(wanted: Callable[[Decoder], bool]) -> str:
    """The methods that will do, for a message: "exact" or "coherent"."""
    return " or ".join(f'"{name}"' for name in methods() if wanted(decoder(name)))
