"""The beginning of a text, as much of it as fits a budget.

`cut` stops inside a word, as the paper's Lead-50 and its "(truncate)" rows do; `lead` at the last
whole word.
"""

from __future__ import annotations

import regex

from nacc.length.budget import Budget

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
"""Scripts without spaces between words: there a word may end after any character."""
_UNSPACED_WORD = rf"[{_UNSPACED}][\p{{M}}\p{{Lm}}]*+"
_WORD = regex.compile(
    rf"(?=\S)(?:[^\s{_UNSPACED}]++|{_UNSPACED_WORD}(?![{_UNSPACED}]))*+(?:{_UNSPACED_WORD})?"
)


def lead(text: str, budget: Budget) -> str:
    """The longest run of whole words from the beginning that fits; "" if not even the first."""
    text = text.strip()
    if budget.fits(text):
        return text
    ends = []
    for match in _WORD.finditer(text):
        ends.append(match.end())
        seldom = len(ends) & (len(ends) - 1) == 0  # after twice as many words each time
        if seldom and not budget.fits(text[: ends[-1]]):
            break  # nor will what goes on from there
    return _longest(text, ends, budget)


def word_ends(text: str) -> list[int]:
    """Where `lead` may end a text."""
    return [match.end() for match in _WORD.finditer(text)]


def cut(text: str, budget: Budget) -> str:
    """The longest beginning that fits, cut inside a word if need be; no space is left hanging."""
    text = text.strip()
    return _longest(text, list(range(1, len(text) + 1)), budget)


def _longest(text: str, ends: list[int], budget: Budget) -> str:
    """The beginning of `text` up to the last of `ends` that fits."""
    low, high = 0, len(ends)
    while low < high:  # how many ends fit; lengths hardly ever fall as a text grows …
        middle = (low + high + 1) // 2
        if budget.fits(text[: ends[middle - 1]].rstrip()):
            low = middle
        else:
            high = middle - 1
    while low and not budget.fits(text[: ends[low - 1]].rstrip()):
        low -= 1  # … but where they do (kerning), the promise still holds
    return text[: ends[low - 1]].rstrip() if low else ""
