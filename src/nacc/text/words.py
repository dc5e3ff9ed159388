"""Splitting text into words that can be put back together exactly.

Two styles. *Written* text, as people write it: words, numbers, money, abbreviations and URLs stay
whole; punctuation and the possessive 's are words of their own. *Tokenized* text, as Gigaword
and DUC distribute it (lower case, Penn Treebank tokens, digits as #): words are what the spaces
separate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

import regex

from nacc.errors import InvalidInput
from nacc.text.memory import remembered
from nacc.text.sentence_ends import NEVER_LAST, OPENERS, STOPPED, sentence_ends
from nacc.text.stem import base

Style = Literal["written", "tokenized"]

_APOSTROPHE = "'’"
_APOSTROPHES = frozenset("'’‘")
_WORD = regex.compile(
    rf"""
      (?:https?://|www\.)[^\s<>"“”]*[\w/]                            # URL
    | (?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+                      # e-mail
    | [@\#][\w]+                                                     # handle, hashtag
    | \p{{Lu}}{{0,3}}\p{{Sc}}?[+\-−]?\#?\d+(?:[.,:/\-–]?\d+)*            # C$1.40, 2018-19, 9:30
      (?:\p{{L}}+|\p{{Sc}}|%)?(?:-\p{{L}}+)*                              # 6.7m, 28%, 9-year-old
    | (?:\p{{L}}\.){{2,}}(?!\w)                                      # U.S.
    | [\p{{L}}\p{{M}}\p{{N}}_]+
      (?:(?:[\-‐‑&/.]|[{_APOSTROPHE}](?![sS]\b)                       # hyphens, don't, O'Neill
           |[\u00ad\u200c\u200d]+)                                   # joiners, soft hyphens
         [\p{{L}}\p{{M}}\p{{N}}_]+)*
    | [{_APOSTROPHE}][sS]\b                                          # possessive
    | \.{{2,}} | -{{2,}}                                             # ellipsis, dashes
    | \p{{Regional_Indicator}}{{2}}[\p{{GCB=Extend}}\p{{GCB=ZWJ}}]*+     # flags: \X is slow in rows
    | \X                                                             # anything else
    """,
    regex.VERBOSE,
)
_TOKENIZED_SIGN = regex.compile(r"(?:^| )(?:[.,;:?!]|'s|``|''|n't|-lrb-|-rrb-|\#+)(?= |$)")
_DIGIT = regex.compile(r"\d")
_SURROGATE = re.compile("[\ud800-\udfff]")
_GAP = re.compile(
    r"((?:\x1b\[[0-?]*[ -/]*[@-~]"  # a terminal's colours
    r"|[\s\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb])+)"
)
"""White space as str.split sees it, and what no reader sees: controls, zero-width spaces, marks of
direction. Joiners are not among them: they hold words and emoji together."""
_UNSEEN = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200c\u200d\ufe00-\ufe0f\U000e0000-\U000e0fff]+"
)
"""What cannot be seen by itself, though it may change a word that it stands in."""
_MARKS = frozenset('.,;:!?"')
"""What stands right behind a word, and is one of its own."""
_REMEMBERED = 50_000
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

    @cached_property
    def bases(self) -> tuple[str, ...]:
        """What makes two words forms of one."""
        return tuple(map(base, self.keys))

    def head(self, count: int) -> Sentence:
        """The first `count` words."""
        if count >= len(self.words):
            return self
        return Sentence(self.words[:count], (*self.before[:count], ""), self.style)

    def first_sentence(self) -> Sentence:
        """Up to the first sentence end that more text follows."""
        return self.head(next(self._ends(), len(self.words)))

    def sentences(self) -> list[Sentence]:
        """All its sentences, in order; one after the other, they are the text."""
        bounds = [0, *self._ends(), len(self.words)]
        return [self._part(start, end) for start, end in pairwise(bounds)]

    def _ends(self) -> Iterator[int]:
        return sentence_ends(self.words, self.before, self.style == "tokenized")

    def _part(self, start: int, end: int) -> Sentence:
        last = self.before[-1] if end == len(self.words) else ""
        return Sentence(self.words[start:end], (*self.before[start:end], last), self.style)


@remembered(_REMEMBERED)
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
    return bare == bare.lower() and _TOKENIZED_SIGN.search(text) is not None


def split(text: str, style: Style | None = None) -> Sentence:
    """Split text into words; `str(split(text)) == text`, always."""
    if not isinstance(text, str):
        raise InvalidInput(f"text must be a string, got {type(text).__name__}")
    if not text.isascii() and _SURROGATE.search(text):
        raise InvalidInput("text contains a lone surrogate, which no encoding can carry")
    style = style or ("tokenized" if is_tokenized(text) else "written")
    words, before = _parts(text, _written if style == "written" else _whole)
    if style == "written":
        if not _APOSTROPHES.isdisjoint(words):
            words, before = _attach_plural_possessives(words, before)
        if "." in words[:-1]:
            words, before = _attach_abbreviation_stops(words, before)
    return Sentence(tuple(words), tuple(before), style)


def _parts(text: str, parted: Callable[[str], _Parted]) -> tuple[list[str], list[str]]:
    """The words and what is before each, before stops and apostrophes are put to them."""
    words: list[str] = []
    before: list[str] = []
    if text.isprintable() and "  " not in text:  # every gap is a space
        chunks = text.split(" ")
        gaps = [" "] * (len(chunks) - 1)
    else:
        found = _GAP.split(text)
        chunks, gaps = found[::2], found[1::2]
    unsaid = ""
    for chunk, gap in zip(chunks, [*gaps, ""], strict=True):
        said, first, others, last = parted(chunk)
        if said:
            words += said
            before.append(unsaid + first)
            before += others
            unsaid = last + gap
        else:
            unsaid += last + gap
    return words, [*before, unsaid]


_Parted = tuple[list[str], str, list[str], str]
"""The words between two gaps; what is before the first, before each of the others, and after."""


@remembered(_REMEMBERED)
def _written(chunk: str) -> _Parted:
    if chunk.isascii():  # most are a word, or one with a mark behind it
        if chunk.isalpha():
            return [chunk], "", [], ""
        if chunk[-1:] in _MARKS and chunk[:-1].isalpha():
            return [chunk[:-1], chunk[-1]], "", [""], ""
    found = [match for match in _WORD.finditer(chunk) if not _UNSEEN.fullmatch(match.group())]
    if not found:
        return [], "", [], chunk
    between = [chunk[one.end() : other.start()] for one, other in pairwise(found)]
    words = [match.group() for match in found]
    return words, chunk[: found[0].start()], between, chunk[found[-1].end() :]


@remembered(_REMEMBERED)
def _whole(chunk: str) -> _Parted:
    said = chunk and not _UNSEEN.fullmatch(chunk)
    return ([chunk], "", [], "") if said else ([], "", [], chunk)


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
        if words[i] not in _APOSTROPHES:
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


def _attach_abbreviation_stops(words: list[str], before: list[str]) -> tuple[list[str], list[str]]:
    """«Mr .» becomes «Mr.» and «J .» «J.»: a stop that ends no sentence."""

    def joins(i: int, previous: str) -> bool:
        followed = i + 1 < len(words) and before[i + 1] != ""
        if words[i] != "." or before[i] != "" or not followed:
            return False
        after = words[i + 1]
        if after in OPENERS and previous not in ("vs", "v"):
            return False
        counted = i > 1 and words[i - 2][-1].isdigit()  # «180 C.»
        initial = len(previous) == 1 and previous.isupper() and not counted
        goes_on = after[0].islower() or after[0].isdigit()  # «Oct. 5», «No. 10»
        return initial or previous in NEVER_LAST or (previous in STOPPED and goes_on)

    return _joined(words, before, joins)
