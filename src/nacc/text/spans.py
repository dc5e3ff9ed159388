"""Parts of a sentence that are said whole or not at all: numbers with all that belongs to them,
and names of several words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import regex

from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.memory import remembered
from nacc.text.numbers import NUMERALS, SCALES, is_number
from nacc.text.words import Sentence, key

Span = tuple[int, int]

_SIGNS = frozenset("minus plus".split())
_UNITS = frozenset(
    "percent pct % euros euro dollars dollar pounds yen yuan rubles roubles rupees francs pesos "
    "won cents pence p.m. a.m. pm am degrees basis percentage kilometers kilometres km miles mph "
    "kg tonnes tons metres meters metre meter feet foot inches yards litres liters gallons barrels "
    "acres hectares ounces grams kilos kilograms megawatts gigawatts mw gw hours hour minutes "
    "seconds days weeks months years".split()
)
_BETWEEN = frozenset(
    "per cent points us u.s. canadian australian swiss mexican celsius fahrenheit".split()
)
_SCORE = regex.compile(r"[\d#]{1,3}[-–][\d#]{1,3}")
_SAME = {
    "%": "pct", "percent": "pct", "bln": "billion", "bn": "billion", "mln": "million",
    "mn": "million", "m": "million", "tn": "trillion", "trln": "trillion", "tr": "trillion",
    "euro": "euros", "eur": "euros", "dollar": "dollars", "kilometers": "km", "kilometres": "km",
    "pm": "p.m.", "am": "a.m.", "tonnes": "tons",
}  # fmt: skip
_TITLES = frozenset(
    "president minister prime chancellor king queen prince princess pope judge senator governor "
    "mayor general colonel captain chairman sir lord lady mr mr. mrs mrs. ms ms. dr dr. prof. "
    "sen. gov. rep. gen. lt. col. sgt. capt. chief executive officer secretary foreign defense "
    "finance deputy vice former ceo".split()
)
_SUFFIXES = frozenset(
    "inc inc. corp corp. ltd ltd. co co. plc ag sa nv se spa group holdings llc lp jr jr. sr sr. "
    "company corporation limited".split()
)
_NEVER_ALONE = frozenset("new san los las santa saint st st. hong sri el puerto costa".split())
"""Beginnings of names that say nothing by themselves."""
PAIRS = frozenset(
    tuple(pair.split("_"))
    for pair in "hong_kong sri_lanka saudi_arabia new_york new_zealand new_jersey new_orleans "
    "new_delhi new_mexico new_hampshire north_korea south_korea south_africa united_states "
    "united_nations united_kingdom el_salvador costa_rica puerto_rico san_francisco san_diego "
    "san_jose los_angeles las_vegas west_bank gaza_strip ivory_coast wall_street white_house "
    "north_carolina south_carolina west_virginia north_dakota south_dakota rhode_island "
    "sierra_leone burkina_faso prime_minister".split()
)
"""Two words of which neither is said without the other, whatever their case."""
_HALVES = {
    ("north", "korea"): "n. n.korea nkorea nk korean",
    ("south", "korea"): "s. s.korea skorea sk seoul korean",
    ("south", "africa"): "s. s.africa safrica african", ("united", "states"): "us u.s.",
    ("united", "nations"): "un u.n.", ("new", "york"): "ny n.y.", ("saudi", "arabia"): "saudi",
    ("new", "zealand"): "nz", ("prime", "minister"): "pm premier minister",
    ("white", "house"): "house", ("wall", "street"): "street st st.", ("los", "angeles"): "la l.a.",
    ("sri", "lanka"): "lankan", ("gaza", "strip"): "gaza",
}  # fmt: skip
"""What stands for such a pair, or for half of it, in headlines."""


@lru_cache(512)
def spans(sentence: Sentence) -> tuple[Span, ...]:
    """(start, end) of each number phrase and each name of two words or more."""
    return (*numbers(sentence), *names(sentence))


@lru_cache(512)
def numbers(sentence: Sentence) -> tuple[Span, ...]:
    """Numbers with sign, scale and unit, of two words or more; scores that follow one another."""
    keys = sentence.keys
    found: list[Span] = []
    i = 0
    while i < len(keys):
        if not _counts(keys[i]):
            i += 1
            continue
        start = i - 1 if i and keys[i - 1] in _SIGNS else i
        end = i + 1
        if _SCORE.fullmatch(keys[i]):
            while end < len(keys) and _SCORE.fullmatch(keys[end]):
                end += 1
        else:
            end = _unit_end(keys, end)
        if end - start > 1:
            found.append((start, end))
        i = end
    return tuple(found)


def _unit_end(keys: Sequence[str], end: int) -> int:
    """Past scales and a unit, with what may stand between."""
    while end < len(keys) and keys[end] in SCALES:
        end += 1
    ahead = end
    while ahead < len(keys) and keys[ahead] in _BETWEEN and ahead < end + 2:
        ahead += 1
    if ahead < len(keys) and keys[ahead] in _UNITS:
        return ahead + 2 if keys[ahead + 1 : ahead + 2] == ("points",) else ahead + 1
    return ahead if keys[end:ahead] == ("per", "cent") else end


@remembered(2**14)
def _counts(word: str) -> bool:
    return is_number(word) or word in NUMERALS


@lru_cache(512)
def names(sentence: Sentence) -> tuple[Span, ...]:
    """Runs of capitalised words, less titles before and «Inc» after; in tokenized text, which has
    no capitals, a few names that are never halved."""
    keys = sentence.keys
    if sentence.style == "tokenized":
        return tuple((i, i + 2) for i in range(len(keys) - 1) if keys[i : i + 2] in PAIRS)
    found = []
    i = 0
    while i < len(keys):
        end = i
        while end < len(keys) and _is_name(sentence.words[end], end == 0):
            end += 1
        start, stop = i, end
        while start < stop and keys[start] in _TITLES:
            start += 1
        while stop > start and keys[stop - 1] in _SUFFIXES:
            stop -= 1
        if stop - start > 1:
            found.append((start, stop))
        i = end + 1
    return tuple(found)


def _is_name(word: str, first: bool) -> bool:
    if not word[0].isupper() or (first and key(word) in FUNCTION_WORDS):
        return False
    return any(c.islower() for c in word) or word.endswith(".")


class _Wholes(NamedTuple):
    """What of a sentence is said whole.

    phrases: the number phrases, in their own words and normal ones, and which of these are theirs
             alone.
    pairs:   what follows what, in normal words; known: all of them.
    halves:  pairs of words of a name, which of them may not stand alone, what stands for both.
    """

    phrases: list[tuple[str, list[str], frozenset[str]]]
    pairs: frozenset[tuple[str, str]]
    known: frozenset[str]
    halves: list[tuple[str, frozenset[str], frozenset[str], frozenset[str]]]


@lru_cache(512)
def _wholes(sentence: Sentence) -> _Wholes:
    keys = sentence.keys
    normal = _normal(keys)
    spoken = [(start, end, _normal(keys[start:end])) for start, end in numbers(sentence)]
    phrases = []
    for start, end, phrase in spoken:
        figures = Counter(word for word in phrase if _counts(word))
        own = frozenset(word for word in figures if normal.count(word) == figures[word])
        phrases.append((" ".join(sentence.words[start:end]), phrase, own))
    inside = {i for start, end in names(sentence) for i in range(start, end)}
    alone = {word for i, word in enumerate(keys) if i not in inside}
    halves = []
    for start, end in names(sentence):
        for i in range(start, end - 1):
            pair = keys[i : i + 2]
            lonely = frozenset(pair if pair in PAIRS else {pair[0]} & _NEVER_ALONE) - alone
            if pair == ("south", "korea") and "north" not in keys:
                lonely -= {"korea"}  # the only one there is, to most headlines
            stands = frozenset(_HALVES.get((pair[0], pair[1]), "").split())
            written = " ".join(sentence.words[i : i + 2])
            halves += [(written, frozenset(pair), lonely, stands)] if lonely else []
    return _Wholes(phrases, frozenset(pairwise(normal)), frozenset(normal), halves)


def broken(sentence: Sentence, answer: Sequence[str]) -> str | None:
    """What of the answer is half a number or half a name, or a number put together anew."""
    said = [key(word) for word in answer]
    wholes = _wholes(sentence)
    same = _normal(said)
    for written, phrase, own in wholes.phrases:
        if not own.isdisjoint(same) and not _holds(same, phrase):
            return f"half of {written!r}"
    for step in pairwise(["", *same]):
        if _is_new_number(*step) and step[0] in wholes.known and step not in wholes.pairs:
            return f"{' '.join(step)!r} is not in the source"
    words = set(said)
    for written, pair, lonely, stands in wholes.halves:
        shown = words & pair
        if len(shown) == 1 and shown <= lonely and words.isdisjoint(stands):
            return f"half of {written!r}"
    return None


def _is_new_number(before: str, word: str) -> bool:
    """Whether the second word makes a number of the first, or a scale without one."""
    if _counts(before) or before in SCALES:
        return word in SCALES or word in _UNITS or word == "pct"
    return word in SCALES and len(word) > 2  # m and k are no scales by themselves


def _normal(words: Sequence[str]) -> list[str]:
    """Units and scales each by one name, without what may stand before a unit."""
    plain = " ".join(words).replace("per cent", "pct").split()
    return [_SAME.get(word, word) for word in plain if word not in _BETWEEN]


def _holds(words: Sequence[str], phrase: Sequence[str]) -> bool:
    n = len(phrase)
    return any(words[i : i + n] == phrase for i in range(len(words) - n + 1))
