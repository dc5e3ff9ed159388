"""Remembering what was worked out: of words within bounds, as texts come from strangers and a word
may be as long as a text; of a sentence as long as there is the sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from functools import wraps
from typing import TypeVar

R = TypeVar("R")
S = TypeVar("S")

LONGEST = 40
"""Letters that a word may have to be remembered."""


class Memory(dict[str, R]):
    """What a function says of words, by word, of at most so many: then it begins anew.

    A dictionary, because asking it is all that happens to most words, hundreds of times a text.
    """

    def __init__(self, function: Callable[[str], R], most: int) -> None:
        super().__init__()
        self._function, self._most = function, most

    def __missing__(self, word: str) -> R:
        found = self._function(word)
        if len(word) <= LONGEST:
            if len(self) >= self._most:
                self.clear()
            self[word] = found
        return found

    def learn(self, words: Set[str], several: Callable[[list[str]], Iterable[R]]) -> None:
        """Remember what another function says of words, of all that are new at a time."""
        new = [word for word in words if word not in self and len(word) <= LONGEST][: self._most]
        if len(self) + len(new) > self._most:
            self.clear()
        self.update(zip(new, several(new) if new else (), strict=True))


def remembered(most: int) -> Callable[[Callable[[str], R]], Callable[[str], R]]:
    """For a function of a word: remember it of so many words."""

    def remembering(function: Callable[[str], R]) -> Callable[[str], R]:
        return Memory(function, most).__getitem__

    return remembering


def kept(function: Callable[[S], R]) -> Callable[[S], R]:
    """For a function of a sentence, or of what else never changes: its answer is kept in the
    sentence's own dictionary, as long as that lives."""
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def once(of: S) -> R:
        known = of.__dict__
        if name in known:
            found: R = known[name]
            return found
        known[name] = found = function(of)
        return found

    return once
