"""Which words a source licenses: what a summary may say, though the source says it otherwise.

Common words are free. Names and numbers are not: they are the source's, or stand for something in
it («UK» for Britain, «WHO» for the World Health Organization, «three» for 3). Nor are words that
weigh («dies», «guilty», «wins»): the source must have one of the same kind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from importlib import resources
from typing import Literal

import regex

from nacc.text.aliases import ALIASES
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.memory import kept, remembered
from nacc.text.numbers import NUMERALS, PERCENT, SCALES, is_number
from nacc.text.stem import base
from nacc.text.words import Sentence, key

_COUNTS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
} | {
    word: 10 * n
    for n, word in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)
}
_FIGURES = {str(number): word for word, number in _COUNTS.items()}
_FREE_COUNTS = {
    "one": {"a", "an", "single", "another", "first", "1st"},
    "two": {"both", "pair", "couple", "second", "twice", "twin", "twins", "2nd", "double"},
    "three": {"third", "3rd", "trio", "triple"},
    "four": {"fourth", "4th"},
    "five": {"fifth", "5th"},
}
_VAGUE = {"dozens": 2, "hundreds": 3, "thousands": 4, "millions": 7, "billions": 10}
"""How many digits a source's number has for this to be said of it."""
_SCALE_NAMES = {"mln": "million", "mn": "million", "m": "million", "bln": "billion",
                "bn": "billion", "tn": "trillion", "trln": "trillion"}  # fmt: skip
_FIGURE = regex.compile(r"\d[\d,]*(?:\.\d+)?")
_NUMBER = regex.compile(r"[+\-−]?(?:\p{L}{0,3}\p{Sc})?[+\-−.]?[\d#]")
_JOINTS = regex.compile(r"[-‐‑/–]|\.(?:com)?$")
_LETTERS = regex.compile(r"[.&'’/]")
_LIGHT = frozenset({"quite"})
_NTH = ("first", "second", "third", "fourth", "fifth")
_ORDINALS = {
    sign: word
    for n, word in enumerate(_NTH, 1)
    for sign in (f"{n}st", f"{n}nd", f"{n}rd", f"{n}th")
} | {f"{part}{n}": word for n, word in enumerate(_NTH[:4], 1) for part in "qh"}
_ONESELF = frozenset({"i", "i'm", "i've", "i'd", "i'll"})


def _weighty() -> dict[str, frozenset[str]]:
    """A line: words that weigh, a bar, others that license them too."""
    text = resources.files(__package__).joinpath("weighty.txt").read_text("ascii")
    table: dict[str, frozenset[str]] = {}
    for line in regex.split(r"\n(?! )", text.strip()):
        said, _, others = line.partition("|")
        licences = frozenset(base(word) for word in (said + others).split())
        for word in said.split():
            table[base(word)] = table.get(base(word), frozenset()) | licences
    return table


WEIGHTY = _weighty()
"""For the base of a word that weighs, the bases of the words that license it."""


def unlicensed(words: Sequence[str], sentence: Sentence) -> set[int]:
    """Which of the words, each as it is usually written, may not be said of this source."""
    weighed = [i for i, kind in enumerate(map(_kind, words)) if kind != "free"]
    return {i for i in weighed if not _source(sentence).licenses(words[i])}


class _Source:
    """What a sentence has: its words, their bases, names spelled out, and numbers."""

    def __init__(self, sentence: Sentence) -> None:
        self.keys, self.forms = sentence.keys, sentence.words
        self.written = sentence.style == "written"
        joined = (word for word in sentence.keys if not word.isalpha())
        parts = (part.strip("'") for word in joined for part in _JOINTS.split(word))
        self.words = {*sentence.keys, *parts} - {""}

    @cached_property
    def bases(self) -> set[str]:
        return {base(word) for word in self.words if len(word) < 40}

    @cached_property
    def values(self) -> set[str]:
        """The figures of the source's numbers, without separators and zeros that say nothing."""
        found = (value for word in self.words for value in _FIGURE.findall(word))
        return {_plain(value) for value in found}

    @cached_property
    def capitals(self) -> str:
        """The first letters of the names and the capitals inside them, between spaces."""
        return self._initials(lambda word: self.written and not word[0].isupper(), FUNCTION_WORDS)

    @cached_property
    def initials(self) -> str:
        """The first letters of all words; then the same but for small ones."""
        some, every = (self._initials(lambda _: False, left) for left in (FUNCTION_WORDS, ()))
        return f"{some} {every}"

    def _initials(self, breaks: Callable[[str], bool], left_out: Collection[str]) -> str:
        letters = []
        for word in self.forms:
            if word == "&" or word.lower() in left_out:
                continue
            letters.append(" " if breaks(word) else _heads(word))
        return "".join(letters).lower()

    def licenses(self, word: str) -> bool:
        kind = _kind(word)
        if kind == "free":
            return True
        lower = key(word)
        if kind != "shouted" and lower in self.words:
            return True
        if kind == "joined":
            return all(self.licenses(part) for part in word.split("-") if part)
        if kind == "weighty":
            return not WEIGHTY[base(lower)].isdisjoint(self.bases)
        return _CHECKS[kind](self, word if kind == "shouted" else lower)

    def _shouts(self, word: str) -> bool:
        """«US» is not us, «WHO» not who: small words that are names with capitals."""
        name = key(word)
        shouted = word in self.forms if self.written else name in self.words
        return shouted or self._means(name) or self._spells(name)

    def _has(self, name: str) -> bool:
        bare = name.rstrip("'")
        if not {name, bare, bare + "s", bare.removesuffix("s")}.isdisjoint(self.words):
            return True
        return self._means(bare) or self._spells(bare) or self._compounds(bare)

    def _means(self, name: str) -> bool:
        """Whether something in the source goes by this name."""
        keys = self.keys
        for phrase in ALIASES.get(name, ()):
            if phrase[0] not in self.words or phrase == (name,):
                continue
            n = len(phrase)
            if n == 1 or any(keys[i : i + n] == phrase for i in range(len(keys))):
                return True
        return False

    def _spells(self, name: str) -> bool:
        """Whether these are the first letters of words that follow one another."""
        letters = _letters(name)
        if not letters:
            return False
        plural = letters.removesuffix("s") if len(letters) > 2 else letters
        if letters in self.capitals or (len(plural) > 1 and plural in self.capitals):
            return self.written or len(plural) > 2
        return len(plural) > 2 and plural in self.initials

    def _compounds(self, name: str) -> bool:
        """Whether a word of the source is this name and «group» or the like."""
        if len(name) < 4:
            return False
        return any(name + more in self.words for more in ("group", "corp", "bank", "mobil"))

    def _counts(self, word: str) -> bool:
        """Whether a number in figures is the source's, however it writes it."""
        if word in _ORDINALS:
            return _ORDINALS[word] in self.words
        if "#" in word:  # the shape of a number: any count of as many digits
            shown = len(word) == word.count("#")
            counts = (n for w, n in _COUNTS.items() if w in self.words)
            return shown and any(len(str(n)) == len(word) for n in counts)
        values = [_plain(value) for value in _FIGURE.findall(word)]
        spelled = [_FIGURES.get(value, "") for value in values]
        known = (v in self.values or s in self.words for v, s in zip(values, spelled, strict=True))
        return bool(values) and all(known)

    def _says_count(self, word: str) -> bool:
        if word in _VAGUE:
            longest = max((len(value.split(".")[0]) for value in self.values), default=0)
            return base(word) in self.bases or longest >= _VAGUE[word]
        alike = _FREE_COUNTS.get(word, set())
        return str(_COUNTS.get(word)) in self.values or not alike.isdisjoint(self.words)

    def _scales(self, word: str) -> bool:
        """«mln» where the source has a million, «pct» where it has percents."""
        if word in PERCENT:
            shown = any(w.endswith("%") for w in self.words)
            return shown or not self.words.isdisjoint({"percent", "percentage", "cent", "pct"})
        full = _SCALE_NAMES.get(word, word)
        short = {s for s, f in _SCALE_NAMES.items() if f == full}
        attached = any(w[-1:].isalpha() and w.endswith((*short, full)) for w in self._scaled)
        return attached or not self.words.isdisjoint({full, full + "s", *short})

    @cached_property
    def _scaled(self) -> list[str]:
        """Numbers with letters after them: 6.7m, $2.3bn."""
        return [word for word in self.words if _FIGURE.search(word)]


Kind = Literal["free", "name", "shouted", "joined", "number", "count", "scale", "weighty"]
"""What a word needs, to be said."""
_CHECKS: dict[Kind, Callable[[_Source, str], bool]] = {
    "name": _Source._has,
    "shouted": _Source._shouts,
    "number": _Source._counts,
    "count": _Source._says_count,
    "scale": _Source._scales,
}
_source = kept(_Source)


@remembered(2**16)
def _kind(word: str) -> Kind:
    lower = key(word)
    if is_number(lower) and (lower in _ORDINALS or _NUMBER.match(lower)):
        return "number"
    if lower == "fed" or (word != word.lower() and lower not in _ONESELF):
        small: Kind = "shouted" if lower in FUNCTION_WORDS else "name"
        return "joined" if "-" in word[1:-1] else small
    kinds: tuple[tuple[Kind, bool], ...] = (
        ("name", is_number(lower)),  # mi5, g#
        ("count", lower in NUMERALS or lower in _VAGUE),
        ("scale", lower in SCALES or (lower in PERCENT and lower != "per")),
        ("weighty", base(lower) in WEIGHTY and lower not in _LIGHT),
    )
    return next((kind for kind, fits in kinds if fits), "free")


@remembered(2**16)
def _letters(name: str) -> str:
    """The letters of a name that may be the first ones of words; none if it cannot be."""
    letters = str(_LETTERS.sub("", name))
    return letters if letters.isalpha() and 2 <= len(letters) <= 6 else ""


@remembered(2**16)
def _heads(word: str) -> str:
    """The first letter of each of a word's parts, and the capitals inside it; of what is no word, a
    space."""
    if not word[0].isalpha():
        return " "
    return "".join(part[0] + _capitals(part[1:]) for part in word.split("-") if part)


def _capitals(letters: str) -> str:
    """Those inside a word: of GlaxoSmithKline; none where all are."""
    return "" if letters.isupper() else "".join(c for c in letters if c.isupper())


def _plain(value: str) -> str:
    value = value.replace(",", "")
    return value.rstrip("0").rstrip(".") if "." in value else value
