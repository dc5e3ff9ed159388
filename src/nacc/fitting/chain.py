"""From a text to what is said of it: the first of these that can be trusted.

as-is    the text itself, where it fits                             } without the model
model    its best answer that keeps the rules, if it is sure enough } what it was asked for
extract  its best answer of the text's own words, in their order    } where it is not to be
lead     the text's first words; or, if the caller would rather, an error   trusted
"""

from __future__ import annotations

from dataclasses import replace

from nacc.errors import BudgetTooSmall, InvalidInput, Untrusted
from nacc.fitting.finish import as_summary, in_order
from nacc.fitting.fit import fit
from nacc.fitting.reading import Reading
from nacc.length.budget import Budget
from nacc.length.lead import first_word, lead
from nacc.options import Settled
from nacc.summary import Summary, SummaryWord
from nacc.text.words import key, split


def without_model(text: str, budget: Budget, options: Settled) -> Summary | None:
    """What is said of a text that needs no model, or should have none; None: ask the model."""
    whole = text.strip()
    if options.rewrite == "needed" and _keeps_rules(whole, options) and _fits(budget, whole):
        return replace(_unchanged(whole, whole, budget, "as-is"), confidence=1.0)
    return None


def with_model(reading: Reading, budget: Budget, options: Settled) -> Summary:
    """What the model says of a text; where that cannot be trusted, an extract, or the lead."""
    try:
        return _sure(fit(reading, budget, options), options)
    except Untrusted as error:
        reason = str(error)
    if reading.word_lattice.lattice.links is not None and not options.extract:
        try:
            found = _sure(fit(reading, budget, replace(options, extract=True)), options)
            return replace(found, method="extract", note=reason)
        except (Untrusted, BudgetTooSmall, InvalidInput):
            pass  # a required word may be none of the text's
    return beginning(reading.prompt.text, budget, options, reason)


def beginning(text: str, budget: Budget, options: Settled, reason: str) -> Summary:
    """The text's first whole words that fit, with the reason why the model was not used."""
    if options.fallback == "error":
        raise Untrusted(reason)
    flat = " ".join(word for word in text.split() if _measured(budget, word))
    said = lead(flat, budget)
    if not flat:
        raise BudgetTooSmall(f"no word of this text can be said in {budget.measure}", 0)
    if not said:
        smallest = budget.length(first_word(flat))
        raise BudgetTooSmall(
            f"nothing sensible fits in {budget}: the smallest budget that would do for this text "
            f"is {smallest} {budget.measure}",
            smallest,
        )
    return replace(_unchanged(said, text, budget, "lead"), note=reason)


def _sure(found: list[Summary], options: Settled) -> Summary:
    """The best of what the model says, if it is sure enough of that."""
    best, *others = found
    if best.confidence is not None and best.confidence < options.min_confidence:
        raise Untrusted(
            f"the model is {best.confidence:.0%} sure, of {options.min_confidence:.0%} asked for"
        )
    return replace(best, alternatives=tuple(others))


def _unchanged(said: str, text: str, budget: Budget, method: str) -> Summary:
    """A summary made of the text's own words, each where it stands there."""
    words = split(said).words
    places = in_order(words, split(text))
    made = tuple(SummaryWord(word, place) for word, place in zip(words, places, strict=True))
    return as_summary(said, budget, method, made)


def _keeps_rules(text: str, options: Settled) -> bool:
    """Whether it says what must be said, and nothing that must not."""
    if not (options.required or options.forbidden):
        return True
    said = set(split(text).keys)
    return said.issuperset(map(key, options.required)) and said.isdisjoint(
        map(key, options.forbidden)
    )


def _fits(budget: Budget, text: str) -> bool:
    return _measured(budget, text) and budget.fits(text)


def _measured(budget: Budget, text: str) -> bool:
    """Whether the budget's measure knows how long it is."""
    try:
        budget.length(text)
    except InvalidInput:
        return False
    return True
