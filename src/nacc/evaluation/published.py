"""What others published, run by us: the search that the paper learns from, control by words, and
the decoder as it was released. Each is a system, and each is worth timing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nacc.evaluation.systems import Decoding, Output
from nacc.length.budget import Budget
from nacc.length.lead import cut
from nacc.length.measures import Words
from nacc.options import Options
from nacc.search import SearchModel, SearchSettings, search
from nacc.search.settings import SearchMethod

if TYPE_CHECKING:
    from nacc.summarizer import Summarizer

BUCKET = 4
"""The paper's α."""


@dataclass(frozen=True)
class Searched:
    """Schumann et al. (2020): hill climbing for so many words, cut to the budget; without a number
    of words, the paper's variant, which stays within the budget at every step."""

    name: str
    model: SearchModel
    words: int | None = None
    method: SearchMethod = "climb"

    def run(self, sources: Sequence[str], budget: Budget) -> list[Output]:
        within = None if self.words else int(budget.amount)
        settings = SearchSettings(words=self.words, max_length=within, method=self.method)
        found = search(self.model, sources, settings)
        return [Output(cut(extract.text, budget), extract.text) for extract in found]

    def summaries(self, sources: Sequence[str], budget: Budget) -> list[Output]:
        """As `run`: what is timed."""
        return self.run(sources, budget)


@dataclass(frozen=True)
class WordControlled:
    """NAUS (Liu et al., 2022): the same networks, a dynamic programme over the number of words, one
    best path for each; its words are cut to the budget."""

    name: str
    model: Summarizer
    words: int

    def run(self, sources: Sequence[str], budget: Budget) -> list[Output]:
        exactly = Options(bucket=1, at_least=self.words)
        decoding = Decoding.by("bucketed", self.model, exactly)
        said = decoding.run(sources, Budget(self.words, Words()))
        return [Output(cut(output.text, budget), output.text) for output in said]

    def summaries(self, sources: Sequence[str], budget: Budget) -> list[Output]:
        """As `run`: what is timed."""
        return self.run(sources, budget)


@dataclass(frozen=True)
class AsReleased:
    """The paper's decoder as its code was released: what greedy decoding says if that fits, else
    the best path of the last bucket, not the best within the budget."""

    name: str
    model: Summarizer

    def run(self, sources: Sequence[str], budget: Budget) -> list[Output]:
        said = Decoding.by("truncate", self.model).run(sources, budget)
        long = [i for i, output in enumerate(said) if not budget.fits(output.full)]
        last = Options(bucket=BUCKET, at_least=max(1, int(budget.amount) - BUCKET + 1))
        decoding = Decoding.by("bucketed", self.model, last)
        again = decoding.run([sources[i] for i in long], budget)
        for i, output in zip(long, again, strict=True):
            said[i] = output
        return said

    def summaries(self, sources: Sequence[str], budget: Budget) -> list[Output]:
        """As `run`: what is timed."""
        return self.run(sources, budget)
