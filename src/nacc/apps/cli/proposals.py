"""What to say instead of texts that are too long, with all that is in them and is not said."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from nacc.data.rows import unusable
from nacc.errors import InvalidInput
from nacc.length.budget import Budget
from nacc.options import Options
from nacc.summary import Summary
from nacc.text.placeholders import between_markup, placeholders

if TYPE_CHECKING:
    from nacc.summarizer import Result, Summarizer


@dataclass(frozen=True)
class Proposal:
    """What to say instead, and how long that is; or why there is nothing, or why a person should
    decide.

    confidence: how sure the model is, where it says so.
    """

    text: str | None = None
    length: int | float | None = None
    problem: str = ""
    confidence: float | None = None


@dataclass(frozen=True)
class _Wrapped:
    """A text between what stays at its ends, and the budget that is left for it."""

    whole: str
    budget: Budget
    start: int
    end: int
    room: Budget

    @property
    def text(self) -> str:
        return self.whole[self.start : self.end]

    def proposal(self, result: Result) -> Proposal:
        if not isinstance(result, Summary):
            return Proposal(problem=str(result))
        text = self.whole[: self.start] + result.text + self.whole[self.end :]
        had, has = placeholders(self.whole), placeholders(text)
        if had != has:
            lost = list((Counter(had) - Counter(has)).elements())
            if lost:
                return Proposal(problem=f"it would lose {', '.join(lost)}")
            return Proposal(problem="its placeholders would be changed")
        length = self.budget.length(text)
        if length > self.budget.amount:
            return Proposal(problem="nothing fits together with what stands around the text")
        told = getattr(result, "note", "") or "the first words only" if _is_lead(result) else ""
        return Proposal(text, length, told, getattr(result, "confidence", None))


class Proposals:
    """Made by a model, which is loaded when the first is asked for."""

    def __init__(self, load: Callable[[], Summarizer], options: Options) -> None:
        self._load = load
        self._options = options

    def of(self, asked: Sequence[tuple[str, Budget]]) -> list[Proposal]:
        """A proposal for each text and the budget it exceeds."""
        found = [Proposal(problem=unusable(text)) for text, _ in asked]
        same_room: defaultdict[Budget, dict[int, _Wrapped]] = defaultdict(dict)
        for i, (text, budget) in enumerate(asked):
            if not found[i].problem:
                try:
                    wrapped = _wrapped(text, budget)
                except InvalidInput:
                    told = f"what stands around the text leaves no room in {budget}"
                    found[i] = Proposal(problem=told)
                else:
                    same_room[wrapped.room][i] = wrapped
        for room, texts in same_room.items():
            results = self._summarizer.each([t.text for t in texts.values()], [room], self._options)
            for (i, wrapped), (result,) in zip(texts.items(), results, strict=True):
                found[i] = wrapped.proposal(result)
        return found

    @cached_property
    def _summarizer(self) -> Summarizer:
        return self._load()


def _wrapped(text: str, budget: Budget) -> _Wrapped:
    start, end = between_markup(text)
    around = budget.length(text) - budget.length(text[start:end])
    room = Budget(budget.amount - around, budget.measure) if around else budget
    return _Wrapped(text, budget, start, end, room)


def _is_lead(summary: Summary) -> bool:
    """Whether no model said it: the first words of a text, cut where the room ends."""
    return summary.method == "lead"
