"""Reading sentence–headline pairs and deciding which of them can teach.

A pair is kept when its headline can be said with words of the output vocabulary and of the source,
without a number the source does not have. What is left out is counted by reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import regex

from nacc.data.lines import lines_of
from nacc.errors import InvalidInput
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.punctuation import QUOTES, UNWANTED
from nacc.text.words import UNKNOWN_WORDS, Sentence, Style, split

MAX_SOURCE_WORDS = 80
MIN_SOURCE_WORDS = 6
TARGET_WORDS = range(3, 25)
_DASHES = frozenset(["-", "–", "—", "--", "|"])
_DIGIT = regex.compile(r"\d|#")
_SPACED_MONEY = regex.compile(r"(\p{Sc}) (?=\d)")
_NUMBERS = dict(
    zip(
        "1 2 3 4 5 6 7 8 9 10 11 12 20 30 50 1st 2nd 3rd".split(),
        "one two three four five six seven eight nine ten eleven twelve twenty thirty fifty "
        "first second third".split(),
        strict=True,
    )
)
_LOST_APOSTROPHE = {
    word.replace("'", ""): word
    for word in (
        "don't didn't doesn't isn't wasn't aren't weren't hasn't haven't couldn't wouldn't "
        "shouldn't they're you're we've they've i've i'm that's there's what's"
    ).split()
}

Pair = tuple[list[str], list[str]]


def read_pairs(path: Path) -> Iterator[tuple[str, str]]:
    """(source, headline) from a .tsv or .tsv.zst file, a pair a line; more columns are ignored."""
    return pairs_of(lines_of(path), path)


def pairs_of(lines: Iterable[str], path: Path) -> Iterator[tuple[str, str]]:
    """(source, headline) of a file's lines."""
    return ((source, headline) for source, headline, _ in _columns(lines, path))


def read_signed_pairs(path: Path) -> Iterator[tuple[str, str, str]]:
    """As `read_pairs`, with the third column: who wrote the headline. Empty if there is none."""
    return _columns(lines_of(path), path)


def _columns(lines: Iterable[str], path: Path) -> Iterator[tuple[str, str, str]]:
    for number, line in enumerate(lines, 1):
        source, *columns = line.split("\t", 3)
        if not columns:
            raise InvalidInput(f"{path}, line {number}: no tab between source and headline")
        yield source, columns[0], columns[1] if len(columns) > 1 else ""


def clean(source: Sentence, headline: str, style: Style | None = None) -> Pair | str:
    """The pair as word keys, or the reason why it is left out."""
    words = list(source.keys[:MAX_SOURCE_WORDS])
    if len(words) < MIN_SOURCE_WORDS:
        return "source too short"
    if style != "tokenized" and sum(word in FUNCTION_WORDS for word in words) < 0.12 * len(words):
        return "not English"
    target = headline_words(headline, style)
    here = set(words)
    said = [part for word in target for part in _as_in_source(word, here)]
    fault = _headline_fault(target)
    if fault:
        return fault
    if len(said) + _immediate_repeats(said) > len(words):
        return "headline longer than its source"
    if any(_DIGIT.search(word) and word not in here for word in said):
        return "number not in the source"
    return words, said


def _headline_fault(target: list[str]) -> str:
    if not UNWANTED.isdisjoint(target):
        return "headline with brackets, dashes or colons"
    if len(target) not in TARGET_WORDS:
        return "headline too short or too long"
    if not UNKNOWN_WORDS.isdisjoint(target):
        return "headline with an unknown word"
    return ""


def headline_words(headline: str, style: Style | None = None) -> list[str]:
    """Without quotes, a final stop, or a closing attribution («… - minister»)."""
    bare = _SPACED_MONEY.sub(r"\1", headline)
    target = [_LOST_APOSTROPHE.get(w, w) for w in split(bare, style).keys if w not in QUOTES]
    for i, word in enumerate(target):
        if word in _DASHES and i >= 4 and len(target) - i <= 4:
            target = target[:i]
            break
    while target and target[-1] in (".", ",", ";", "!"):
        target.pop()
    return target


def _as_in_source(word: str, source: set[str]) -> list[str]:
    """A number the way the source writes it: 2 → two, 40% → 40 percent."""
    if word in source or not _DIGIT.search(word):
        return [word]
    if _NUMBERS.get(word) in source:
        return [_NUMBERS[word]]
    if word.endswith("%") and word[:-1] in source:
        for percent in ("percent", "pct"):
            if percent in source:
                return [word[:-1], percent]
    return [word]


def _immediate_repeats(target: list[str]) -> int:
    return sum(a == b for a, b in pairwise(target))
