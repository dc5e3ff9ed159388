"""Splitting text into words that can be put back together exactly.

Two styles. *Written* text, as people write it: words, numbers, money, abbreviations and URLs stay
whole; punctuation and the possessive 's are words of their own. *Tokenized* text, as Gigaword
and DUC distribute it (lower case, Penn Treebank tokens, digits as #): words are what the spaces
separate.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import regex

from nacc.errors import InvalidInput

Style = Literal["written", "tokenized"]

_ABBREVIATIONS = (
    "Mr Mrs Ms Dr Prof Rev Hon St Gov Sen Rep Gen Lt Col Sgt Capt Maj Cmdr Adm Pres Jr Sr Inc Corp "
    "Co Ltd Bros vs No Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Fla Calif Mass Tenn Conn "
    "Ariz Mich Minn Wis Ill Penn Pa Va Md Ga La approx est etc"
)
_APOSTROPHE = "'’"
_WORD = regex.compile(
    rf"""
      (?:https?://|www\.)[^\s<>"“”]*[\w/]                            # URL
    | (?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+                      # e-mail
    | [@\#][\w]+                                                     # handle, hashtag
    | \p{{Lu}}{{0,3}}\p{{Sc}}?[+\-−]?\#?\d+(?:[.,:/\-–]?\d+)*            # C$1.40, 2018-19, 9:30
      (?:\p{{L}}+|\p{{Sc}}|%)?(?:-\p{{L}}+)*                              # 6.7m, 28%, 9-year-old
    | (?:\p{{L}}\.){{2,}}(?!\w)                                      # U.S.
    | [\p{{L}}\p{{M}}\p{{N}}_]+
      (?:(?:[\-‐‑&/.]|[{_APOSTROPHE}](?![sS]\b))                      # hyphens, don't, O'Neill
         [\p{{L}}\p{{M}}\p{{N}}_]+)*
    | [{_APOSTROPHE}][sS]\b                                          # possessive
    | \.{{2,}} | -{{2,}}                                             # ellipsis, dashes
    | \X                                                             # anything else
    """,
    regex.VERBOSE,
)
_TOKENIZED_SIGN = regex.compile(r"(?:^| )(?:[.,;:?!]|'s|``|''|n't|-lrb-|-rrb-|\#+)(?= |$)")
_DIGIT = regex.compile(r"\d")
_SENTENCE_END = {".", "!", "?", "…", "..."}
_CLOSERS = {'"', "”", "’", "'", "''", ")", "]", "»"}
UNKNOWN_WORDS = frozenset({"unk", "<unk>"})


@dataclass(frozen=True)
class Sentence:
    """Words and the white space around them: `before[i]` precedes word i, the last one ends it."""

    words: tuple[str, ...]
    before: tuple[str, ...]
    style: Style = "written"

    def __str__(self) -> str:
        spaced = (gap + word for gap, word in zip(self.before, self.words, strict=False))
        return "".join(spaced) + self.before[-1]

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """What makes two words the same: the word in lower case."""
        return tuple(map(key, self.words))

    def head(self, count: int) -> Sentence:
        """The first `count` words."""
        if count >= len(self.words):
            return self
        return Sentence(self.words[:count], (*self.before[:count], ""), self.style)

    def first_sentence(self) -> Sentence:
        """Up to the first sentence end that more text follows."""
        for i, word in enumerate(self.words[:-1]):
            if word not in _SENTENCE_END:
                continue
            end = i + 1
            while end < len(self.words) and self.words[end] in _CLOSERS and not self.before[end]:
                end += 1
            if end == len(self.words):
                return self
            follows = self.words[end][:1]
            starts = self.style == "tokenized" or not follows.islower()
            if self.before[end] and starts:
                return self.head(end)
        return self


def key(word: str) -> str:
    """Words with equal keys are the same word for the model."""
    return word.lower().replace("’", "'")


def digits_hidden(word: str) -> str:
    """Every digit as #: the shape of a number, which is all that Gigaword keeps of it."""
    shape: str = _DIGIT.sub("#", word)
    return shape


def is_tokenized(text: str) -> bool:
    """Does this look like Gigaword or DUC text: lower case, punctuation set apart?"""
    bare = text.replace("UNK", "unk")
    return bare == bare.lower() and len(_TOKENIZED_SIGN.findall(text)) > 0


def split(text: str, style: Style | None = None) -> Sentence:
    """Split text into words; `str(split(text)) == text`, always."""
    if not isinstance(text, str):
        raise InvalidInput(f"text must be a string, got {type(text).__name__}")
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise InvalidInput("text contains a lone surrogate, which no encoding can carry")
    style = style or ("tokenized" if is_tokenized(text) else "written")
    words: list[str] = []
    before: list[str] = []
    end = 0
    for chunk in re.finditer(r"\S+", text):  # white space as str.split sees it
        parts = [chunk.group()] if style == "tokenized" else _split_chunk(chunk.group())
        for i, part in enumerate(parts):
            words.append(part)
            before.append(text[end : chunk.start()] if i == 0 else "")
        end = chunk.end()
    before.append(text[end:])
    if style == "written":
        words, before = _attach_plural_possessives(words, before)
        words, before = _attach_abbreviation_stops(words, before)
    return Sentence(tuple(words), tuple(before), style)


def _split_chunk(chunk: str) -> list[str]:
    return [match.group() for match in _WORD.finditer(chunk)]


def _joined(
    words: list[str], before: list[str], joins: Callable[[int, str], bool]
) -> tuple[list[str], list[str]]:
    """The words, each that `joins` the one before it (given its number, and that one) put to it."""
    out_words: list[str] = []
    out_before: list[str] = []
    for i, word in enumerate(words):
        if joins(i, out_words[-1] if out_words else ""):
            out_words[-1] += word
        else:
            out_words.append(word)
            out_before.append(before[i])
    return out_words, [*out_before, before[-1]]


def _attach_plural_possessives(words: list[str], before: list[str]) -> tuple[list[str], list[str]]:
    """«Presidents ' Day» is one word and a half: the apostrophe belongs to the plural before it,
    unless a quotation is open that it could close."""
    open_quotes = 0

    def joins(i: int, previous: str) -> bool:
        nonlocal open_quotes
        if words[i] not in ("'", "’", "‘"):
            return False
        starts_word = i + 1 < len(words) and before[i + 1] == "" and bool(before[i] or i == 0)
        if words[i] == "‘" or starts_word:
            open_quotes += 1
        elif open_quotes:
            open_quotes -= 1
        else:
            plural = previous != "" and previous[-1] in "sS"
            return before[i] == "" and plural and before[i + 1] != ""
        return False

    return _joined(words, before, joins)


_STOPPED = frozenset(_ABBREVIATIONS.split())
_NEVER_LAST = frozenset(
    "Mr Mrs Ms Dr Prof Rev Hon St Gov Sen Rep Gen Lt Col Sgt Capt Maj Inc Corp Co Ltd vs".split()
)
"""What follows may have a capital of its own («Acme Inc. Chairman»): a sentence cut there would
say nothing, while two sentences read as one say enough."""


def _attach_abbreviation_stops(words: list[str], before: list[str]) -> tuple[list[str], list[str]]:
    """«Mr .» becomes «Mr.» and «J .» «J.»: a stop that ends no sentence."""

    def joins(i: int, previous: str) -> bool:
        followed = i + 1 < len(words) and before[i + 1] != ""
        if words[i] != "." or before[i] != "" or not followed:
            return False
        after = words[i + 1]
        initial = len(previous) == 1 and previous.isupper()
        goes_on = after[0].islower() or after[0].isdigit()  # «Oct. 5», «No. 10»
        return initial or previous in _NEVER_LAST or (previous in _STOPPED and goes_on)

    return _joined(words, before, joins)
