"""Words that a caller asks for or forbids: a word, several in a row, or how a word begins."""

from __future__ import annotations

from collections.abc import Container, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from nacc.text.punctuation import NEVER_SAID, QUOTES
from nacc.text.words import key, split

_UNQUOTED = str.maketrans(dict.fromkeys(quote for quote in QUOTES if len(quote) == 1))


@dataclass(frozen=True)
class Phrase:
    """Word keys in a row; `begins`: the last may go on, as in «telecom*». It may have a stop of its
    own: «Mr» is in «Mr. Smith»."""

    words: tuple[str, ...]
    begins: bool = False

    @classmethod
    def of(cls, written: str, known: Container[str] = (), *, exactly: bool = False) -> Phrase:
        """A phrase as it is written, but for marks that are never said, unless `exactly`; what is
        one of the `known` words is not taken apart."""
        bare = written.strip().removesuffix("*")
        whole = key(bare)
        words = (whole,) if whole in known else _apart(bare)
        said = () if exactly else tuple(word for word in words if word not in NEVER_SAID)
        return cls(said or words, begins=bare != written.strip())

    def found(self, keys: Sequence[str]) -> int | None:
        """Where it first stands among word keys; None if it does not."""
        first, n = self.words[0], len(self.words)
        if n == 1 and self.begins:
            return next((i for i, word in enumerate(keys) if word.startswith(first)), None)
        if n == 1:
            return min(
                (keys.index(word) for word in (first, first + ".") if word in keys), default=None
            )
        i = -1
        with suppress(ValueError):  # the first word stands nowhere, or nowhere further on
            while True:
                i = keys.index(first, i + 1)
                if self.matches(keys[i : i + n]):
                    return i
        return None

    def matches(self, keys: Sequence[str]) -> bool:
        """Whether these words are the phrase."""
        *others, last = self.words
        if list(keys[:-1]) != others or len(keys) != len(self.words):
            return False
        return keys[-1].startswith(last) if self.begins else keys[-1] in (last, last + ".")


def stands_in(written: str, text: str, *, spaced: bool = True) -> bool:
    """Whether a text has a phrase as it is written, its brackets and signs too; but for capitals,
    quotation marks and a stop at the end. spaced: as far apart, too."""
    gap = " " if spaced else ""
    bare = gap.join(_plain(written.strip().removesuffix("*")).rstrip(" .").split())
    return bare in gap.join(_plain(text).split())


def _plain(text: str) -> str:
    return text.lower().translate(_UNQUOTED)


@lru_cache(maxsize=1000)  # every answer is held against all phrases
def _apart(written: str) -> tuple[str, ...]:
    return split(written, "written").keys
