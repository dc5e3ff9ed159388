"""Which words of a sentence can be kept, and as what the search model knows them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import regex

from nacc.text.punctuation import NEVER_SAID
from nacc.text.stem import root
from nacc.text.words import UNKNOWN_WORDS, digits_hidden, key

_SAYS_SOMETHING = regex.compile(r"[\p{L}\p{N}#]")
_HOLDS_TO_THE_WORD_BEFORE = frozenset("'s 'd 'm 'll 're 've n't".split())
_TELEGRAPHIC = range(4, 13)
_WORDY = frozenset(
    "a an the this that these those i you your my me we our us he his him she her it its they "
    "their them how what why when who which where is are was were be been has have had do does "
    "did will would could can should and but or if so not there here more most than said says "
    "say saying told tells after as monday tuesday wednesday thursday friday saturday "
    "sunday".split()
)


@lru_cache(2**20)
def model_key(word: str) -> str:
    """Words with equal keys are one word for search: root of the lower case, every digit a #.

    Headlines are in the present tense and sentences in the past; roots bring both together.
    """
    return root(digits_hidden(key(word)))


def may_be_kept(word: str) -> bool:
    """Only what says something: a letter, a digit or #; no marks, no place-holder for a word."""
    lower = key(word)
    return (
        _SAYS_SOMETHING.search(lower) is not None
        and lower not in UNKNOWN_WORDS
        and lower not in NEVER_SAID
    )


def said(words: Sequence[str]) -> list[str]:
    """The keys of the words that may be kept: a sentence as the models read it."""
    return [model_key(word) for word in words if may_be_kept(word)]


def is_telegraphic(words: Sequence[str]) -> bool:
    """Is this a headline of 4 to 12 words, without articles, pronouns, auxiliaries, conjunctions,
    attribution and days of the week?

    Language models of all headlines like such words best, being frequent; what they then like in a
    sentence is its function words.
    """
    return len(words) in _TELEGRAPHIC and _WORDY.isdisjoint(map(key, words))


def candidates(words: Sequence[str]) -> list[int]:
    """Positions of the words that may be kept.

    A possessive or a contracted ending is one only if the word before it is.
    """
    found: list[int] = []
    for position, word in enumerate(words):
        held = is_ending(word)
        if may_be_kept(word) and (not held or (found and found[-1] == position - 1)):
            found.append(position)
    return found


def is_ending(word: str) -> bool:
    """Is this kept only together with the word before it ('s, n't)?"""
    return key(word) in _HOLDS_TO_THE_WORD_BEFORE
