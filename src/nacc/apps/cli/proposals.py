"""What to say instead of texts that are too long, with all that is in them and is not said."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import regex

from nacc.apps.cli.left_out import left_out, sentences, without
from nacc.data.rows import unusable
from nacc.decoding.constraints import MOST_REQUIRED
from nacc.decoding.registry import decoder
from nacc.errors import InvalidInput, InvalidOption, NaccError, Untrusted
from nacc.length.budget import Budget
from nacc.options import MOST_FORBIDDEN, Settled
from nacc.summary import Summary
from nacc.text.placeholders import between_markup, placeholders
from nacc.text.stand_ins import Readable, readable
from nacc.text.words import split

if TYPE_CHECKING:
    from nacc.summarizer import Result, Summarizer

WELL_FILLED = 0.5
"""The share of a budget that whole sentences have to take, to be better than what a model says."""
_OPENS = regex.compile(r"(?<=[!?]\s+)\p{Ll}\S*")
_ADDED = ("'s", "?", "!")
"""What goes ill with words that nobody knows yet, where the text does not have it."""


@dataclass(frozen=True)
class Proposal:
    """What to say instead, and how long that is; or why there is nothing, or why a person should
    decide.

    confidence: how sure the model is, where it says so.
    note:       which sentences it leaves out.
    """

    text: str | None = None
    length: int | float | None = None
    problem: str = ""
    confidence: float | None = None
    note: str = ""


@dataclass(frozen=True)
class _Wrapped:
    """A text between what stays at its ends, as people read it, and the budget left for that."""

    whole: str
    budget: Budget
    start: int
    end: int
    inner: Readable
    room: Budget

    def asked(self, options: Settled) -> Settled:
        """What is asked of its summary: as long as the rest of what is asked for, with all that
        people read in the place of placeholders, in whichever sentences it is."""
        asked, held = options, self.inner.held
        if options.at_least:
            around = self.budget.amount - self.room.amount
            asked = replace(asked, at_least=max(0, options.at_least - around))
        if not held:
            return asked
        if decoder(options.method).keeps_rules:
            required = (*options.required, *(each.bare for each in held))
            asked = replace(asked, required=required[:MOST_REQUIRED])
        own = split(self.inner.text).keys
        forbidden = (*options.forbidden, *(mark for mark in _ADDED if mark not in own))
        holding = [one for one in self.sentences if any(each.places(one) for each in held)]
        told = "all" if len(holding) > 1 else options.sentences
        return replace(asked, forbidden=forbidden[:MOST_FORBIDDEN], sentences=told)

    @cached_property
    def sentences(self) -> list[str]:
        return sentences(self.inner.text)

    def proposal(self, result: Result, options: Settled) -> Proposal:
        """What to say, given what there is for what people read."""
        if isinstance(result, Summary) and result.method == "trimmed":
            return self._of(result, options)
        return self._some_sentences(options) or self._of(result, options)

    def _some_sentences(self, options: Settled) -> Proposal | None:
        """Some of its sentences as they are, most of those in a row that hold all placeholders."""
        from nacc.fitting.chain import without_model

        best: Proposal | None = None
        most = max(WELL_FILLED * self.room.amount, options.at_least or 0)
        for first in range(len(self.sentences) if self.inner.held else 0):
            for last in range(first + 1, len(self.sentences) + 1):
                said = "".join(self.sentences[first:last]).strip()
                if not self.room.fits(said):
                    break
                length = self.room.length(said)
                if length < most or self.inner.put_back(said) is None:
                    continue
                as_is, found = without_model(said, self.room, options), self._with(said)
                if as_is and as_is.method == "as-is" and found.text is not None:
                    others = self.sentences[:first] + self.sentences[last:]
                    best, most = replace(found, note=without(others)), length
        return best

    def _of(self, result: Result, options: Settled) -> Proposal:
        if not isinstance(result, Summary):
            return Proposal(problem=self._failed(result))
        said = result.text
        if self.inner.held and options.case != "lower":
            said = _OPENS.sub(self._opening, said)
        found = self._with(said)
        if found.text is None:
            return found
        if not self.inner.says_more(result.text):
            return Proposal(problem=f"nothing else fits beside {self._kept}")
        told = ""
        if _is_lead(result):
            told = self.inner.restored(getattr(result, "note", "") or "the first words only")
        sure = getattr(result, "confidence", None)
        note = without(left_out(result, self.inner.text))
        return replace(found, problem=told, confidence=sure, note=note)

    def _opening(self, found: regex.Match[str]) -> str:
        """A word after the end of a sentence, as the text writes it where it opens one."""
        word: str = found[0]
        capital = word[0].upper() + word[1:]
        return capital if capital in self.inner.text else word

    def _failed(self, error: NaccError) -> str:
        """Why there is nothing, in the text's own words."""
        if not self.inner.held:
            return str(error)
        why = f": {self.inner.restored(str(error))}" if isinstance(error, Untrusted) else ""
        return f"nothing that fits keeps {self._kept}{why}"

    @property
    def _kept(self) -> str:
        return ", ".join(each.original for each in self.inner.held)

    def _with(self, said: str) -> Proposal:
        """With those words in the place of what people read."""
        said = self.inner.put_back(said) or said
        text = self.whole[: self.start] + said + self.whole[self.end :]
        had, has = placeholders(self.whole), placeholders(text)
        if had != has:
            lost = list((Counter(had) - Counter(has)).elements())
            if lost:
                return Proposal(problem=f"it would lose {', '.join(lost)}")
            return Proposal(problem="its placeholders would be changed")
        if not self.budget.fits(text):
            return Proposal(problem="nothing fits together with what has to stay")
        return Proposal(text, self.budget.length(text))


class Proposals:
    """Made by a model, which is loaded when the first is asked for."""

    def __init__(self, load: Callable[[], Summarizer], options: Settled) -> None:
        self._load = load
        self._options = options

    def of(self, asked: Sequence[tuple[str, Budget]]) -> list[Proposal]:
        """A proposal for each text and the budget it exceeds."""
        found = [Proposal(problem=unusable(text)) for text, _ in asked]
        wrapped: dict[int, _Wrapped] = {}
        for i, (text, budget) in enumerate(asked):
            if not found[i].problem:
                try:
                    wrapped[i] = _wrapped(text, budget)
                except InvalidInput:
                    told = f"what has to stay leaves no room in {budget}"
                    found[i] = Proposal(problem=told)
        made = self._ask(wrapped, self._options)
        if "links" in decoder(self._options.method).needs:
            lost = {i: each for i, each in wrapped.items() if each.inner.held and not made[i].text}
            in_order = self._ask(lost, replace(self._options, extract=True))
            made |= {i: each for i, each in in_order.items() if each.text}
        return [made.get(i, each) for i, each in enumerate(found)]

    def _ask(self, asked: Mapping[int, _Wrapped], options: Settled) -> dict[int, Proposal]:
        """What the model proposes for each."""
        alike: defaultdict[tuple[Budget, Settled], dict[int, _Wrapped]] = defaultdict(dict)
        found: dict[int, Proposal] = {}
        for i, each in asked.items():
            try:
                alike[each.room, each.asked(options)][i] = each
            except InvalidOption as error:  # what must stay is also forbidden
                found[i] = Proposal(problem=str(error))
        for (room, wanted), texts in alike.items():
            read = [each.inner.text for each in texts.values()]
            results = self._summarizer.each(read, [room], wanted)
            for (i, each), (result,) in zip(texts.items(), results, strict=True):
                found[i] = each.proposal(result, wanted)
        return found

    @cached_property
    def _summarizer(self) -> Summarizer:
        return self._load()


def _wrapped(text: str, budget: Budget) -> _Wrapped:
    start, end = between_markup(text)
    inner = readable(text[start:end])
    around = budget.length(text) - budget.length(inner.text)
    room = Budget(budget.amount - around, budget.measure) if around else budget
    return _Wrapped(text, budget, start, end, inner, room)


def _is_lead(summary: Summary) -> bool:
    """Whether no model said it: the first words of a text, cut where the room ends."""
    return summary.method == "lead"
