"""What ROUGE does not see: is the budget used, does the end dangle, is anything said twice or
made up. Each is a share between 0 and 1 over a system's outputs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from nacc.errors import InvalidInput
from nacc.length.budget import Budget
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.words import UNKNOWN_WORDS, Style, split

_DIGITS = re.compile(r"[\d#]+(?:[.,:][\d#]+)*")


@dataclass(frozen=True)
class Qualities:
    """Shares over all outputs; lengths in the budget's own unit."""

    length: float  # mean, of the finished strings
    within_budget: float  # outputs that fit
    budget_used: float  # mean length / budget
    dangling: float  # outputs that end on a function word
    repeating: float  # outputs that say a content word twice
    novel_words: float  # content words that the source does not have
    invented_numbers: float  # outputs with a number that the source does not have
    unknown: float  # outputs that say "unk", the unknown word
    empty: float  # outputs with no word at all


def qualities(outputs: Sequence[str], sources: Sequence[str], budget: Budget) -> Qualities:
    """Judge each output against the source it was made from and the budget it was given."""
    if not outputs or len(outputs) != len(sources):
        raise InvalidInput(f"{len(outputs)} outputs for {len(sources)} sources")
    lengths = [budget.length(output) for output in outputs]
    count = len(outputs)
    said = novel = dangling = repeating = invented = unknown = empty = 0
    for output, source in zip(outputs, sources, strict=True):
        style = split(source).style
        words = plain_words(output, style)
        content = Counter(word for word in words if is_content(word))
        known = set(plain_words(source, style))
        said += content.total()
        novel += sum(times for word, times in content.items() if word not in known)
        dangling += bool(words) and words[-1] in FUNCTION_WORDS
        repeating += any(times > 1 for times in content.values())
        invented += not numbers(output) <= numbers(source)
        unknown += not UNKNOWN_WORDS.isdisjoint(words)
        empty += not words
    mean = sum(lengths) / count
    return Qualities(
        length=mean,
        within_budget=sum(length <= budget.amount for length in lengths) / count,
        budget_used=mean / budget.amount if budget.amount else 0.0,
        dangling=dangling / count,
        repeating=repeating / count,
        novel_words=novel / said if said else 0.0,
        invented_numbers=invented / count,
        unknown=unknown / count,
        empty=empty / count,
    )


def plain_words(text: str, style: Style | None = None) -> list[str]:
    """The words of a text in lower case, without punctuation."""
    found = split(text, style).keys
    return [word for word in found if any(c.isalnum() or c == "#" for c in word)]


def is_content(word: str) -> bool:
    """A word that carries meaning: not grammar, and not a number that may well come twice."""
    return word not in FUNCTION_WORDS and not _DIGITS.fullmatch(word)


def numbers(text: str) -> set[str]:
    """The numbers written in digits (or in Gigaword's #), commas taken out."""
    return {found.replace(",", "") for found in _DIGITS.findall(text)}
