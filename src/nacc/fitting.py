"""From one sentence's lattice to a finished string within a budget: the rules and the promise.

The promise is on the finished string. Weights make it hold for most measures by themselves; where
they cannot (kerning, capitals, shaping), the string is measured and decoded again in less room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nacc.budget import Budget
from nacc.decoding import Coherence, Decoded, alternatives, decode
from nacc.errors import BudgetTooSmall, InvalidInput
from nacc.lattice import NO_WORD, Lattice
from nacc.measures.measure import NEVER, Plan
from nacc.reading import Reading, dangles
from nacc.runtime.lattices import WordLattice
from nacc.summary import Summary, SummaryWord
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.numbers import needed_scale
from nacc.text.punctuation import NEVER_SAID
from nacc.text.surface import finish, piece, requoted, written
from nacc.text.words import UNKNOWN, key
from nacc.wishes import TIDY, Wishes

NATURAL = 0.5
"""A floor never asks for more than this share of the source: short texts need not fill it."""


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
        return [_truncated(_with_required(reading, wishes), budget, wishes)]
    return [fitted.summary for fitted in paths(reading, budget, wishes, n)]


def paths(reading: Reading, budget: Budget, wishes: Wishes, n: int = 1) -> list[Fitted]:
    """`fit`, with the paths that the summaries came from."""
    reading = _with_required(reading, wishes)
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
    weights = plan.weigh(pieces)
    room = plan.room
    refused = _forbidden(reading, wishes)
    asked = n
    while room > 0:
        try:
            answers = _decode(reading, budget, wishes, weights, room, refused, asked)
        except BudgetTooSmall:
            return []
        broken = _broken_numbers(reading, wishes, answers[0]) - refused if answers else set()
        if broken:
            refused |= broken
            continue
        sound = [answer for answer in answers if not _broken_numbers(reading, wishes, answer)]
        if len(sound) < n and len(answers) == asked < 8 * n:
            asked *= 2
            continue
        answers = sound[:n]
        made = [_finished(reading, budget, wishes, forms, answer) for answer in answers]
        over = max((budget.overshoot(summary.text) for summary in made), default=0)
        if not over:
            both = zip(made, answers, strict=True)
            return [Fitted(said, how, reading, frozenset(refused)) for said, how in both]
        room -= over
    return []


def _decode(
    reading: Reading,
    budget: Budget,
    wishes: Wishes,
    weights: np.ndarray[tuple[int], np.dtype[np.int64]],
    room: int,
    refused: set[int],
    n: int,
) -> list[Decoded]:
    rules: dict[str, Any] = {}
    if wishes.method in TIDY:
        rules["required"] = [reading.ids[key(word)] for word in wishes.required]
    if wishes.is_tidy:
        rules["no_dangling"] = reading.dangling
        rules["once"] = set(range(len(reading.found.keys))) - reading.dangling
    coherence = None
    if wishes.method == "coherent":
        coherence = Coherence(reading.bigrams, reading.coherence_ids, wishes.coherence)  # type: ignore[arg-type]
    floor = _floor(reading, budget, wishes, weights, room)
    lattice = _without(reading.found.lattice, refused)
    if n > 1:
        return alternatives(
            lattice, weights, room, n,
            at_least=floor, method=wishes.method, coherence=coherence, **rules,
        )  # fmt: skip
    return [
        decode(
            lattice,
            weights,
            room,
            at_least=floor,
            method=wishes.method,
            bucket=wishes.bucket,
            coherence=coherence,
            **rules,
        )
    ]


def _without(lattice: Lattice, refused: set[int]) -> Lattice:
    """The lattice less some words: what every method can do, whether it knows rules or not."""
    if not refused:
        return lattice
    gone = np.zeros(max(int(lattice.words.max()), *refused) + 1, np.bool_)
    gone[list(refused)] = True
    out = gone[lattice.words]
    words, values = np.where(out, NO_WORD, lattice.words), np.where(out, -np.inf, lattice.values)
    return Lattice(words, values, lattice.blank, lattice.rest)


def _floor(
    reading: Reading,
    budget: Budget,
    wishes: Wishes,
    weights: np.ndarray[tuple[int], np.dtype[np.int64]],
    room: int,
) -> int:
    """The least weight accepted: what the caller asked for, or a well-filled budget."""
    space = int(budget.measure.weights([" "])[0])
    if wishes.at_least is not None:
        floor = budget.measure.capacity(wishes.at_least) + space if wishes.at_least else 0
    else:
        known = [weights[reading.ids[w]] for w in reading.sentence.keys if w in reading.ids]
        source = int(sum(w for w in known if w < NEVER))
        floor = int(min(wishes.fill * (room - space), NATURAL * source)) + space
    # A tidy summary says something: one unit is the least that is not the empty string.
    return min(room, max(floor, 1 if wishes.is_tidy else 0))


def _broken_numbers(reading: Reading, wishes: Wishes, answer: Decoded) -> set[int]:
    """Numbers said without the scale their source gives them: 150 euros of 150 billion euros."""
    if not wishes.is_tidy:
        return set()
    required = {key(word) for word in wishes.required}
    keys = [reading.found.keys[i] for i in answer.tokens]
    broken = set()
    for i, word in enumerate(keys):
        place = _nearest(reading.places.get(word), answer.starts[i])
        if place is None or word in required:
            continue
        scales = needed_scale(reading.sentence.keys, place)
        if scales and (i + 1 == len(keys) or keys[i + 1] not in scales):
            broken.add(answer.tokens[i])
    return broken


def _forbidden(reading: Reading, wishes: Wishes) -> set[int]:
    unwanted = {key(word) for word in wishes.forbidden}
    source = reading.places
    required = {key(word) for word in wishes.required}

    def refused(word: str) -> bool:
        if word in UNKNOWN or word in NEVER_SAID or word in unwanted:
            return True
        new = wishes.faithful and word not in source and word not in FUNCTION_WORDS
        return new and word not in required

    return {i for i, word in enumerate(reading.found.keys) if refused(word)}


def _finished(
    reading: Reading, budget: Budget, wishes: Wishes, forms: Sequence[str], answer: Decoded
) -> Summary:
    sentence = reading.sentence
    words = [forms[i] for i in answer.tokens]
    text, kept = finish(words, sentence, wishes.case)
    keys = [reading.found.keys[i] for i in answer.tokens]
    places = [_nearest(reading.places.get(keys[i]), answer.starts[i]) for i in kept]
    if sentence.style == "written" and wishes.case != "lower" and budget.fits(text):
        for quoted in requoted(text, places, sentence):
            text = quoted if budget.fits(quoted) else text
    said = tuple(SummaryWord(words[i], place) for i, place in zip(kept, places, strict=True))
    return _summary(reading, budget, wishes, text, answer.score, said)


def _summary(
    reading: Reading,
    budget: Budget,
    wishes: Wishes,
    text: str,
    score: float,
    words: tuple[SummaryWord, ...],
) -> Summary:
    length = budget.length(text)
    return Summary(
        text=text,
        length=length,
        unit=str(budget.measure),
        budget=budget.amount,
        score=score,
        method=wishes.method,
        fits=length <= budget.amount,
        words=words,
        truncated_input=reading.truncated,
    )


def _nearest(places: list[int] | None, slot: int) -> int | None:
    return min(places, key=lambda place: abs(place - slot)) if places else None


def _truncated(reading: Reading, budget: Budget, wishes: Wishes) -> Summary:
    """The paper's baseline: the unconstrained output, cut at the budget, even inside a word."""
    forms = written(reading.found.keys, reading.sentence, reading.usual, wishes.case)
    ones = np.ones(len(forms), dtype=np.int64)
    unmeasured = np.flatnonzero(budget.measure.weights(forms) >= NEVER)
    refused = _forbidden(reading, wishes).union(unmeasured.tolist())
    lattice = _without(reading.found.lattice, refused)
    answer = decode(lattice, ones, lattice.slots, method="greedy")
    text, _ = finish([forms[i] for i in answer.tokens], reading.sentence, wishes.case)
    while text and not budget.fits(text):
        text = text[:-1]
    return _summary(reading, budget, wishes, text.rstrip(" "), answer.score, ())


def _with_required(reading: Reading, wishes: Wishes) -> Reading:
    """Make sure each required word is a candidate: one of the source may stand at its own place."""
    if wishes.required and wishes.method not in TIDY:
        raise InvalidInput(f"required words need method exact or coherent, not {wishes.method}")
    unwanted = {key(word) for word in wishes.forbidden} | UNKNOWN | NEVER_SAID
    for word in wishes.required:
        lower = key(word)
        if lower in unwanted:
            raise InvalidInput(f"required word {word!r} is also forbidden, or never said")
        if lower in reading.ids:
            continue
        if lower not in reading.places:
            raise InvalidInput(
                f"required word {word!r} is neither in the text nor among the words the model "
                "proposes for it"
            )
        reading = _add(reading, lower)
    return reading


def _add(reading: Reading, word: str) -> Reading:
    """The reading with one more candidate, as likely as the likeliest word left out."""
    old, new = reading.found.lattice, len(reading.found.keys)
    words = np.pad(old.words, ((0, 0), (0, 1)), constant_values=-1)
    values = np.pad(old.values, ((0, 0), (0, 1)), constant_values=-np.inf)
    for place in reading.places[word]:
        words[place, -1] = new
        values[place, -1] = old.rest[place]
    found = WordLattice(
        Lattice(words, values, old.blank, old.rest),
        (*reading.found.keys, word),
        np.append(reading.found.vocabulary, -1),
    )
    return Reading(reading.sentence, reading.truncated, found, reading.usual, reading.bigrams)


def _too_small(
    reading: Reading, budget: Budget, wishes: Wishes, forms: Sequence[str]
) -> BudgetTooSmall:
    """Names the smallest budget that would do: the required words, or the shortest that can stand
    alone."""
    refused = _forbidden(reading, wishes)
    if wishes.required:
        words = [forms[reading.ids[key(word)]] for word in wishes.required]
        smallest = budget.length(finish(words, reading.sentence, wishes.case)[0])
    else:
        lengths = []
        for i, word in enumerate(reading.found.keys):
            if i in refused or dangles(word):
                continue
            try:
                lengths.append(budget.length(finish([forms[i]], reading.sentence, wishes.case)[0]))
            except InvalidInput:
                continue
        if not lengths:
            return BudgetTooSmall(f"no word of this text can be said in {budget.measure}", 0)
        smallest = min(lengths)
    return BudgetTooSmall(
        f"nothing sensible fits in {budget}: the smallest budget that would do for this text is "
        f"{smallest} {budget.measure}",
        smallest,
    )
