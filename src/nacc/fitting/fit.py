"""From one sentence's lattice to a finished string within a budget.

The promise is on the finished string. Weights make it hold for most measures by themselves; where
they cannot (kerning, capitals, shaping), the string is measured and decoded again in less room.

A decoder's table is as wide as its room, and a line of pixels is thousands of units wide. There
the decoder counts in coarser units: words rounded up and the room down, so the promise holds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nacc.decoding import Coherence, Decoded, alternatives, decode
from nacc.errors import BudgetTooSmall, InvalidInput
from nacc.fitting.finish import as_summary, finished
from nacc.fitting.reading import Reading, dangles
from nacc.fitting.rules import broken_numbers, forbidden, with_required
from nacc.lattice import NO_WORD
from nacc.length.budget import Budget
from nacc.length.measures.measure import NEVER, Plan
from nacc.options import TIDY, Wishes
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


def fit(reading: Reading, budget: Budget, wishes: Wishes, n: int = 1) -> list[Summary]:
    """The n best summaries within the budget, best first; at least one, or BudgetTooSmall."""
    if wishes.method == "truncate":
        return [_truncated(_possible(reading, budget, wishes), budget, wishes)]
    return [fitted.summary for fitted in paths(reading, budget, wishes, n)]


def paths(reading: Reading, budget: Budget, wishes: Wishes, n: int = 1) -> list[Fitted]:
    """`fit`, with the paths that the summaries came from."""
    reading = _possible(reading, budget, wishes)
    forms = written(reading.found.keys, reading.sentence, reading.usual, wishes.case)
    pieces = [piece(form, reading.sentence) for form in forms]
    found: dict[str, Fitted] = {}
    for plan in budget.plans():
        for fitted in _spend(reading, budget, wishes, plan, forms, pieces, n):
            kept = found.get(fitted.summary.text)
            if kept is None or fitted.summary.score > kept.summary.score:
                found[fitted.summary.text] = fitted
    best = sorted(found.values(), key=lambda fitted: -fitted.summary.score)[:n]
    if not best or (not best[0].summary.text and wishes.method in TIDY):
        raise _too_small(reading, budget, wishes, forms)
    return best


def _possible(reading: Reading, budget: Budget, wishes: Wishes) -> Reading:
    """The reading with the required words among its candidates; InvalidInput if the wishes are at
    odds with it or the budget."""
    if wishes.at_least is not None and wishes.at_least > budget.amount:
        raise InvalidInput(f"at_least = {wishes.at_least:g} is more than the budget of {budget}")
    return with_required(reading, wishes)


def _spend(
    reading: Reading,
    budget: Budget,
    wishes: Wishes,
    plan: Plan,
    forms: Sequence[str],
    pieces: Sequence[str],
    n: int,
) -> list[Fitted]:
    """Decode within one plan's room; again in less where the finished string came out too long."""
    weights, room = plan.weigh(pieces), plan.room
    unit = _unit(reading, weights, room) if wishes.method in TIDY else 1
    refused = forbidden(reading, wishes)
    asked = n
    while room > 0:
        try:
            answers = _decode(reading, budget, wishes, weights, room, unit, refused, asked)
        except BudgetTooSmall:
            answers = []
        if unit > 1 and not any(answer.tokens for answer in answers):
            unit = 1  # rounding may leave no room for what fits to the last pixel
            continue
        broken = broken_numbers(reading, wishes, answers[0]) - refused if answers else set()
        if broken:
            refused |= broken
            continue
        sound = [answer for answer in answers if not broken_numbers(reading, wishes, answer)]
        if len(sound) < n and len(answers) == asked < 8 * n:
            asked *= 2
            continue
        answers = sound[:n]
        made = [finished(reading, budget, wishes, forms, answer) for answer in answers]
        over = max((budget.overshoot(summary.text) for summary in made), default=0)
        if not over:
            both = zip(made, answers, strict=True)
            return [Fitted(said, how, reading, frozenset(refused)) for said, how in both]
        room -= -(-over // unit) * unit
    return []


def _unit(reading: Reading, weights: Weights, room: int) -> int:
    """How many of the measure's units the decoder takes for one."""
    if room <= WIDE or not (weights < NEVER).any():
        return 1
    fitting = np.where(weights <= room, weights, 0)
    lattice = reading.found.lattice
    heaviest = int(np.where(lattice.words == NO_WORD, 0, fitting[lattice.words]).max(1).sum())
    usual = int(weights[weights < NEVER].mean())
    if heaviest <= WIDE:
        return 1
    return max(1, min(-(-min(room, heaviest) // (WIDE // 2)), usual // FINE))


def _decode(
    reading: Reading,
    budget: Budget,
    wishes: Wishes,
    weights: Weights,
    room: int,
    unit: int,
    refused: set[int],
    n: int,
) -> list[Decoded]:
    """The n best answers; `unit` of the measure's units are one of the decoder's."""
    rules: dict[str, Any] = {}
    if wishes.method in TIDY:
        rules["required"] = [reading.ids[key(word)] for word in wishes.required]
    if wishes.is_tidy:
        rules["no_dangling"] = reading.dangling
        rules["once"] = reading.content
    coherence = None
    if wishes.method == "coherent":
        coherence = Coherence(
            reading.bigrams,  # type: ignore[arg-type]
            reading.coherence_ids,
            wishes.coherence,
            adjacent=reading.adjacent,
            adjacency=wishes.adjacency,
        )
    floor = _floor(reading, budget, wishes, weights, room)
    if unit > 1:
        usable, fine = weights < NEVER, weights
        weights, room = -(-fine // unit), room // unit
        grown = weights[usable].sum() / fine[usable].sum()  # so must the floor, which they reach
        floor = min(room, math.ceil(floor * grown))
    lattice = reading.found.lattice.without(refused)
    rules |= {"at_least": floor, "method": wishes.method, "coherence": coherence}
    if n > 1:
        answers = alternatives(lattice, weights, room, n, **rules)
    else:
        answers = [decode(lattice, weights, room, bucket=wishes.bucket, **rules)]
    if unit > 1:  # rounding may have kept a better one out
        return [replace(answer, exact=False, optimal=False) for answer in answers]
    return answers


def _floor(reading: Reading, budget: Budget, wishes: Wishes, weights: Weights, room: int) -> int:
    """The least weight accepted: what the caller asked for, or a well-filled budget."""
    space = int(budget.measure.weights([" "])[0])
    if wishes.at_least is not None:
        floor = budget.measure.capacity(wishes.at_least) + space if wishes.at_least else 0
    else:
        known = [weights[reading.ids[w]] for w in reading.sentence.keys if w in reading.ids]
        source = int(sum(w for w in known if w < NEVER))
        floor = int(min(wishes.fill * (room - space), NATURAL * source)) + space
    # An empty answer is none; the paper's own methods may give it, for it may be their best path.
    says_something = wishes.is_tidy or wishes.method in TIDY
    # One unit is the least that is not the empty string.
    return min(room, max(floor, 1 if says_something else 0))


def _truncated(reading: Reading, budget: Budget, wishes: Wishes) -> Summary:
    """The paper's baseline: the unconstrained output, cut at the budget, even inside a word."""
    forms = written(reading.found.keys, reading.sentence, reading.usual, wishes.case)
    ones = np.ones(len(forms), dtype=np.int64)
    unmeasured = np.flatnonzero(budget.measure.weights(forms) >= NEVER)
    refused = forbidden(reading, wishes).union(unmeasured.tolist())
    lattice = reading.found.lattice.without(refused)
    answer = decode(lattice, ones, lattice.slots, method=wishes.method)
    text, _ = finish([forms[i] for i in answer.tokens], reading.sentence, wishes.case)
    while text and not budget.fits(text):
        text = text[:-1]
    return as_summary(reading, budget, wishes, text.rstrip(" "), answer.score, ())


def _too_small(
    reading: Reading, budget: Budget, wishes: Wishes, forms: Sequence[str]
) -> BudgetTooSmall:
    """Names the smallest budget that would do: the required words, or the shortest that can stand
    alone."""
    refused = forbidden(reading, wishes)
    if wishes.required:
        words = [forms[reading.ids[key(word)]] for word in wishes.required]
        smallest = budget.length(finish(words, reading.sentence, wishes.case)[0])
    else:
        lengths = []
        for i, word in enumerate(reading.found.keys):
            if i in refused or (wishes.is_tidy and dangles(word)):
                continue
            text, _ = finish([forms[i]], reading.sentence, wishes.case)
            with suppress(InvalidInput):
                lengths += [budget.length(text)] if text else []
        if not lengths:
            return BudgetTooSmall(f"no word of this text can be said in {budget.measure}", 0)
        smallest = min(lengths)
    return BudgetTooSmall(
        f"nothing sensible fits in {budget}: the smallest budget that would do for this text is "
        f"{smallest} {budget.measure}",
        smallest,
    )
