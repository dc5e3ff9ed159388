"""Stems of English words, for telling whether two words are forms of one.

- `porter`: Porter's algorithm alone ("marches", "marched" → "march").
- `stem`: what ROUGE-1.5.5 compares with `-m`: WordNet's exceptions first, then Porter's algorithm.
- `root`: Porter's algorithm over that, so that all forms of an irregular word meet too.
- `base`: the root, with the short irregular forms that ROUGE leaves alone ("won", "dies").

`stem` is not quite the Porter stemmer of other packages. Three things matter for equal figures:
irregular forms listed by WordNet 2.0 are looked up and not stemmed any further ("children" →
"child", "said" → "say"); words of three letters or fewer stay as they are; and in step 4 the
endings -ment and -ent are tried one after the other on what an earlier ending has left.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from nacc.text.memory import remembered

# Porter's [C](VC)^m[V]; a `y` is a vowel after a consonant, and a consonant elsewhere.
_C = r"[^aeiou][^aeiouy]*"
_V = r"[aeiouy][aeiou]*"
_M_ABOVE_0 = re.compile(rf"(?:{_C})?{_V}{_C}")
_M_IS_1 = re.compile(rf"(?:{_C})?{_V}{_C}(?:{_V})?$")
_M_ABOVE_1 = re.compile(rf"(?:{_C})?{_V}{_C}{_V}{_C}")
_HAS_VOWEL = re.compile(rf"(?:{_C})?[aeiouy]")
_CVC = re.compile(rf"{_C}[aeiouy][^aeiouwxy]$")
_DOUBLE = re.compile(r"([^aeiouylsz])\1$")

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful",
    "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip
_REMEMBERED = 2**16  # words: more than a vocabulary has


@remembered(_REMEMBERED)
def stem(word: str) -> str:
    """The form under which ROUGE-1.5.5 counts a lower-case word."""
    if len(word) <= 3:
        return word
    return _exceptions().get(word) or porter(word)


def root(word: str) -> str:
    """One form for all forms of a lower-case word.

    An exception's base form is no stem yet: "said" → "say" meets "says" → "sai" only as "sai".
    """
    base = stem(word)
    return porter(base) if len(base) > 2 else base


_SHORT = dict(
    pair.split("=")
    for pair in """
    won=win met=meet led=lead ran=run saw=see got=get sat=sit ate=eat dug=dig hid=hide lit=light
    fed=feed dies=die died=die dying=die lies=lie lied=lie ties=tie tied=tie sued=sue sues=sue
    freed=free tries=try tried=try us=we was=be were=be is=be are=be been=be has=have
    had=have did=do does=do done=do went=go gone=go goes=go cries=cry cried=cry
    flies=fly dries=dry leaves=leave shot=shoot bled=bleed sped=speed
    """.split()
)


@remembered(_REMEMBERED)
def base(word: str) -> str:
    """One form for all forms of a lower-case word, the short irregular ones too."""
    return word if word == "news" else root(_SHORT.get(word, word))


def bases_of(words: str) -> frozenset[str]:
    """The bases of words with spaces between them."""
    return frozenset(map(base, words.split()))


@cache
def _exceptions() -> dict[str, str]:
    text = resources.files(__package__).joinpath("wordnet_exceptions.txt").read_text("ascii")
    entries = (line.partition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {word: base for word, _, base in entries}


@remembered(_REMEMBERED)
def porter(word: str) -> str:
    """Porter's algorithm alone, as ROUGE-1.5.5 carries it out."""
    if word.startswith("y"):  # an initial y is a consonant; Y keeps it out of the vowel classes
        return "y" + _steps("Y" + word[1:])[1:]
    return _steps(word)


def _steps(word: str) -> str:
    word = _past_and_plural(word)
    if word.endswith("y") and _HAS_VOWEL.match(word[:-1]):
        word = word[:-1] + "i"
    word = _replace_longest(word, _STEP_2)
    word = _replace_longest(word, _STEP_3)
    word = _remove_residue(word)
    if word.endswith("e"):
        rest = word[:-1]
        if _M_ABOVE_1.match(rest) or (_M_IS_1.match(rest) and not _CVC.match(rest)):
            word = rest
    if word.endswith("ll") and _M_ABOVE_1.match(word):
        word = word[:-1]
    return word


def _past_and_plural(word: str) -> str:
    """Steps 1a and 1b: -s, -ed, -ing."""
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and len(word) > 1 and word[-2] != "s":
        word = word[:-1]
    if word.endswith("eed"):
        return word[:-1] if _M_ABOVE_0.match(word[:-3]) else word
    ending = next((e for e in ("ed", "ing") if word.endswith(e)), None)
    if ending is None or not _HAS_VOWEL.match(word[: -len(ending)]):
        return word
    word = word[: -len(ending)]
    if word.endswith(("at", "bl", "iz")) or (not _DOUBLE.search(word) and _CVC.match(word)):
        return word + "e"
    return word[:-1] if _DOUBLE.search(word) else word


def _replace_longest(word: str, endings: dict[str, str]) -> str:
    for length in range(7, 2, -1):
        ending = word[-length:]
        if len(word) >= length and ending in endings:
            rest = word[:-length]
            return rest + endings[ending] if _M_ABOVE_0.match(rest) else word
    return word


def _remove_residue(word: str) -> str:
    """Step 4, with -ment and -ent tried in turn on what is left."""
    longest = max((e for e in _STEP_4 if word.endswith(e)), key=len, default="")
    if longest and _M_ABOVE_1.match(word[: -len(longest)]):
        word = word[: -len(longest)]
    if word.endswith("ment") and _M_ABOVE_1.match(word[:-4]):
        word = word[:-4]
    if word.endswith("ent"):
        return word[:-3] if _M_ABOVE_1.match(word[:-3]) else word
    if word.endswith(("sion", "tion")) and _M_ABOVE_1.match(word[:-3]):
        return word[:-3]
    return word
