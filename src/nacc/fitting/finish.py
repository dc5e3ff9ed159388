"""From the words chosen to the finished string: spelling, quotes, where each word came from."""

from __future__ import annotations

from collections.abc import Sequence

from nacc.decoding import Decoded
from nacc.fitting.reading import Reading
from nacc.length.budget import Budget
from nacc.options import Wishes
from nacc.summary import Summary, SummaryWord
from nacc.text.surface import finish, requoted


def finished(
    reading: Reading, budget: Budget, wishes: Wishes, forms: Sequence[str], answer: Decoded
) -> Summary:
    """What the decoder's answer reads like; a string that fits gets its quotation marks back."""
    sentence = reading.sentence
    words = [forms[i] for i in answer.tokens]
    text, kept = finish(words, sentence, wishes.case)
    keys = [reading.found.keys[i] for i in answer.tokens]
    places = [reading.nearest(keys[i], reading.place(answer.starts[i])) for i in kept]
    if sentence.style == "written" and wishes.case != "lower" and budget.fits(text):
        for quoted in requoted(text, places, sentence):
            text = quoted if budget.fits(quoted) else text
    said = tuple(SummaryWord(words[i], place) for i, place in zip(kept, places, strict=True))
    return as_summary(reading, budget, wishes, text, answer.score, said)


def as_summary(
    reading: Reading,
    budget: Budget,
    wishes: Wishes,
    text: str,
    score: float,
    words: tuple[SummaryWord, ...],
) -> Summary:
    """A text with its length, and all that was asked of it."""
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
