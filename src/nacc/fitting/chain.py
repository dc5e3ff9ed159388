"""From a text to what is said of it: the first of these that there is.

as-is    the text itself, where it fits
trimmed  the text less what can be spared, where it fits then
lead     its first whole words, where it is not English or has no words: the model would invent
lead     its first sentence, where it has several, that one fits, and the model is in doubt
model    the model's best answer that keeps the rules and the meaning, if it is sure enough
extract  else its best answer of the text's own words, in their order
lead     else the first whole words; or an error, if the caller would rather
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate, chain, islice, repeat
from typing import Any

import regex

from nacc.deadline import check
from nacc.effort import effort
from nacc.errors import BudgetTooSmall, InvalidInput, NaccError, Stopped, Untrusted
from nacc.fitting.finish import as_summary, in_order
from nacc.fitting.fit import fit
from nacc.fitting.reading import Reading, looked_at, opened
from nacc.fitting.rules import keeps_rules, said_in
from nacc.fitting.task import Task
from nacc.fitting.too_small import least, no_room, too_small
from nacc.length.budget import Budget
from nacc.length.lead import lead, word_ends
from nacc.options import Settled
from nacc.summary import Summary, SummaryWord
from nacc.text.amounts import amounts
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.language import reason_not_english
from nacc.text.meaning import violates
from nacc.text.trimming import has_verb, trimmings
from nacc.text.words import Sentence, split

_OPENS = regex.compile(r"[\p{Pd}\p{Ps}\p{Pi},;:&/+=|*•·]+")
"""Marks that something follows."""
_MOST_STEPS, _SPARE_STEPS = 3 * 2**25, 2**25
"""What all rounds of decoding may take together, some 0.15 s, and those for an extract in its place
a third of that. A headline of ordinary text takes a hundredth."""
_MOST_LEADS = 12
"""Beginnings looked at, of a text however long."""
DOUBTFUL, _STATEMENT = 0.5, 4
"""How sure a model is not that had better say a whole first sentence; and words of one."""
_LONGEST_NUMBER = 8
"""Words of a number, with its range and its unit."""


def without_model(text: str, budget: Budget, options: Settled) -> Summary | None:
    """What is said of a text that needs no model, or should have none; None: ask the model."""
    check()
    whole = text.strip()
    if options.rewrite == "needed":
        for method, said in chain([("as-is", whole)], zip(repeat("trimmed"), trimmings(whole))):
            if _fits(budget, said) and keeps_rules(said, options):
                return replace(_unchanged(said, text, budget, method), confidence=1.0)
    reason = reason_not_english(whole)
    return beginning(text, budget, options, reason) if reason else None


def needless(
    text: Any, budgets: Sequence[Budget], options: Settled
) -> list[Summary | NaccError | None]:
    """For each budget what `without_model` says of a text, or why nothing can be said of it."""
    try:
        words = checked(text)
        return [without_model(words, budget, options) for budget in budgets]
    except Stopped:
        raise
    except NaccError as error:
        return [error.with_traceback(None)] * len(budgets)


def checked(text: Any) -> str:
    """The text, if there is one."""
    if not isinstance(text, str):
        raise InvalidInput(f"text must be a string, got {type(text).__name__}")
    if not text.strip():
        raise InvalidInput("the text is empty")
    return text


def with_model(reading: Reading, budget: Budget, options: Settled) -> Summary:
    """What the model says of a text; where that cannot be trusted, an extract, or the lead."""
    try:
        return _or_first_sentence(
            _sure(reading, budget, options, _MOST_STEPS), reading, budget, options
        )
    except BudgetTooSmall as error:
        return _least(reading, budget, options, f"the model says nothing that fits {budget}", error)
    except Untrusted as error:
        reason = str(error)
    if reading.word_lattice.lattice.links is not None and not options.extract:
        try:
            found = _sure(reading, budget, replace(options, extract=True), _SPARE_STEPS)
            return replace(found, method="extract", note=reason)
        except (Untrusted, BudgetTooSmall, InvalidInput):
            pass  # a required word may be none of the text's
    try:
        return beginning(reading.prompt.text, budget, options, reason, english=True)
    except (BudgetTooSmall, Untrusted) as error:
        if options.fallback == "error":
            raise
        return _least(reading, budget, options, reason, error)


def _or_first_sentence(
    best: Summary, reading: Reading, budget: Budget, options: Settled
) -> Summary:
    """What the model says, or the text's first sentence, where the model is in doubt."""
    sure, text = best.confidence, reading.prompt.text
    said = None if sure is None else whole_instead(text, sure, budget, options)
    if said is None or sure is None:
        return best
    note = f"the model is {sure:.0%} sure, and this sentence fits as it is"
    others = (replace(best, alternatives=()), *best.alternatives)[: options.alternatives - 1]
    made = _unchanged(said, text, budget, "lead")
    return replace(made, note=note, alternatives=others)


def whole_instead(text: str, sure: float, budget: Budget, options: Settled) -> str | None:
    """The first of a text's several sentences, if it had better be said than what the model is so
    sure of: it fits, says something, and is as asked for."""
    asked = options.rewrite == "needed" and options.sentences != "all"
    if sure >= DOUBTFUL or not asked or options.fallback == "error":
        return None
    source = opened(text)
    first = source.first_sentence()
    said = " ".join(str(first).split())
    whole = _STATEMENT < len(first) < len(source) and has_verb(said)
    fits = whole and _fits(budget, said) and budget.length(said) >= (options.at_least or 0)
    return said if fits and keeps_rules(said, options) else None


def _least(
    reading: Reading, budget: Budget, options: Settled, reason: str, error: NaccError
) -> Summary:
    """What there is where nothing else is: of a text that must say some words its beginning, if
    that has them; the least that can be said; or the error."""
    if options.required:
        with suppress(BudgetTooSmall, Untrusted):
            return beginning(reading.prompt.text, budget, options, reason, english=True)
    task = Task.of(reading, budget, options)
    said = least(task)
    if said is None:
        raise error
    if not budget.fits(said.text):
        raise too_small(task)
    return replace(said, note=reason)


def beginning(
    text: str, budget: Budget, options: Settled, reason: str, *, english: bool = False
) -> Summary:
    """The text's first whole words that fit, with the reason why the model was not used; of an
    English one, fewer of them where these would say something else than the text."""
    if options.fallback == "error":
        raise Untrusted(reason)
    flat = " ".join(word for word in looked_at(text).split() if _measured(budget, word))
    longest = lead(flat, budget)
    if english and not options.required and all(map(_leads_on, split(longest).keys)):
        longest = ""
    shorter = islice(_rounded(longest, flat), _MOST_LEADS)
    fitting = (each for each in shorter if _fits(budget, each))
    found = [each for each in fitting if keeps_rules(each, options)] or [longest]
    source = opened(flat)
    true = (each for each in found if english and _is_true(each, source))
    said = next(true, found[0])
    if not flat:
        raise BudgetTooSmall(f"no word of this text can be said in {budget.measure}", None)
    if not (said and keeps_rules(said, options)):
        enough = [each for each in _enough(flat, options) if not _fits(budget, each)]
        if said and not enough:
            raise Untrusted(f"{reason}; and its first words are not as asked for")
        raise no_room(budget, enough)
    return replace(_unchanged(said, text, budget, "lead"), note=reason)


def _rounded(said: str, flat: str) -> Iterator[str]:
    """A beginning and shorter ones, without what leads on to words that are not said any more:
    small words, commas, half a number. None, where it ends inside a word."""
    sentence = opened(flat)
    ends = list(accumulate(map(len, chain(*zip(sentence.before, sentence.words, strict=False)))))
    ends = ends[1::2]
    kept = ends.index(len(said)) + 1 if len(said) in ends else 0
    numbers = amounts(sentence.head(kept + _LONGEST_NUMBER))
    for n in range(kept, 0, -1):
        inside = any(start < n < end for start, end in numbers)
        if not inside and not _leads_on(sentence.keys[n - 1]):
            yield said[: ends[n - 1]]


def _enough(flat: str, options: Settled) -> list[str]:
    """The shortest beginning that is as asked for, if one is."""
    ends = word_ends(flat)

    def says_all(end: int) -> bool:
        return keeps_rules(flat[:end], replace(options, forbidden=()))

    i = bisect_left(ends, True, key=says_all)
    return [flat[:end] for end in ends[i : i + 1] if keeps_rules(flat[:end], options)]


def _is_true(said: str, source: Sentence) -> bool:
    """Whether a beginning is more than a word, and says nothing else than the text does."""
    words = split(said, source.style)
    return len(words) > 1 and violates(source, words.words) is None


def _leads_on(word: str) -> bool:
    return word in FUNCTION_WORDS or _OPENS.fullmatch(word) is not None


def _sure(reading: Reading, budget: Budget, options: Settled, steps: int) -> Summary:
    """The best of what the model says in so many steps, if it is sure enough of that."""
    with effort(steps):
        found = fit(reading, budget, options)
    for asked in options.required:
        found = [one for one in found if said_in(one.text, asked, reading.sentence.style)]
        if not found:
            raise Untrusted(f"no answer of the model's says {asked!r} as it is written")
    best, *others = found
    if best.confidence is not None and best.confidence < options.min_confidence:
        raise Untrusted(
            f"the model is {best.confidence:.0%} sure, of {options.min_confidence:.0%} asked for"
        )
    return replace(best, alternatives=tuple(others))


def _unchanged(said: str, text: str, budget: Budget, method: str) -> Summary:
    """A summary made of the text's own words, each where it stands there; of a very long one,
    those of its beginning."""
    words = opened(said).words
    places = in_order(words, opened(text))
    made = tuple(SummaryWord(word, place) for word, place in zip(words, places, strict=True))
    return as_summary(said, budget, method, made)


def _fits(budget: Budget, text: str) -> bool:
    """Whether the budget's measure knows how long it is, and that is not too long."""
    try:
        return budget.fits(text)
    except InvalidInput:
        return False


def _measured(budget: Budget, text: str) -> bool:
    """Whether the budget's measure knows how long it is."""
    try:
        budget.length(text)
    except InvalidInput:
        return False
    return True
