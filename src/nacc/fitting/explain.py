"""How a summary came about: what each slot proposed, what was taken, why words were left out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import exp
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nacc.errors import BudgetTooSmall, InvalidInput, Untrusted
from nacc.fitting.fit import Fitted, paths
from nacc.fitting.reading import Reading
from nacc.lattice import NO_WORD
from nacc.length.budget import LARGEST, Budget
from nacc.options import Settled
from nacc.summary import Summary
from nacc.text.numbers import needed_scale
from nacc.text.phrases import Phrase
from nacc.text.punctuation import NEVER_SAID
from nacc.text.surface import finish, written
from nacc.text.words import UNKNOWN_WORDS, key

EPSILON = "ε"
LINKS = 3
"""How many links of a slot are told: the strongest, and the one taken."""
BUT_FOR_RULES = "but for the rules"
"""Told of what would have been said if it did not break them."""
Cause = Literal["rule", "budget", "epsilon", "passed", "word", "neighbours", "unseen"]


@dataclass(frozen=True)
class Candidate:
    """A word a slot may say, or ε; `refused` if a rule keeps it out."""

    word: str
    probability: float
    chosen: bool
    refused: bool


@dataclass(frozen=True)
class Link:
    """Where a path may go on: the slot's number, None for the end."""

    to: int | None
    probability: float
    chosen: bool


@dataclass(frozen=True)
class Slot:
    """One slot: its source word, its candidates from likely to unlikely, and the path through it.

    says:   the word that begins here; None for ε, for a word that goes on, and for a linked slot
            that the path goes past.
    length: of the finished string so far.
    number: the slot's, from 1.
    passed: of linked slots, the probability that a path goes through this one.
    links:  of linked slots, the likeliest ways on.
    """

    source: str
    candidates: tuple[Candidate, ...]
    chosen: str
    says: str | None
    length: int | float
    number: int
    passed: float | None = None
    links: tuple[Link, ...] = ()


@dataclass(frozen=True)
class Dropped:
    """A word of the source that the summary does not say, and why."""

    word: str
    slot: int
    cause: Cause
    why: str


@dataclass(frozen=True)
class Explanation:
    """All of it. `proven`: no other words of the vocabulary could score higher.

    begins:    of linked slots, the likeliest ones to begin with.
    expected:  of linked slots, how often each word of the summary is expected in an answer.
    would_say: what the model would have said, where that is not what is said; all but `summary` is
               of that then, or there is nothing.
    """

    summary: Summary
    proven: bool
    slots: tuple[Slot, ...]
    dropped: tuple[Dropped, ...]
    begins: tuple[Link, ...] = ()
    expected: tuple[tuple[str, float], ...] = ()
    would_say: Summary | None = None

    @property
    def of(self) -> Summary:
        """The summary that the slots make."""
        return self.would_say or self.summary

    @property
    def linked(self) -> bool:
        return bool(self.begins)


def explain(reading: Reading, budget: Budget, options: Settled, top: int) -> Explanation:
    """Why this text gives this summary; each slot with its `top` best candidates and the chosen."""
    best = _best(reading, budget, options)
    keys = best.reading.word_lattice.keys
    forms = written(keys, reading.sentence, reading.spellings, options.case)
    path = _Path(best, budget, options, tuple(forms))
    slots = tuple(path.slot(i, top) for i in range(best.reading.word_lattice.lattice.slots))
    return Explanation(
        best.summary,
        best.summary.proven,
        slots,
        path.dropped(),
        path.links(None),
        path.expected(),
    )


def explain_said(
    said: Summary, reading: Reading | None, budget: Budget, options: Settled, top: int
) -> Explanation:
    """How what is said came about; where the model did not say it, what that would have said.
    reading: None where the model cannot read the text."""
    asked = replace(options, extract=True) if said.method == "extract" else options
    try:
        found = None if reading is None else explain(reading, budget, asked, top)
    except (Untrusted, BudgetTooSmall, InvalidInput):
        found = None
    if found is None:
        return Explanation(said, said.proven, (), ())
    other = found.summary
    is_its = said.method in ("extract", options.method) and other.text == said.text
    return replace(found, summary=said, would_say=None if is_its else other)


def _best(reading: Reading, budget: Budget, options: Settled) -> Fitted:
    """The model's best answer; if none keeps the rules, the best of those that do not."""
    try:
        return paths(reading, budget, options)[0]
    except Untrusted:
        if not options.is_tidy:
            raise
    found = paths(reading, budget, replace(options, tidy=False))[0]
    return replace(found, summary=replace(found.summary, note=BUT_FOR_RULES))


@dataclass(frozen=True, eq=False)
class _Path:
    best: Fitted
    budget: Budget
    options: Settled
    forms: tuple[str, ...]

    def slot(self, i: int, top: int) -> Slot:
        answer, sentence = self.best.answer, self.best.reading.sentence
        begun = [token for token, s in zip(answer.tokens, answer.starts, strict=True) if s <= i]
        says = self.forms[begun[-1]] if i in answer.starts else None
        so_far, _ = finish([self.forms[token] for token in begun], sentence, self.options.case)
        every = self._candidates(i)
        shown = [c for n, c in enumerate(every) if n < top or c.chosen]
        chosen = next((c.word for c in every if c.chosen), EPSILON)
        place = int(self.best.reading.word_lattice.lattice.places[i])
        return Slot(
            source=sentence.words[place] if place >= 0 else "",
            candidates=tuple(shown),
            chosen=chosen,
            says=says,
            length=self.budget.length(so_far),
            number=i + 1,
            passed=None if self._passed is None else float(self._passed[i]),
            links=self.links(i),
        )

    def links(self, slot: int | None) -> tuple[Link, ...]:
        """Where a path may go on from a slot, or begin (None)."""
        lattice, starts = self.best.reading.word_lattice.lattice, self.best.answer.starts
        if lattice.links is None:
            return ()
        row = 0 if slot is None else slot + 1
        ways = [*range(row, lattice.slots), lattice.slots]  # paths lead onward, or end
        after = dict(zip((None, *starts), (*starts, lattice.slots), strict=True))
        found = [
            Link(None if way == lattice.slots else way + 1, exp(value), way == after.get(slot, -1))
            for way, value in zip(ways, lattice.links[row, ways].tolist(), strict=True)
        ]
        found.sort(key=lambda link: -link.probability)
        return tuple(link for n, link in enumerate(found) if n < LINKS or link.chosen)

    def expected(self) -> tuple[tuple[str, float], ...]:
        """How often each word that is said is expected, all the model's answers considered."""
        lattice = self.best.reading.word_lattice.lattice
        if self._passed is None:
            return ()
        often = np.zeros(len(self.forms) + 1)
        np.add.at(often, lattice.words, self._passed[:, None] * np.exp(lattice.values))
        return tuple((self.forms[word], float(often[word])) for word in self.best.answer.tokens)

    @cached_property
    def _passed(self) -> NDArray[np.float64] | None:
        """The probability that a path goes through each slot; None where slots are not linked."""
        links = self.best.reading.word_lattice.lattice.links
        if links is None:
            return None
        onward = np.exp(links)
        passed = onward[0, :-1].copy()
        for slot in range(len(passed)):
            passed[slot + 1 :] += passed[slot] * onward[slot + 1, slot + 1 : -1]
        return passed

    def _candidates(self, i: int) -> list[Candidate]:
        lattice, taken = self.best.reading.word_lattice.lattice, self.best.answer.slots[i]
        found = []
        if lattice.links is None:
            found.append(Candidate(EPSILON, exp(lattice.blank[i]), taken == NO_WORD, False))
        for word, value in zip(lattice.words[i].tolist(), lattice.values[i].tolist(), strict=True):
            if word != NO_WORD:
                refused = word in self.best.refused
                found.append(Candidate(self.forms[word], exp(value), word == taken, refused))
        return sorted(found, key=lambda candidate: -candidate.probability)

    def dropped(self) -> tuple[Dropped, ...]:
        """The source's words that are not said; marks aside."""
        sentence, said = self.best.reading.sentence, set(self.best.answer.tokens)
        ids = self.best.reading.ids
        each = len(self.best.answer.slots) // len(sentence)
        return tuple(
            Dropped(word, each * i + 1, *self._cause(i))
            for i, word in enumerate(sentence.words)
            if ids.get(key(word)) not in said and any(c.isalnum() for c in word)
        )

    def _cause(self, place: int) -> tuple[Cause, str]:
        reading, lattice = self.best.reading, self.best.reading.word_lattice.lattice
        lower = reading.sentence.keys[place]
        word = reading.ids.get(lower)
        if word is None:
            return "unseen", f"not among the {lattice.words.shape[1]} likeliest words of any slot"
        if word in self.best.refused:
            return "rule", self._rule(lower, place)
        if word in self._free.answer.tokens:
            length = f"{self._free.summary.length:g} {self.budget.measure}"
            return "budget", f"no room: said when there are {length}"
        often = np.ones(lattice.slots) if self._passed is None else self._passed
        at, value = max(
            (
                (s, lattice.values[s, k])
                for s, k in zip(*(lattice.words == word).nonzero(), strict=True)
            ),
            key=lambda found: often[found[0]] * exp(found[1]),
        )
        taken = self._free.answer.slots[at]
        if taken == NO_WORD and self._passed is not None:
            passed = f"{percent(float(self._passed[at]))} of all paths go through it"
            return "passed", f"the path goes past slot {at + 1}, its likeliest; {passed}"
        if taken == NO_WORD:
            rival, against = EPSILON, lattice.blank[at]
        else:
            rival = f"“{self.forms[taken]}”"
            against = lattice.values[at][lattice.words[at] == taken][0]
        odds = f"{percent(exp(value))} against {percent(exp(against))} at slot {at + 1}"
        if value > against:
            return "neighbours", f"outweighed by its neighbours: {rival} instead, {odds}"
        return ("epsilon" if taken == NO_WORD else "word"), f"lost to {rival}: {odds}"

    def _rule(self, lower: str, place: int) -> str:
        if any(Phrase.of(each).matches([lower]) for each in self.options.forbidden):
            return "rule: forbidden"
        if lower in NEVER_SAID or lower in UNKNOWN_WORDS:
            return "rule: never said"
        sentence = self.best.reading.sentence
        for at in (place, *self.best.reading.places[lower]):
            if needed_scale(sentence.keys, at):
                return f"rule: never said without its “{sentence.words[at + 1]}”"
        return "rule: never said without its number"

    @cached_property
    def _free(self) -> Fitted:
        """What would be said if there were room for everything."""
        reading = self.best.reading
        everything = 3 * self.budget.length(" ".join(reading.sentence.words)) + 100
        room = Budget(min(LARGEST, int(everything)), self.budget.measure)
        return _best(reading, room, replace(self.options, at_least=0, fill=0.0, alternatives=1))


def percent(probability: float) -> str:
    """A probability for people: 93%, 4%, <1%."""
    return f"{probability:.0%}" if probability >= 0.005 else "<1%"
