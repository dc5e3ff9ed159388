"""Words in the place of placeholders and markup, so that a text reads as people will read it.

A name or a number stands for what a program fills in, the words that a tag or a link encloses for
all of it. Afterwards each is put back whole, in its one place, or nothing is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape

import regex

from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.placeholders import Placeholder, outermost, placeholders
from nacc.text.words import split

MOST = 16
"""Placeholders of a text: of more, none is stood in for."""
MOST_WORDS = 6
"""Words in a row that stand for what encloses them; one name stands for more."""
_NAMES = "Robert Maria Helsinki Vienna Martin Julia Lisbon Warsaw".split()
_NUMBERS = "37 58 24 46 63 82 29 71".split()
_COUNTED = regex.compile(
    r"^%(?:\d+\$|[(<]\w+[>)])?[-+\#0 ']*[\d.*]*(?:hh?|ll?|[Lqjzt])?[diouxXeEfFgG]$|"
    r"(?i:(?<!ac)count(?!r)|num|total|amount|limit|size|price|percent|days|hours|minutes|seconds|"
    r"plural|(?<![a-z])(?:n|no|id|qty)(?![a-z]))"
)
"""Placeholders of numbers, by how they print or what they are called."""
_BEFORE, _BEHIND = frozenset("\"'“”„«»‘([¿¡"), frozenset("\"'“”»«’)],.;:!?…")
_PLURAL = regex.compile(r",\s*plural\s*,[^,]*\bother\s*\{([^{}]*)\}\s*\}$")
_SOME = "19"
"""How many there are of what may be one or several."""
_POSSESSIVE = ("'s", "’s")
_JOINED = regex.compile(r",?\s+(?:(?:of|and|or|&|[-–])\s+)?")
"""What stands between two placeholders that stay together: «{used} of {total}»."""
_UP_TO, _FROM = regex.compile(r"(?r)\S*"), regex.compile(r"\S*")


@dataclass(frozen=True)
class StandIn:
    """What stands in a text, and for what."""

    said: str
    original: str

    @property
    def bare(self) -> str:
        """Without the marks at its ends, which may not be said."""
        return self.said.strip(" ".join(_BEFORE | _BEHIND)) or self.said

    def places(self, text: str) -> list[tuple[int, int]]:
        """Where it stands in a text, with the marks at its ends or without."""
        before, behind = map(regex.escape, self.said.split(self.bare, 1))
        words = r"\s+".join(map(regex.escape, self.bare.split()))
        pattern = rf"(?:{before})?(?<!\w){words}(?!\w)(?:{behind})?"
        return [each.span() for each in regex.finditer(pattern, text, regex.IGNORECASE)]


@dataclass(frozen=True)
class Readable:
    """A text as people will read it, and what stands in it for what."""

    text: str
    held: tuple[StandIn, ...]

    def put_back(self, said: str) -> str | None:
        """Words of the text with what they stand for; None where one of these has not exactly
        one place."""
        whole = all(len(each.places(said)) == 1 for each in self.held)
        return self.restored(said) if whole else None

    def restored(self, said: str) -> str:
        """What is said, with everything that stands in it for something else as that is written."""
        return self._with([each.original for each in self.held], said)

    def says_more(self, said: str) -> bool:
        """Whether words say anything besides what a program fills in, and more than their stand-ins
        do."""
        more = split(self._with([" "] * len(self.held), said)).keys
        read = {word for each in self.held for word in split(unescape(each.original)).keys}
        known = {word for each in self.held for word in split(each.said).keys if word in read}
        told = {*more, *known} - FUNCTION_WORDS
        return any(map(str.isalnum, more)) and any(word[0].isalnum() for word in told)

    def _with(self, instead: Sequence[str], said: str) -> str:
        """What is said, with others in the places of the stand-ins."""
        pairs = zip(self.held, instead, strict=True)
        places = [(*place, other) for each, other in pairs for place in each.places(said)]
        for start, end, other in sorted(places, reverse=True):
            said = said[:start] + other + said[end:]
        return said


@dataclass(frozen=True)
class _Unit:
    """A placeholder with what is written together with it; `said` is what people read of it, if
    that is known."""

    start: int
    end: int
    said: str | None
    counted: bool


def readable(text: str) -> Readable:
    """The text as people will read it."""
    parts: list[str] = []
    held: list[StandIn] = []
    at = 0
    names, numbers = _unsaid(_NAMES, text), _unsaid(_NUMBERS, text)
    for unit in _units(text):
        said = unit.said or next(numbers if unit.counted else names, None)
        if said is not None:
            held.append(StandIn(said, text[unit.start : unit.end]))
            parts += [text[at : unit.start], said]
            at = unit.end
    return Readable("".join([*parts, text[at:]]), tuple(held))


def _unsaid(words: Sequence[str], text: str) -> Iterator[str]:
    lower = text.lower()
    return (word for word in words if word.lower() not in lower)


def _units(text: str) -> list[_Unit]:
    """What is to be stood in for, in order; neighbours that belong together as one."""
    found: list[_Unit] = []
    every = outermost(text)
    for each in every if len(every) <= MOST else ():
        if each.kind == "markup" and each.inner is None:
            continue  # nobody reads it
        start, end = _written_together(text, each)
        while found and found[-1].end > start:
            over = found.pop()
            start, end = min(start, over.start), max(end, over.end)
        original = text[start:end]
        inner = _read(text, each, start, end).strip()
        said = inner if _is_said_once(inner, text[:start] + text[end:]) else None
        counted = any(map(_COUNTED.search, placeholders(original)))
        opaque = bool(found) and said is None is found[-1].said
        if opaque and _JOINED.fullmatch(text, found[-1].end, start):
            start = found.pop().start
        found.append(_Unit(start, end, said, counted))
    return found


def _read(text: str, each: Placeholder, start: int, end: int) -> str:
    """What people read of a placeholder that is written together with what stands from start to
    end; nothing where that is not known."""
    if each.kind == "entity":
        return unescape(text[start:end])
    alone = (start, end) == (each.start, each.end)
    if alone and each.inner:
        return text[slice(*each.inner)]
    plural = _PLURAL.search(text[start:end]) if alone else None
    noun = plural[1] if plural else ""
    return noun.replace("#", _SOME) if any(map(str.isalpha, noun)) else ""


def _is_said_once(words: str, elsewhere: str) -> bool:
    """Whether these can stand for what encloses them, and are not to be mistaken for others."""
    able = 0 < len(words.split()) <= MOST_WORDS and any(c.isalnum() for c in words)
    return able and not placeholders(words) and not StandIn(words.strip(), "").places(elsewhere)


def _written_together(text: str, each: Placeholder) -> tuple[int, int]:
    """Where it begins and ends with all that no space parts from it, less quotation marks, brackets
    and stops around it; a sign that stands alone, with the words that it joins."""
    start, end = each.start, each.end
    if each.kind == "entity" and text[:start].endswith(" ") and text[end:].startswith(" "):
        start, end = start - 1, end + 1
    start, end = _UP_TO.search(text, 0, start).start(), _FROM.match(text, end).end()
    while start < each.start and text[start] in _BEFORE:
        start += 1
    while end > each.end and text[end - 1] in _BEHIND:
        if text[end - 1] == ")" and "(" in text[start : end - 1]:
            break
        end -= 1
    return start, each.end if text[each.end : end] in _POSSESSIVE else end
