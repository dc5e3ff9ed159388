"""Numbers with all that belongs to them: sign, scale, unit, month, the other end of a range, the
whole that they are part of. Half of one says something else, so it is not said."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import regex

from nacc.text.memory import kept, remembered
from nacc.text.numbers import NUMERALS, SCALES, counts
from nacc.text.words import Sentence

Span = tuple[int, int]

_SIGNS = frozenset("minus plus no. nos nos. platforms gates rooms pages chapters".split())
_UNITS = frozenset(
    "percent pct % euros euro dollars dollar pounds yen yuan rubles roubles rupees francs pesos "
    "won cents pence p.m. a.m. pm am o'clock degrees basis percentage kilometers kilometres km "
    "miles mph kg tonnes tons metres meters metre meter feet foot inches yards litres liters "
    "gallons barrels acres hectares ounces grams kilos kilograms megawatts gigawatts mw gw hours "
    "hour minutes seconds days weeks months years thirds quarters fifths tenths".split()
)
_NAMES = "january february march april may june july august september october november december"
_SHORT = {name[:n] + dot: name for name in _NAMES.split() for n in (3, 4) for dot in (".", "")}
_MONTHS = frozenset(_SHORT) | frozenset(_NAMES.split())
_BETWEEN = frozenset(
    "per cent points us u.s. canadian australian swiss mexican celsius fahrenheit".split()
)
_AFTER = (("and", "a", "half"), ("and", "a", "quarter"), ("below", "zero"), ("below", "freezing"))
_RATIOS = (("in",), ("out", "of"))
_TO = frozenset("to - – —".split())
_SCORE = regex.compile(r"[\d#]{1,3}[-–][\d#]{1,3}")
_FIGURES = regex.compile(r"[\d#.,:]+")
_YEAR = regex.compile(r"[12]\d{3}|####")
_DAY = regex.compile(r"\d{1,2}(?:st|nd|rd|th)?")
_SAME = {
    "%": "pct", "percent": "pct", "bln": "billion", "bn": "billion", "mln": "million",
    "mn": "million", "m": "million", "tn": "trillion", "trln": "trillion", "tr": "trillion",
    "euro": "euros", "eur": "euros", "dollar": "dollars", "kilometers": "km", "kilometres": "km",
    "pm": "p.m.", "am": "a.m.", "tonnes": "tons", "–": "to", "—": "to", "-": "to",
    **_SHORT,
}  # fmt: skip
_PARTS = frozenset("half third quarter most some few many none majority".split())
_ALL_OF = frozenset("the its their his her all those these about nearly some our".split())
_FEWER = frozenset("fewer less under below".split())
_LIMITS: dict[tuple[str, ...], frozenset[str]] = {
    ("fewer", "than"): _FEWER,
    ("less", "than"): _FEWER,
    ("under",): _FEWER,
    ("no", "more", "than"): _FEWER | {"no", "only", "most"},
    ("up", "to"): frozenset("up most max maximum many much".split()),
}
"""What a number is not without: the words one of which must be said with it."""


class Whole(NamedTuple):
    """Figures that are said in one of these forms, each of phrases that must all be there; or with
    one of the words needed."""

    written: str
    figures: frozenset[str]
    forms: tuple[tuple[tuple[str, ...], ...], ...]
    needed: frozenset[str] = frozenset()


@kept
def amounts(sentence: Sentence) -> tuple[Span, ...]:
    """(start, end) of each number of two words or more; ranges as one."""
    keys = sentence.keys
    return tuple(span for span in _merged(keys, _numbers(keys)) if span[1] - span[0] > 1)


def _merged(keys: Sequence[str], numbers: Iterable[Span]) -> Iterator[Span]:
    """The numbers, those that belong to one another as one."""
    found = list(numbers)
    while found:
        start, end = found.pop(0)
        if found and (joint := _joint(keys, (start, end), found[0])):
            start = start - 1 if joint == "and" and keys[start - 1] == "between" else start
            end = found.pop(0)[1]
        yield start, end


def _numbers(keys: Sequence[str]) -> Iterator[Span]:
    end = 0
    for i, word in enumerate(keys):
        if i < end or not counts(word):
            continue
        led = i > 0 and (keys[i - 1] in _SIGNS or _is_date(keys[i - 1], word))
        start, end = i - led, i + 1
        if _SCORE.fullmatch(word):
            while (after := end + (keys[end : end + 1] == (",",))) < len(keys):
                if not _SCORE.fullmatch(keys[after]):
                    break
                end = after + 1
        elif not (led and keys[start] in _MONTHS):
            end = _unit_end(keys, end)
        yield start, end


def _is_date(month: str, day: str) -> bool:
    return month in _MONTHS and _DAY.fullmatch(day) is not None


def _unit_end(keys: Sequence[str], end: int) -> int:
    """Past scales and a unit, with what may stand between; past a day's month."""
    if keys[end : end + 1] and _is_date(keys[end], keys[end - 1]):
        return end + 1
    while end < len(keys) and keys[end] in SCALES:
        end += 1
    end = _past(keys, end)
    ahead = end
    while ahead < len(keys) and keys[ahead] in _BETWEEN and ahead < end + 2:
        ahead += 1
    if ahead < len(keys) and keys[ahead] in _UNITS:
        points = keys[ahead + 1 : ahead + 2] == ("points",)
        return _past(keys, ahead + 2 if points else ahead + 1)
    return ahead if keys[end:ahead] == ("per", "cent") else end


def _past(keys: Sequence[str], end: int) -> int:
    return next((end + len(a) for a in _AFTER if tuple(keys[end : end + len(a)]) == a), end)


def _joint(keys: Sequence[str], one: Span, other: Span) -> str | None:
    """How two numbers that follow one another make one: «3 to 14 August», «one in four»."""
    between = tuple(keys[one[1] : other[0]])
    if between in _RATIOS:
        few = one[1] - one[0] == 1 and other[1] - other[0] == 1
        return "in" if few and not _YEAR.fullmatch(keys[other[0]]) else None
    if len(between) != 1 or _SCORE.fullmatch(keys[one[0]]):
        return None
    if between[0] in _TO:
        unit = _unit(keys[slice(*one)])
        same = not unit or not unit.isdisjoint(_unit(keys[slice(*other)]))
        return "to" if same or keys[one[0] - 1 : one[0]] == ("from",) else None
    paired = keys[one[0]] in _SIGNS or (one[0] > 0 and keys[one[0] - 1] == "between")
    shared = one[1] - one[0] == 1 < other[1] - other[0] and not _YEAR.fullmatch(keys[one[0]])
    return "and" if between[0] in ("and", "or") and (paired or shared) else None


def _unit(words: Sequence[str]) -> set[str]:
    """All of a number but its figures: $, %, million."""
    return {_FIGURES.sub("", word) if counts(word) else word for word in words} - {"", *NUMERALS}


@kept
def wholes(sentence: Sentence) -> tuple[Whole, ...]:
    """What of a sentence's numbers is said whole, and how."""
    keys = sentence.keys
    numbers = list(_numbers(keys))
    if not numbers:
        return ()
    told = Counter(normal(keys))
    found = []
    for start, end in _merged(keys, numbers):
        these = numbers[bisect_left(numbers, (start, 0)) : bisect_left(numbers, (end, 0))]
        parts = [p for p in these if p[1] <= end]
        written = " ".join(sentence.words[start:end])
        if len(parts) == 2:
            joint = _joint(keys, *parts)
            one, other = (normal(keys[a:b]) for a, b in parts)
            forms = _forms(joint or "", one, other, keys[start], keys[start - 1 : start])
            for part, its in zip((one, other), forms, strict=True):
                found.append(Whole(written, _own(part, told), its))
        elif end - start > 1:
            phrase = normal(keys[start:end])
            found.append(Whole(written, _own(phrase, told), ((tuple(phrase),),)))
        found += _limited(sentence, start, end, told)
    return tuple(each for each in found if each.figures)


def _own(phrase: Sequence[str], told: Counter[str]) -> frozenset[str]:
    """The figures of a number that no other has."""
    figures = [word for word in phrase if counts(word)]
    return frozenset(word for word in figures if told[word] == figures.count(word))


_Forms = tuple[tuple[tuple[str, ...], ...], ...]


def _forms(
    joint: str, one: list[str], other: list[str], first: str, before: Sequence[str]
) -> tuple[_Forms, _Forms]:
    """How the two ends of a range may be said: as one; or, of what goes from one to the other, the
    end that stands for itself."""
    if joint in ("and", "or"):
        if first == "between":
            whole = ((*one, "to", *other),)
            return (whole,), (whole, (("up", "to", *other),))
        unit = tuple(word for word in other if not counts(word))
        both = ((*one, "and", *other),)
        alone: _Forms = (((*one, *unit),),) if unit else ()
        return (both, ((*one, "or", *other),), *alone), (both, (tuple(other),))
    if joint == "in":
        ratio = ((*one, "in", *other),), ((*one, "out", "of", *other),)
        return ratio, ratio
    whole = ((*one, "to", *other),)
    if tuple(before) != ("from",):
        return (whole,), (whole, (("up", "to", *other),))
    ends = tuple(((word, *other),) for word in ("to", "until", "till", "at"))
    begins = tuple(((word, *one),) for word in ("from", "since")) if _stands(one, other) else ()
    changed = (("from", *one), ("to", *other))
    return (whole, *begins, changed), (whole, *ends)


def _stands(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether the beginning of a range needs nothing from its end."""
    return len(one) > 1 or len(other) == 1 or _YEAR.fullmatch(one[0]) is not None


def _limited(sentence: Sentence, start: int, end: int, told: Counter[str]) -> Iterator[Whole]:
    """«Half of the 600 pupils», «fewer than 20»: what the number is not without."""
    keys = sentence.keys
    figures = _own(normal(keys[start:end]), told)
    for limit, needed in _LIMITS.items():
        if keys[max(0, start - len(limit)) : start] == limit:
            yield Whole(" ".join((*limit, *sentence.words[start:end])), figures, (), needed)
    at = start - 1
    while at > 1 and keys[at] in _ALL_OF:
        at -= 1
    if at > 0 and keys[at] == "of":
        part = keys[at - 1]
        if part in _PARTS or (counts(part) and not _YEAR.fullmatch(part)):
            written = " ".join(sentence.words[at - 1 : end])
            yield Whole(written, figures, (), frozenset({part}))


def halved(sentence: Sentence, said: Sequence[str]) -> str | None:
    """What of an answer is half a number, or a range put together anew."""
    if not any(map(_measures, said)):
        return None
    same = normal(said)
    words = set(same)
    for whole in wholes(sentence):
        if whole.figures.isdisjoint(words):
            continue
        held = any(all(_holds(same, phrase) for phrase in form) for form in whole.forms)
        if not held and words.isdisjoint(whole.needed):
            return f"half of {whole.written!r}"
    for i, step in enumerate(pairwise(["", *same])):
        if _is_new_number(*step):
            pairs, known = _pairs(sentence)
            if step[0] in known and step not in pairs:
                return f"{' '.join(step)!r} is not in the source"
        led = step[1] == "to" and counts(step[0]) and same[i - 2 : i - 1] == ["from"]
        if led and (*step, *same[i + 1 : i + 2])[1:] not in _pairs(sentence)[0]:
            return f"'from {step[0]} to' without the other end"
    return None


@kept
def _pairs(sentence: Sentence) -> tuple[frozenset[tuple[str, str]], frozenset[str]]:
    """What follows what, in normal words; and all of them."""
    words = normal(sentence.keys)
    return frozenset(pairwise(words)), frozenset(words)


@remembered(50_000)
def _measures(word: str) -> bool:
    """Whether a word is a number or part of one, by any of its names."""
    same = _SAME.get(word, word)
    return counts(word) or same in SCALES or same in _UNITS or same == "pct" or word[-3:] == "per"


def _is_new_number(before: str, word: str) -> bool:
    """Whether the second word makes a number of the first, or a scale without one."""
    if counts(before) or before in SCALES:
        return word in SCALES or word in _UNITS or word == "pct"
    return word in SCALES and len(word) > 2  # m and k are no scales by themselves


def normal(words: Sequence[str]) -> list[str]:
    """Units, scales and months each by one name, «between 3 and 5» as «3 to 5»; without what may
    stand before a unit, and without commas."""
    plain = " ".join(words).replace("per cent", "pct").split()
    same = [_SAME.get(word, word) for word in plain if word not in _BETWEEN and word != ","]
    for i, word in enumerate(same):
        if word == "between" and (at := next(_ands(same, i), None)):
            same[at] = "to"
    return [word for i, word in enumerate(same) if word != "between" or "to" not in same[i : i + 6]]


def _ands(words: Sequence[str], start: int) -> Iterator[int]:
    """Where the «and» stands of a number that begins after `start`."""
    for i in range(start + 2, min(start + 6, len(words) - 1)):
        if words[i] == "and" and counts(words[start + 1]) and counts(words[i + 1]):
            yield i


def _holds(words: Sequence[str], phrase: Sequence[str]) -> bool:
    n = len(phrase)
    return any(tuple(words[i : i + n]) == tuple(phrase) for i in range(len(words) - n + 1))
