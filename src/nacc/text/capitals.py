"""Which words are capitalised for the name that they are part of, and lose that with the name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.memory import kept
from nacc.text.words import Sentence

_Beside = tuple[str | None, str | None]
"""The words before and behind one."""
_STOPS = frozenset({".", "!", "?"})
_TITLES = frozenset(
    "former ex acting deputy vice senior chief president minister senator governor mayor judge "
    "police general captain secretary prince princess king queen prime".split()
)
_JOINS = frozenset("of for and the on &".split())
_NO_NAMES = _TITLES | FUNCTION_WORDS
_COMMON = frozenset(
    "agreement airport authority award awards board bridge bureau center centre championship "
    "climate college commission committee conference convention council court defence defense "
    "department development district division education energy estate exhibition festival film "
    "finance forum foundation health heritage hospital hotels human institute justice library "
    "market minister ministry museum office peace plant policy power prize program project "
    "research rights safety school secretary security service society stadium station summit "
    "talks tower trade transport treaty university wind".split()
)
"""Words of names that are none by themselves, nor anybody's."""


@kept
def _within(sentence: Sentence) -> dict[str, frozenset[str]]:
    """The words of the name that each common word is part of («Foreign Trade Agreement»), of those
    that a sentence has once and that do not open it."""
    words, keys = sentence.words, sentence.keys
    found: dict[str, frozenset[str]] = {}
    start = 0
    for end in range(1, len(words) + 1):
        if end < len(words) and (_is_capital(words[end]) or keys[end] in _JOINS):
            continue
        name = [i for i in range(start, end) if _is_capital(words[i])]
        for i in name[1:]:
            if keys[i] in _COMMON and keys.count(keys[i]) == 1 and not words[i].isupper():
                found[keys[i]] = frozenset(keys[j] for j in name if j != i)
        start = end + 1
    return {} if found and sum(map(_is_capital, words)) * 2 > len(words) else found


def _is_capital(word: str) -> bool:
    return word[0].isupper()


def opening_name(sentence: Sentence, usual: Mapping[str, str]) -> frozenset[str]:
    """The word that opens a sentence, if it has its capital for a name, too: one that goes on with
    a word that has no capital elsewhere («Red Bull», «Pivotal Software»)."""
    words, first = sentence.words, sentence.keys[:2]
    no_name = not _NO_NAMES.isdisjoint(first) or not all(map(_is_capital, words[:2]))
    if len(words) < 3 or no_name or all(map(_is_capital, words[:6])):
        return frozenset()
    return frozenset(first[:1]) if usual.get(first[1]) == first[1] else frozenset()


def in_context(words: Sequence[str], keys: Sequence[str], sentence: Sentence) -> list[str]:
    """The words of an answer; of one that the source writes in two ways, the way it has beside the
    same neighbours («the paper firm International Paper»: International Paper; an IT firm as it
    grows: as it grows), else without a capital («Morgan Stanley Real Estate» on real estate), and
    all in capitals (a dateline: ALGERIA) only where it always is."""
    forms = list(words)
    several = _several(sentence)
    for i, lower in enumerate(keys) if several else ():
        if lower in several:
            follows = i > 0 and forms[i - 1] == keys[i - 1] in several
            forms[i] = _as_beside(forms[i], lower, _beside(keys, i), several[lower], follows)
    return forms


def left_of_names(words: Sequence[str], keys: Sequence[str], sentence: Sentence) -> list[str]:
    """The words of an answer; a common one that has its capital for a name loses it where nothing
    beside it is of that name («Free Trade Agreement»: trade talks)."""
    forms = list(words)
    within = _within(sentence)
    for i, lower in enumerate(keys) if within else ():
        if lower in within and within[lower].isdisjoint(_beside(keys, i)):
            forms[i] = lower
    return forms


def _beside(keys: Sequence[str], i: int) -> _Beside:
    return keys[i - 1] if i else None, keys[i + 1] if i + 1 < len(keys) else None


def _as_beside(
    form: str, lower: str, beside: _Beside, ways: Sequence[tuple[str, _Beside]], follows: bool
) -> str:
    """How a word is written that the source writes in several ways; follows: behind another such
    word that has no capital."""
    alike = [sum(a == b for a, b in zip(beside, around, strict=True)) for _, around in ways]
    best = max(alike)
    liked = [way for (way, _), each in zip(ways, alike, strict=True) if each == best]
    if lower in liked and not form.isupper() and (follows or not best):
        return lower
    if not best and form.isupper():
        return next((way for way in liked if way.istitle()), form)
    return liked[0] if best else form


@kept
def _several(sentence: Sentence) -> dict[str, list[tuple[str, _Beside]]]:
    """The words that are written in two ways inside a sentence: each way, with its neighbours."""
    keys = sentence.keys
    if sentence.style == "tokenized" or len({*keys[1:]}) == len({*sentence.words[1:]}):
        return {}
    found: dict[str, list[tuple[str, _Beside]]] = {}
    for i in range(1, len(keys)):
        if sentence.words[i - 1] not in _STOPS:
            found.setdefault(keys[i], []).append((sentence.words[i], _beside(keys, i)))
    return {word: ways for word, ways in found.items() if len({form for form, _ in ways}) > 1}
