"""Parts of a sentence that are said whole or not at all: numbers with all that belongs to them,
and names of several words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nacc.text.amounts import Span, amounts, halved
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.memory import kept
from nacc.text.words import Sentence, key

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
_LONELY = _NEVER_ALONE.union(*PAIRS)
"""Without any of these, no name can be halved."""
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


@kept
def spans(sentence: Sentence) -> tuple[Span, ...]:
    """(start, end) of each number phrase and each name of two words or more."""
    return (*amounts(sentence), *names(sentence))


@kept
def names(sentence: Sentence) -> tuple[Span, ...]:
    """Runs of capitalised words, less titles before and «Inc» after; in tokenized text, which has
    no capitals, a few names that are never halved."""
    keys = sentence.keys
    if sentence.style == "tokenized":
        return tuple((i, i + 2) for i in range(len(keys) - 1) if keys[i : i + 2] in PAIRS)
    found = []
    i = 0
    while i < len(keys):
        if not sentence.words[i][0].isupper():
            i += 1
            continue
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


class _Half(NamedTuple):
    """Two words of a name, which of them may not stand alone, and what stands for both."""

    written: str
    pair: frozenset[str]
    lonely: frozenset[str]
    stands: frozenset[str]


@kept
def _halves(sentence: Sentence) -> tuple[_Half, ...]:
    keys = sentence.keys
    if _LONELY.isdisjoint(keys):
        return ()
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
            halves += [_Half(written, frozenset(pair), lonely, stands)] if lonely else []
    return tuple(halves)


def broken(sentence: Sentence, said: Sequence[str]) -> str | None:
    """What of the answer is half a number or half a name, or a number put together anew."""
    if half := halved(sentence, said):
        return half
    words = set(said)
    for each in _halves(sentence):
        shown = words & each.pair
        if len(shown) == 1 and shown <= each.lonely and words.isdisjoint(each.stands):
            return f"half of {each.written!r}"
    return None
