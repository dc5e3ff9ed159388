"""DAT-LenC (Huang et al. 2024), the paper's own successor, on our linked slots.

It asks a directed acyclic Transformer for a number of words: the best path of that many ("path"),
or the words that are most probable over all paths that say them ("seq", SeqMAP). The former is what
`linked` decodes when every word weighs 1. The latter can only be searched for: word after word, the
best beginnings kept, each with its exact probability of having come to every slot. A beginning is
judged by how probable it is that it comes to an end at the number of words that is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nacc.decoding.front_door import decode
from nacc.errors import InvalidInput
from nacc.evaluation.systems import Output, runs_on
from nacc.length.budget import Budget
from nacc.length.lead import cut
from nacc.options import Options
from nacc.text.words import UNKNOWN_WORDS

if TYPE_CHECKING:
    from nacc.fitting.reading import Reading
    from nacc.lattice import Lattice
    from nacc.lattice.words import WordLattice
    from nacc.summarizer import Summarizer

Shares = NDArray[np.float64]
Search = Literal["path", "seq"]


class MostProbable(NamedTuple):
    """Word ids, and their probability over all paths that say them."""

    words: tuple[int, ...]
    share: float


def most_probable(lattice: Lattice, count: int, beam: int) -> MostProbable:
    """The most probable `count` words, none twice in a row; the empty answer if no path has so
    many. The best of all if the beam holds all beginnings."""
    assert lattice.links is not None
    slots = lattice.slots
    links = np.exp(lattice.links)
    onward = np.triu(links[1:, :slots], 1)  # a path leads on
    names = np.unique(lattice.words[lattice.words >= 0])
    says = np.zeros((len(names), slots))  # how probable each word is in each slot
    slot, k = np.nonzero(lattice.words >= 0)
    says[np.searchsorted(names, lattice.words[slot, k]), slot] = np.exp(lattice.values[slot, k])
    ends = _ends(onward, says.sum(0), links[1:, slots], count)
    # Beginnings: their words, and how probable it is that they were said up to each slot.
    begun: list[tuple[int, ...]] = [()]
    reach = links[:1, :slots]
    for left in range(count - 1, -1, -1):
        came = reach[:, None, :] * says  # beginnings × words × slots
        hope = came @ ends[left]
        for i, words in enumerate(begun):
            if words:
                hope[i, words[-1]] = 0.0
        order = np.argsort(-hope, axis=None, kind="stable")[:beam]
        kept = [divmod(int(at), len(names)) for at in order if hope.flat[at] > 0]
        if not kept:
            return MostProbable((), 0.0)
        share = float(hope[kept[0]])
        begun = [(*begun[i], word) for i, word in kept]
        reach = np.stack([came[one] for one in kept]) @ onward
    return MostProbable(tuple(int(names[word]) for word in begun[0]), share)


def _ends(onward: Shares, said: Shares, stop: Shares, count: int) -> list[Shares]:
    """How probable it is, from each slot, to say so many more words and end: for 0 to count − 1."""
    found = [stop]
    for _ in range(count - 1):
        found.append(onward @ (said * found[-1]))
    return found


@dataclass(frozen=True)
class DatLenC:
    """A linked model asked for a number of words, its answer cut to the budget."""

    name: str
    model: Summarizer
    words: int = 8
    search: Search = "seq"
    beam: int = 20

    def __post_init__(self) -> None:
        if not runs_on("linked", self.model):
            raise InvalidInput("DAT-LenC needs a model with linked slots")
        if self.search not in ("path", "seq"):
            raise InvalidInput(f"search {self.search!r} must be path or seq")
        if self.words < 1 or self.beam < 1:
            raise InvalidInput(f"words {self.words} and beam {self.beam} must be at least 1")

    def run(self, sources: Sequence[str], budget: Budget) -> list[Output]:
        outputs = []
        for source in sources:
            (reading,) = self.model.read([source], budget, Options(sentences="first"))
            full = self._text(reading)
            outputs.append(Output(cut(full, budget), full))
        return outputs

    def summaries(self, sources: Sequence[str], budget: Budget) -> list[Output]:
        """As `run`: what is timed."""
        return self.run(sources, budget)

    def _text(self, reading: Reading) -> str:
        found = reading.word_lattice
        forms = dict(zip(reading.sentence.keys, reading.sentence.words, strict=True))
        words = [found.keys[i] for i in self._chosen(found)]
        return " ".join(forms.get(word) or reading.spellings.get(word, word) for word in words)

    def _chosen(self, found: WordLattice) -> Sequence[int]:
        unknown = [i for i, word in enumerate(found.keys) if word in UNKNOWN_WORDS]
        lattice = found.lattice.without(unknown)
        for count in range(self.words, 0, -1):  # a short source may not have so many
            if self.search == "seq":
                chosen: Any = most_probable(lattice, count, self.beam).words
            else:
                weights = np.ones(len(found.keys), np.int64)
                one = decode(lattice, weights, count, at_least=count, method="linked")
                chosen = one.tokens if one.floor_met else ()
            if chosen:
                return tuple(chosen)
        return ()
