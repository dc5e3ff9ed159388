"""What an answer says twice."""

from __future__ import annotations

from collections.abc import Sequence

from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.memory import remembered
from nacc.text.numbers import is_number
from nacc.text.stem import base
from nacc.text.words import UNKNOWN_WORDS

_MODALS = frozenset("may might could would will should must neither".split())


def repeated(said: Sequence[str]) -> str | None:
    """The first word that comes twice in a row, or again in any form, in a few words."""
    bases = list(filter(None, map(_told, said)))
    if len({*bases}) == len(bases) and len({*said}) == len(said):
        return None
    seen: set[str] = set()
    previous = ""
    for word in said:
        if word == previous and word[:1].isalpha():
            return f"{word!r} twice"
        previous = word
        if (told := _told(word)) in seen:
            return f"{word!r} twice"
        seen |= {told} - {""}
    return None


@remembered(50_000)
def _told(word: str) -> str:
    """The base of a word that is said but once; of others, and of those unknown, which may be any
    two, none."""
    small = word in FUNCTION_WORDS and word not in _MODALS
    if small or is_number(word) or not word[:1].isalpha() or len(word) < 3:
        return ""
    return "" if word in UNKNOWN_WORDS else base(word)
