"""How words are usually written: as sources write them inside a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from itertools import pairwise

from nacc.text.words import Sentence, key


def forms_in(sentence: Sentence) -> Iterator[str]:
    """The words as they are written, less the first one (sources are in sentence case) and units
    and hours after numbers: what is copied is written as it stands (7 pm, the PM)."""
    for (before, _), word in zip(pairwise(sentence.keys), sentence.words[1:], strict=True):
        if not before[-1:].isdigit():
            yield word.replace("’", "'")


def usual_forms(forms: Counter[str], keys: Set[str]) -> dict[str, str]:
    """How each of the words (`key`) is usually written, of those that are written at all."""
    seen: dict[str, Counter[str]] = {}
    for form, count in forms.items():
        lower = key(form)
        if lower in keys:
            seen.setdefault(lower, Counter())[form] = count
    return {lower: _usual(lower, counts) for lower, counts in seen.items()}


def _usual(lower: str, counts: Counter[str]) -> str:
    """The commonest form; but a word often seen in lower case is a common noun that names share."""
    if counts[lower] >= 0.2 * counts.total():
        return lower
    return counts.most_common(1)[0][0]
