"""Remembering what was worked out of words, within bounds: texts come from strangers, and a word
may be as long as a text."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

R = TypeVar("R")

LONGEST = 40
"""Letters that a word may have to be remembered."""


def remembered(most: int) -> Callable[[Callable[[str], R]], Callable[[str], R]]:
    """For a function of a word: remember it of so many words, the last ones."""

    def remembering(function: Callable[[str], R]) -> Callable[[str], R]:
        known = lru_cache(most)(function)

        @wraps(function)
        def of(word: str) -> R:
            return known(word) if len(word) <= LONGEST else function(word)

        return of

    return remembering
