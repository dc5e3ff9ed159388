"""Whether a text is English: the model knows no other language, and would invent.

Letters of other scripts tell by themselves. Among languages with Latin letters, each word is as
likely as its language's little text (`languages.txt`) makes it: as one of the text's words, or as
any string of letters, each after the two before it. Names weigh less: they cross borders. A text
is taken for English unless another language is clearly likelier.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from importlib import resources
from itertools import chain, filterfalse, repeat
from math import inf, log

import numpy as np
import regex
from numpy.typing import NDArray

from nacc.deadline import check
from nacc.text.memory import Memory, remembered

Odds = NDArray[np.float64]

LONGEST, MOST_WORDS = 10_000, 100
"""How many characters and words are looked at."""
MOST_WORDS_A_PART = 2
"""Of what has no space in it, so many are looked at without further ado."""
LONGEST_WORD = 40
"""Letters: what is longer is no word."""
CLEARLY = 4.5
"""How much likelier another language must be (natural logarithm of the odds) …"""
PER_WORD = 0.25
"""… and how much more for each word."""
ALONE = 13.5
"""How much is enough without a word that is the other language's own."""
_REMEMBERED = 50_000  # words, and as many runs of letters
_MOST_OF_A_WORD, _NAME, _FIRST, _KNOWN = 5.0, 0.25, 0.45, 0.5
_ALPHABET, _UNSURE, _OFTEN = 60, 5.0, 4
_WORD = regex.compile(r"[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*")
_CODE = regex.compile(r"[\d@_/\\{}<>=#]|\w\.\w|\w::")
_LATIN = regex.compile(r"[\p{Latin}]")
_SCRIPTS = {
    "Japanese": r"\p{Hiragana}\p{Katakana}", "Chinese": r"\p{Han}", "Korean": r"\p{Hangul}",
    "Arabic or Persian": r"\p{Arabic}", "Hebrew": r"\p{Hebrew}", "Greek": r"\p{Greek}",
    "Thai": r"\p{Thai}", "Hindi": r"\p{Devanagari}",
    "Russian or another Slavic language": r"\p{Cyrillic}",
}  # fmt: skip
_OF_SCRIPT = {name: regex.compile(f"[{letters}]") for name, letters in _SCRIPTS.items()}
_HEAVY = 3
"""A Chinese, Japanese or Korean sign says as much as some letters."""


def reason_not_english(text: str) -> str | None:
    """Why the text is not for an English model, in a few words; None if it is English."""
    text = text[:LONGEST]
    parts = text.split()
    if len(parts) * MOST_WORDS_A_PART <= MOST_WORDS and _table().is_plain(parts):
        return None
    words = list(chain.from_iterable(map(_words, parts)))[:MOST_WORDS]
    if not words:
        return "there are no words in it"
    name = None if text.isascii() else _other_script("".join(words))
    if name is None:
        said, plain = list(filterfalse(_is_code, parts)), words
        if len(said) < len(parts):
            plain = list(chain.from_iterable(map(_words, said)))[:MOST_WORDS]
        name = _other_language(plain) if len(plain) > 1 else None  # one word may be a name
    return f"it is not English (it seems to be {name})" if name else None


@remembered(_REMEMBERED)
def _words(part: str) -> tuple[str, ...]:
    """The words of what has no space in it."""
    return tuple(word for word in _WORD.findall(part) if len(word) <= LONGEST_WORD)


@remembered(_REMEMBERED)
def _is_code(part: str) -> bool:
    return not part.isalpha() and _CODE.search(part) is not None


def _other_script(letters: str) -> str | None:
    """The language of most letters, if they are not Latin ones."""
    latin = len(_LATIN.findall(letters))
    if latin == len(letters):
        return None
    counts = {name: len(script.findall(letters)) for name, script in _OF_SCRIPT.items()}
    others = len(letters) - latin
    heavy = counts["Japanese"] + counts["Chinese"] + counts["Korean"]
    if others + (_HEAVY - 1) * heavy <= latin:
        return None
    if counts["Japanese"] * 10 > counts["Chinese"]:  # Japanese has Chinese signs too
        counts["Japanese"] += counts["Chinese"]
    name = max(counts, key=lambda name: counts[name])
    return name if counts[name] else "a language of another script"


def _other_language(words: list[str]) -> str | None:
    """The likeliest language, if it is clearly not English and one of its own words is there."""
    shouted = sum(map(str.isupper, words)) * 2 > len(words)
    table = _table()
    seen, shares, first_shares = [], [], []
    for i, word in enumerate(words):
        if shouted or not word.isupper():  # capitals alone, among other words, have no language
            capital = word[0].isupper() and not shouted
            seen.append(word.lower())
            shares.append(_NAME if capital and i else 1.0)
            first_shares.append(_FIRST if capital and not i else shares[-1])
    if not seen:
        return None
    total = np.array(shares) @ np.concatenate(list(map(table.odds, seen))).reshape(len(seen), -1)
    limit = CLEARLY + PER_WORD * len(words)
    if total.max() <= limit:
        return None
    own = np.array(first_shares) @ np.array([table.owns(word) for word in seen])
    total[(own < 1) & (total < ALONE)] = 0
    best = int(total.argmax())
    return table.names[best] if total[best] > limit else None


class _Table:
    """How likely each language makes a word, against English."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.names = list(texts)
        self._known = [Counter(_WORD.findall(text.lower())) for text in texts.values()]
        self._every = frozenset().union(*self._known)
        self._sizes = [known.total() for known in self._known]
        self._letters = [_Letters(known) for known in self._known]
        self.odds = remembered(_REMEMBERED)(self._odds)
        self._doubts = Memory(self._doubt, _REMEMBERED)
        self.owns = remembered(_REMEMBERED)(self._owns)
        self._letter = remembered(_REMEMBERED)(self._uncached_letter)
        self._counts = remembered(_REMEMBERED)(self._uncached_counts)

    def is_plain(self, parts: list[str]) -> bool:
        """Whether the parts of a text speak for English, each at its least; such as are new are
        looked at only as long as much depends on them."""
        if not parts:
            return False
        known = self._doubts
        first, *others = parts
        begun = max(0.0, known[first.lower()])  # it has its capital for another reason
        new = [part for part in others if part not in known]
        most = begun + sum(map(known.get, others, repeat(0.0))) + sum(map(self._at_most, new))
        for part in new:
            if most < 0:
                return True
            most += known[part] - self._at_most(part)
        return begun + sum(map(known.__getitem__, others)) < 0

    def _at_most(self, part: str) -> float:
        """What a part's doubt is at most; of a plain word without looking at its letters."""
        word = part.rstrip(".,")
        if word.isascii() and word.isalpha() and not word.isupper():
            return _MOST_OF_A_WORD * (_NAME if word[0].isupper() else 1.0)
        return self._doubts[part]

    def _doubt(self, part: str) -> float:
        """The most that can be said against English by what has no space in it, less what is asked
        of its words. A text of which this is below zero is English; without words it is zero, and
        of other letters or many words beyond any bound."""
        words = _words(part)
        letters = "".join(words)
        foreign = not letters.isascii() and _other_script(letters)
        if foreign or len(words) > MOST_WORDS_A_PART:
            return inf
        if _is_code(part):
            return 0.0
        return sum(map(self._most, words)) - PER_WORD * len(words)

    def _most(self, word: str) -> float:
        """The most that a word says for any language but English; in capitals, so much that no
        text passes which has most of its words in them."""
        if word.isupper():
            return _MOST_OF_A_WORD + 2 * PER_WORD
        lower = word.lower()
        if lower in self._every:
            most = float(self.odds(lower)[1:].max())
        else:  # its letters are all that speaks
            letters = self._spelled(lower)
            apart = float(letters[1:].max() - letters[0])
            most = max(-_MOST_OF_A_WORD, min(apart, _MOST_OF_A_WORD))
        return most * (_NAME if word[0].isupper() else 1.0)

    def _odds(self, word: str) -> Odds:
        """log P(word | language) - log P(word | English), neither too much for nor against."""
        check()
        letters = self._spelled(word)
        shares = [k.get(word, 0) / size for k, size in zip(self._known, self._sizes, strict=True)]
        found = np.log((1 - _KNOWN) * np.exp(letters) + _KNOWN * np.array(shares))
        odds: Odds = (found - found[0]).clip(-_MOST_OF_A_WORD, _MOST_OF_A_WORD)
        return odds

    def _spelled(self, word: str) -> Odds:
        """log P(the word's letters | language)."""
        padded = f" {word} "
        grams = [padded[i - 2 : i + 1] for i in range(2, len(padded))]
        letters: Odds = np.add.reduce(list(map(self._letter, grams)))
        letters += self._letter(padded[:2])
        return letters

    def _owns(self, word: str) -> Odds:
        """Whether the word is one that a language has and English has not; or may be, by its
        letters."""
        foreign = [not word.isascii() or word in known for known in self._known]
        return np.array(foreign, np.float64) * (word not in self._known[0])

    def _uncached_letter(self, gram: str) -> Odds:
        """log P(last letter | those before it), in each language: what was seen, and some of what
        was seen after fewer."""
        probability: Odds | float = 1 / _ALPHABET
        for n in range(1, len(gram) + 1):
            seen, before = self._counts(gram[-n:])[0], self._counts(gram[-n:-1] if n > 1 else "")[1]
            probability = (seen + _UNSURE * probability) / (before + _UNSURE)
        return np.array(list(map(log, np.asarray(probability).tolist())))

    def _uncached_counts(self, gram: str) -> tuple[Odds, Odds]:
        """How often each language has some letters, and others after them."""
        seen = [letters.seen.get(gram, 0) for letters in self._letters]
        followed = [letters.followed.get(gram, 0) for letters in self._letters]
        return np.array(seen, np.float64), np.array(followed, np.float64)


class _Letters:
    """How often a letter stands after the two before it, among the words of a text."""

    def __init__(self, words: Counter[str]) -> None:
        often = (word for word, count in words.items() for _ in range(min(count, _OFTEN)))
        self.seen = Counter(chain.from_iterable(map(_grams, often)))
        self.followed: Counter[str] = Counter()
        for gram, count in self.seen.items():
            self.followed[gram[:-1]] += count


def _grams(word: str) -> list[str]:
    """Each letter of a word and its end, alone, after the one before it, and after two."""
    padded = f" {word} "
    pairs = [padded[i - 1 : i + 1] for i in range(1, len(padded))]
    return [*padded[1:], *pairs, *(padded[i - 2 : i + 1] for i in range(2, len(padded)))]


@cache
def _table() -> _Table:
    text = resources.files(__package__).joinpath("languages.txt").read_text("utf-8")
    texts: dict[str, str] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, _, sample = line.partition("\t")
            texts[name] = f"{texts.get(name, '')} {sample}"
    return _Table(texts)
