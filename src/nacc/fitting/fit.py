"""From one sentence's lattice to a finished string within a budget.

The promise is on the finished string. Weights make it hold for most measures by themselves; where
they cannot (kerning, capitals, shaping), the string is measured and decoded again in less room.

A decoder's table is as wide as its room, and a line of pixels is thousands of units wide. There
the decoder counts in coarser units: words rounded up and the room down, so the promise holds.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nacc.decoding import Coherence, Decoded, alternatives, decode
from nacc.decoding.registry import Decoder, decoder
from nacc.errors import BudgetTooSmall, InvalidInput
from nacc.fitting.finish import as_summary, finished
from nacc.fitting.reading import Reading, dangles
from nacc.fitting.rules import broken_numbers, forbidden, with_required
from nacc.lattice import NO_WORD
from nacc.length.budget import Budget
from nacc.length.lead import cut
from nacc.length.measures import NEVER, WeightPlan
from nacc.options import Settled
from nacc.summary import Summary
from nacc.text.surface import finish, piece, written
from nacc.text.words import key

Weights: TypeAlias = NDArray[np.int64]

NATURAL = 0.5
"""A floor never asks for more than this share of the source: short texts need not fill it."""
WIDE = 1700
"""Rooms wider than this (some 400 px) are counted in coarser units, half as many at most …"""
FINE = 16
"""… of which a word still weighs this many or more, on average."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A summary and the path it came from: the decoder's answer, among which words, and which of
    them a rule refused."""

    summary: Summary
    answer: Decoded
    reading: Reading
    refused: frozenset[int]


def fit(reading: Reading, budget: Budget, options: Settled) -> list[Summary]:
    """The best summaries within the budget, as many as asked for (`alternatives`), best first; at
    least one, or BudgetTooSmall."""
    fitting = Fitting.of(reading, budget, options)
    if not fitting.decoder.whole_words:
        return [fitting.cut()]
    return [fitted.summary for fitted in fitting.paths()]


def paths(reading: Reading, budget: Budget, options: Settled) -> list[Fitted]:
    """`fit`, with the paths that the summaries came from."""
    return Fitting.of(reading, budget, options).paths()


@dataclass(frozen=True, eq=False)
class Fitting:
    """One reading on its way into one budget."""

    reading: Reading
    budget: Budget
    options: Settled

    @classmethod
    def of(cls, reading: Reading, budget: Budget, options: Settled) -> Fitting:
        """InvalidOption if what is asked for is at odds with the text or the budget."""
        options.check_against(budget)
        return cls(with_required(reading, options), budget, options)

    @cached_property
    def decoder(self) -> Decoder:
        return decoder(self.options.method)

    @cached_property
    def forms(self) -> list[str]:
        """How each of the lattice's words is written."""
        keys, sentence = self.reading.word_lattice.keys, self.reading.sentence
        return written(keys, sentence, self.reading.spellings, self.options.case)

    @cached_property
    def pieces(self) -> list[str]:
        """The same as they stand inside a string, which is what plans weigh."""
        return [piece(form, self.reading.sentence) for form in self.forms]

    def paths(self) -> list[Fitted]:
        """The best answers of all the ways to spend the budget."""
        found: dict[str, Fitted] = {}
        for plan in self.budget.plans():
            for fitted in self._decode_within(plan):
                kept = found.get(fitted.summary.text)
                if kept is None or fitted.summary.score > kept.summary.score:
                    found[fitted.summary.text] = fitted
        ranked = sorted(found.values(), key=lambda fitted: -fitted.summary.score)
        best = ranked[: self.options.alternatives]
        if not best or (not best[0].summary.text and self.decoder.keeps_rules):
            raise self._too_small()
        return best

    def cut(self) -> Summary:
        """The paper's baseline: the unconstrained output, cut at the budget, even inside a word."""
        ones = np.ones(len(self.forms), dtype=np.int64)
        unmeasured = np.flatnonzero(self.budget.measure.weights(self.forms) >= NEVER)
        refused = forbidden(self.reading, self.options).union(unmeasured.tolist())
        lattice = self.reading.word_lattice.lattice.without(refused)
        answer = decode(lattice, ones, lattice.slots, method=self.options.method)
        words = [self.forms[i] for i in answer.tokens]
        text, _ = finish(words, self.reading.sentence, self.options.case)
        text = cut(text, self.budget)
        return as_summary(self.reading, self.budget, self.options, text, answer.score, ())

    def _decode_within(self, plan: WeightPlan) -> list[Fitted]:
        """Decode within a plan's room; again in less where the string came out too long."""
        n = asked = self.options.alternatives
        room = Room.of(self, plan)
        refused = forbidden(self.reading, self.options)
        while room.size > 0:
            try:
                answers = self._decode(room, refused, asked)
            except BudgetTooSmall:
                answers = []
            if room.unit > 1 and not any(answer.tokens for answer in answers):
                room = replace(room, unit=1)  # rounding may leave no room for what just fits
                continue
            broken = self._broken(answers[0]) - refused if answers else set()
            if broken:
                refused |= broken
                continue
            sound = [answer for answer in answers if not self._broken(answer)]
            if len(sound) < n and len(answers) == asked < 8 * n:
                asked *= 2
                continue
            made = [
                (finished(self.reading, self.budget, self.options, self.forms, answer), answer)
                for answer in sound[:n]
            ]
            over = max((self.budget.overshoot(said.text) for said, _ in made), default=0)
            if not over:
                return [Fitted(said, how, self.reading, frozenset(refused)) for said, how in made]
            room = replace(room, size=room.size - -(-over // room.unit) * room.unit)
        return []

    def _broken(self, answer: Decoded) -> set[int]:
        return broken_numbers(self.reading, self.options, answer)

    def _decode(self, room: Room, refused: set[int], n: int) -> list[Decoded]:
        """The n best answers within a room."""
        weights, low, high = room.counted(self._floor(room))
        how: dict[str, Any] = {"method": self.options.method, "at_least": low, **self._rules()}
        lattice = self.reading.word_lattice.lattice.without(refused)
        if n > 1:
            answers = alternatives(lattice, weights, high, n, **how)
        else:
            answers = [decode(lattice, weights, high, bucket=self.options.bucket, **how)]
        if room.unit > 1:  # rounding may have kept a better one out
            return [replace(answer, exact=False, optimal=False) for answer in answers]
        return answers

    def _rules(self) -> dict[str, Any]:
        """What the decoder is told beyond the weights."""
        reading, options = self.reading, self.options
        rules: dict[str, Any] = {}
        if self.decoder.keeps_rules:
            rules["required"] = [reading.ids[key(word)] for word in options.required]
        if options.is_tidy:
            rules |= {"no_dangling": reading.dangling, "once": reading.content}
        if "bigrams" in self.decoder.needs:
            rules["coherence"] = Coherence(
                reading.needed_bigrams,
                reading.bigram_ids,
                options.coherence,
                adjacent=reading.adjacent,
                adjacency=options.adjacency,
            )
        return rules

    def _floor(self, room: Room) -> int:
        """The least weight accepted: what the caller asked for, or a well-filled budget."""
        space = int(self.budget.measure.weights([" "])[0])
        options, ids = self.options, self.reading.ids
        if options.at_least is not None:
            asked = self.budget.measure.capacity(options.at_least) + space
            floor = asked if options.at_least else 0
        else:
            known = [room.weights[ids[w]] for w in self.reading.sentence.keys if w in ids]
            source = int(sum(w for w in known if w < NEVER))
            floor = int(min(options.fill * (room.size - space), NATURAL * source)) + space
        # An empty answer is none; the paper's own methods may give it, for it may be their best
        # path. One unit is the least that is not the empty string.
        says_something = options.is_tidy or self.decoder.keeps_rules
        return min(room.size, max(floor, 1 if says_something else 0))

    def _too_small(self) -> BudgetTooSmall:
        """Names the smallest budget that would do: the required words, or the shortest that can
        stand alone."""
        reading, budget, options = self.reading, self.budget, self.options
        refused = forbidden(reading, options)
        if options.required:
            words = [self.forms[reading.ids[key(word)]] for word in options.required]
            smallest = budget.length(finish(words, reading.sentence, options.case)[0])
        else:
            lengths = []
            for i, word in enumerate(reading.word_lattice.keys):
                if i in refused or (options.is_tidy and dangles(word)):
                    continue
                text, _ = finish([self.forms[i]], reading.sentence, options.case)
                with suppress(InvalidInput):
                    lengths += [budget.length(text)] if text else []
            if not lengths:
                return BudgetTooSmall(f"no word of this text can be said in {budget.measure}", 0)
            smallest = min(lengths)
        return BudgetTooSmall(
            f"nothing sensible fits in {budget}: the smallest budget that would do for this text "
            f"is {smallest} {budget.measure}",
            smallest,
        )


@dataclass(frozen=True, eq=False)
class Room:
    """How much the words may weigh together, and how many of the measure's units are one of the
    decoder's."""

    weights: Weights
    size: int
    unit: int

    @classmethod
    def of(cls, fitting: Fitting, plan: WeightPlan) -> Room:
        weights = plan.weigh(fitting.pieces)
        coarse = fitting.decoder.keeps_rules and plan.room > WIDE and (weights < NEVER).any()
        return cls(weights, plan.room, _unit(fitting.reading, weights, plan.room) if coarse else 1)

    def counted(self, floor: int) -> tuple[Weights, int, int]:
        """Weights, floor and room in the decoder's units."""
        if self.unit == 1:
            return self.weights, floor, self.size
        usable = self.weights < NEVER
        weights, high = -(-self.weights // self.unit), self.size // self.unit
        grown = weights[usable].sum() / self.weights[usable].sum()  # so must the floor
        return weights, min(high, math.ceil(floor * grown)), high


def _unit(reading: Reading, weights: Weights, room: int) -> int:
    """How many of the measure's units the decoder takes for one, in a wide room."""
    fitting = np.where(weights <= room, weights, 0)
    lattice = reading.word_lattice.lattice
    heaviest = int(np.where(lattice.words == NO_WORD, 0, fitting[lattice.words]).max(1).sum())
    usual = int(weights[weights < NEVER].mean())
    if heaviest <= WIDE:
        return 1
    return max(1, min(-(-min(room, heaviest) // (WIDE // 2)), usual // FINE))
