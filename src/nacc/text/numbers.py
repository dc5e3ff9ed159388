"""Numbers and the words that scale them: «150 billion» without «billion» is another number."""

from __future__ import annotations

from collections.abc import Sequence

SCALES = frozenset(
    "hundred thousand million billion trillion lakh crore mln bln mn bn tn m k".split()
)
PERCENT = frozenset("percent pct % per".split())


def is_number(word: str) -> bool:
    return any(c.isdigit() or c == "#" for c in word)


def needed_scale(words: Sequence[str], place: int) -> frozenset[str] | None:
    """What must follow the number at `place`, given what follows it in its source (word keys)."""
    if place + 1 >= len(words) or not is_number(words[place]):
        return None
    follows = words[place + 1]
    return next((scale for scale in (SCALES, PERCENT) if follows in scale), None)
