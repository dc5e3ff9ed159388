"""A summarizer that says what it is told to, for tests of all that is not the model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from nacc.errors import BudgetTooSmall, NaccError
from nacc.length.budget import Budget
from nacc.options import Options
from nacc.summary import Summary


@dataclass(frozen=True)
class SureSummary(Summary):
    """A summary that says how sure it is, and why the model was not used."""

    confidence: float | None = None
    note: str = ""


def first_words(text: str, budget: Budget) -> str:
    """As many of the first words as fit."""
    words = text.split()
    while words and not budget.fits(" ".join(words)):
        words.pop()
    return " ".join(words)


@dataclass
class Stub:
    """In the place of a Summarizer; `asked` are the texts that it was given, and their budgets."""

    say: Callable[[str, Budget], str] = first_words
    method: str = "stub"
    note: str = ""
    confidence: float | None = None
    asked: list[tuple[str, str]] = field(default_factory=list)

    def ready(self) -> Stub:
        return self

    def each(
        self, texts: Sequence[str], budgets: Sequence[Budget], options: Options
    ) -> Iterator[list[Summary | NaccError]]:
        for text in texts:
            self.asked += [(text, str(budget)) for budget in budgets]
            yield [self._summary(text, budget) for budget in budgets]

    def _summary(self, text: str, budget: Budget) -> Summary | NaccError:
        said = self.say(text, budget)
        if not said:
            return BudgetTooSmall("nothing fits", 1)
        length, unit = budget.length(said), str(budget.measure)
        made = (said, length, unit, budget.amount, 0.0, self.method, (), False)
        return SureSummary(*made, confidence=self.confidence, note=self.note)
