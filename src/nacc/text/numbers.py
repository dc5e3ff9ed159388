"""Numbers and the words that scale them: «150 billion» is one number, and no half of it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nacc.text.memory import remembered

SCALES = frozenset(
    "hundred thousand million billion trillion lakh crore mln bln mn bn tn m k".split()
)
PERCENT = frozenset("percent pct % per".split())
_SCALING = SCALES | PERCENT
_REMEMBERED = 2**16  # words: more than a vocabulary has
NUMERALS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty "
    "ninety".split()
)


def is_number(word: str) -> bool:
    """Whether a word is written in figures."""
    return not word.isalpha() and any(c.isdigit() or c == "#" for c in word)


@remembered(_REMEMBERED)
def counts(word: str) -> bool:
    """Whether a word is a number, in figures or letters."""
    return is_number(word) or word in NUMERALS


@remembered(_REMEMBERED)
def is_numeric(word: str) -> bool:
    """Whether a word counts, or scales what does."""
    return counts(word) or word in SCALES or word in PERCENT


def needed_scale(words: Sequence[str], place: int) -> frozenset[str] | None:
    """What must follow the number at `place`, given what follows it in its source (word keys)."""
    if place + 1 >= len(words) or not counts(words[place]):
        return None
    follows = words[place + 1]
    return next((scale for scale in (SCALES, PERCENT) if follows in scale), None)


def needs_number(word: str, words: Sequence[str], place: int | None) -> bool:
    """Whether `word` scales a number that must come before it: in its source, it does so at
    `place`; or it is new (None), and scales whatever the source scales otherwise."""
    if place is None:
        return word in SCALES or (word in PERCENT and word != "per")
    return place > 0 and word in _SCALING and counts(words[place - 1])


def scalable(word: str) -> bool:
    """Whether a scale may follow: a number, or a scale itself (4 hundred million)."""
    return counts(word) or word in SCALES


def half_numbers(
    said: Sequence[str], source: Sequence[str], place: Callable[[int], int | None]
) -> list[int]:
    """Which words of an answer are halves of numbers; place: where in the source each stands."""
    found = []
    for i, word in enumerate(said):
        if is_numeric(word):
            at = place(i)
            scales = None if at is None else needed_scale(source, at)
            unscaled = scales and (i + 1 == len(said) or said[i + 1] not in scales)
            unnumbered = needs_number(word, source, at)
            if unscaled or (unnumbered and (i == 0 or not scalable(said[i - 1]))):
                found.append(i)
    return found
