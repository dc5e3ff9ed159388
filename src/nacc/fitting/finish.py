"""From the words chosen to the finished string: spelling, quotes, where each word came from."""

from __future__ import annotations

from collections.abc import Sequence

from nacc.decoding import Decoded
from nacc.fitting.reading import Prompt, Reading
from nacc.length.budget import Budget
from nacc.options import Settled
from nacc.summary import Summary, SummaryWord
from nacc.text.capitals import in_context, left_of_names
from nacc.text.questions import wonders
from nacc.text.surface import finish, requoted
from nacc.text.words import Sentence, key


def finished(
    reading: Reading, budget: Budget, options: Settled, forms: Sequence[str], answer: Decoded
) -> Summary:
    """What the decoder's answer reads like."""
    words = [forms[i] for i in answer.tokens]
    keys = [reading.word_lattice.keys[i] for i in answer.tokens]
    places = [reading.nearest(word, at) for word, at in zip(keys, answer.starts, strict=True)]
    return spelled(reading.prompt, budget, options, words, keys, places, answer.score)


def spelled(
    prompt: Prompt,
    budget: Budget,
    options: Settled,
    words: Sequence[str],
    keys: Sequence[str],
    places: Sequence[int | None],
    score: float,
    confidence: float | None = None,
) -> Summary:
    """What words read like, each with the place of the source that it is from; a string that fits
    gets its quotation marks back, and the mark of a question."""
    sentence = prompt.sentence
    if options.case in ("sentence", "source"):
        words = in_context(words, keys, sentence)
    if options.case == "sentence" and not options.extract:
        words = left_of_names(words, keys, sentence)
    text, kept = finish(words, sentence, options.case)
    if options.extract:
        places = in_order([keys[i] for i in kept], sentence)
    else:
        places = [places[i] for i in kept]
    if sentence.style == "written" and options.case != "lower" and budget.fits(text):
        for quoted in requoted(text, places, sentence):
            text = quoted if budget.fits(quoted) else text
        if wonders(sentence, [words[i] for i in kept]) and budget.fits(f"{text}?"):
            text += "?"
    said = tuple(
        SummaryWord(words[i], None if place is None else prompt.start + place)
        for i, place in zip(kept, places, strict=True)
    )
    return as_summary(
        text, budget, options.method, said,
        score=score, truncated=prompt.truncated, confidence=confidence,
    )  # fmt: skip


def as_summary(
    text: str,
    budget: Budget,
    method: str,
    words: tuple[SummaryWord, ...],
    *,
    score: float = 0.0,
    truncated: bool = False,
    confidence: float | None = None,
) -> Summary:
    """A text with its length, and how it came about."""
    return Summary(
        text=text,
        length=budget.length(text),
        unit=str(budget.measure),
        budget=budget.amount,
        score=score,
        method=method,
        words=words,
        truncated_input=truncated,
        confidence=confidence,
    )


def in_order(keys: Sequence[str], sentence: Sentence) -> list[int | None]:
    """Where each word stands in the sentence, one after the other; None for what does not."""
    places: list[int | None] = []
    after = 0
    for word in map(key, keys):
        try:
            place = sentence.keys.index(word, after)
        except ValueError:
            places.append(None)
        else:
            places.append(place)
            after = place + 1
    return places
