"""What there is where the decoder finds nothing: the least that can be said of a text, in its own
words, and a budget that would do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from nacc.errors import BudgetTooSmall, InvalidInput
from nacc.fitting.finish import as_summary
from nacc.fitting.reading import dangles
from nacc.fitting.rules import UNSAID, keeps_rules
from nacc.fitting.task import Task
from nacc.length.budget import LARGEST, Budget
from nacc.summary import Summary, SummaryWord
from nacc.text.endings import may_end
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.meaning import violates
from nacc.text.numbers import half_numbers
from nacc.text.phrases import Phrase
from nacc.text.surface import capitalised, written


def least(task: Task) -> Summary | None:
    """What must be said, as it stands in the text, or else the text's shortest word that may stand
    alone; None if that would break a rule."""
    if task.options.required:
        return _said(task, *_required(task))
    lengths = sorted(_lengths(task))
    alone = (_said(task, [place]) for _, place in lengths)
    return next(filter(None, alone), None)


def too_small(task: Task) -> BudgetTooSmall:
    """Names the smallest budget known to do: that of the least that can be said, or of the text."""
    said, whole = least(task), task.reading.prompt.text.strip()
    if said and task.budget.fits(said.text):
        return BudgetTooSmall(f"the model says nothing that fits {task.budget}", None)
    as_is = task.options.rewrite == "needed" and keeps_rules(whole, task.options)
    if said:
        return no_room(task.budget, [said.text])
    cause = " (none of this text's words can be said alone, or as it is asked for)"
    return no_room(task.budget, [whole] if as_is else [], cause)


def no_room(budget: Budget, sayable: Sequence[str], cause: str = "") -> BudgetTooSmall:
    """Nothing fits; these would, in more room."""
    amounts: list[float] = []
    for text in sayable:
        with suppress(InvalidInput):  # what cannot be measured
            amounts.append(budget.enough(text))
    smallest = min(amounts, default=LARGEST + 1)
    if smallest > LARGEST:
        return BudgetTooSmall(
            f"nothing sensible fits in {budget}{cause}, and no budget in {budget.measure.name} is "
            "known that would do",
            None,
        )
    would = Budget(smallest, budget.measure)
    return BudgetTooSmall(
        f"nothing sensible fits in {budget}{cause}: what would do for this text is {would}",
        would.amount,
    )


def _lengths(task: Task) -> Iterator[tuple[float, int]]:
    """How long each of the sentence's words is that says something, and its place."""
    for place, word in enumerate(task.reading.sentence.words):
        key = task.reading.sentence.keys[place]
        small = task.options.is_tidy or key not in FUNCTION_WORDS
        if key not in UNSAID and not (dangles(key) and small):
            with suppress(InvalidInput):
                yield task.budget.length(word), place


def _required(task: Task) -> tuple[list[int], list[str]]:
    """The places in the sentence of what must be said; a small word at the end goes on to the next
    that is none. And the words that the sentence does not have."""
    sentence, places, new = task.reading.sentence, set[int](), list[str]()
    for asked, words in zip(task.options.required, task.required, strict=True):
        exactly = Phrase.of(asked, sentence.keys, exactly=True)
        phrase = Phrase(words) if exactly.found(sentence.keys) is None else exactly
        place = phrase.found(sentence.keys)
        if place is None:
            new += words
        else:
            places |= {*range(place, place + len(phrase.words))}
    found = sorted(places)
    while found and not new and _leads_on(task, found[-1]) and found[-1] + 1 < len(sentence):
        found.append(found[-1] + 1)
    return found, new


def _leads_on(task: Task, place: int) -> bool:
    sentence = task.reading.sentence
    word = sentence.keys[place]
    return task.options.is_tidy and word in FUNCTION_WORDS and word not in may_end(sentence)


def _said(task: Task, places: Sequence[int], new: Sequence[str] = ()) -> Summary | None:
    """These of the sentence's words, as they stand there, and new ones; None if they may not be."""
    sentence, options, start = task.reading.sentence, task.options, task.reading.prompt.start
    keys = [*(sentence.keys[i] for i in places), *new]
    words = written(keys, sentence, task.reading.spellings, options.case)
    apart = [sentence.before[i] or i - 1 not in places for i in places]
    gaps = [*(" " if each else "" for each in apart), *(" " for _ in new)]
    text = "".join(gap + word for gap, word in zip(gaps, words, strict=True)).strip()
    text = capitalised(text, sentence, options.case)
    if not keeps_rules(text, options):
        return None
    if options.is_tidy:
        ends_badly = not new and _leads_on(task, places[-1])
        half = not options.required and half_numbers(keys, sentence.keys, places.__getitem__)
        if ends_badly or half or violates(sentence, words):
            return None
    sources = [*(start + i for i in places), *(None for _ in new)]
    made = tuple(map(SummaryWord, words, sources))
    try:
        return as_summary(text, task.budget, "extract", made, truncated=task.reading.truncated)
    except InvalidInput:
        return None
