"""From chosen words to a finished string: how each is written, spaced and capitalised.

Everything done here after decoding (capitals, quotes put back) either keeps the length or is
checked against the budget by the caller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal

import regex

from nacc.text.aliases import ALIASES
from nacc.text.capitals import opening_name
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.memory import kept
from nacc.text.punctuation import CLOSING, QUOTES
from nacc.text.questions import asks
from nacc.text.words import Sentence, key

Case = Literal["sentence", "title", "lower", "source"]
CASES: tuple[Case, ...] = ("sentence", "title", "lower", "source")
_ENDINGS = ("s", "es", "d", "ed", "ing")
_ADDRESS = regex.compile(r"\w+://|www\.|[@#]\w")
_STOPS = frozenset({".", "!", "?"})
_LEADS = frozenset(": - – — -- ( |".split())
_OPENING = frozenset({"“", "‘", "«", '"', "'"})


def written(
    keys: Sequence[str], sentence: Sentence, usual: Mapping[str, str], case: Case
) -> list[str]:
    """How each word is to be written: as in the source, else as it is usually written.

    A word that only opens the source sentence may owe its capital to that place: it is written
    the usual way, if that is known, but for one all in capitals (ICE). A usual capital is left off
    where the source has another form of the word without one («marched»: march, not March), and a
    short form gets those of the name it stands for («Federal Reserve»: Fed; «World Health
    Organization»: WHO). Of a text in capitals all is in capitals. Tokenized text gets none.
    """
    if case == "lower" or sentence.style == "tokenized":
        return list(keys)
    here, opens = _seen(sentence)
    if _shouts(sentence):
        return [here.get(word) or opens.get(word) or word.upper() for word in keys]
    if case == "source":
        own = here | opens
    else:
        short = {word for word in opens if usual.get(word) == word} & _shortened(sentence)
        short |= opens.keys() & opening_name(sentence, usual)
        own = {w: form if w in short else usual.get(w) or form for w, form in opens.items()} | here
    forms = [own.get(word) or usual.get(word, word) for word in keys]
    for i, lower in enumerate(keys):
        if lower in own:
            continue
        if forms[i] == lower:
            forms[i] = _named(lower, sentence)
        elif not forms[i].isupper() and any(
            here.get(lower + ending, "").islower() for ending in _ENDINGS
        ):
            forms[i] = lower
    return [_titled(form) for form in forms] if case == "title" else forms


@kept
def _seen(sentence: Sentence) -> tuple[dict[str, str], dict[str, str]]:
    """How a sentence writes its words: inside, and where they open it."""
    words, keys = sentence.words, sentence.keys
    if words and words[0] not in QUOTES and _STOPS.isdisjoint(words[:-1]):
        return dict(zip(keys[:0:-1], words[:0:-1], strict=True)), {keys[0]: words[0]}
    here: dict[str, str] = {}
    opens: dict[str, str] = {}
    at_start = True
    for word, lower in zip(words, keys, strict=True):
        (opens if at_start else here).setdefault(lower, word)
        at_start = (at_start and word in QUOTES) or word in _STOPS
    return here, opens


def _named(short: str, sentence: Sentence) -> str:
    """A short form, with a capital where every word has one of the name that it stands for; with
    nothing else where it is made of their first letters."""
    keys = sentence.keys
    if short in _initials(sentence):
        return short.upper()
    for name in ALIASES.get(short, ()):
        for i in range(1, len(keys) - len(name) + 1) if name[0] in keys else ():
            said = slice(i, i + len(name))
            if keys[said] == name and all(w[0].isupper() for w in sentence.words[said]):
                return _capital(short)
    return short


@kept
def _initials(sentence: Sentence) -> frozenset[str]:
    """The first letters of the sentence's names of several words, small ones left out."""
    runs = [""]
    for word, lower in zip(sentence.words, sentence.keys, strict=True):
        if lower not in FUNCTION_WORDS:
            runs = [*runs[:-1], runs[-1] + lower[0]] if word[0].isupper() else [*runs, ""]
    return frozenset(run for run in runs if len(run) > 2)


@kept
def _shortened(sentence: Sentence) -> frozenset[str]:
    """Words all in capitals, if neither another follows nor what follows a dateline."""
    pairs = pairwise((*sentence.words, "."))
    return frozenset(
        key(word)
        for word, after in pairs
        if len(word) > 1 and word.isupper() and not after.isupper() and after not in _LEADS
    )


@kept
def _shouts(sentence: Sentence) -> bool:
    """Whether a text of several words has no small letter."""
    words = [word for word in sentence.words if word.lower() != word.upper()]
    return len(words) > 2 and all(map(str.isupper, words))


def _titled(word: str) -> str:
    """A capital, unless the word is small."""
    return word if word in FUNCTION_WORDS and len(word) < 5 else _capital(word)


def piece(word: str, sentence: Sentence) -> str:
    """The word as it stands inside a string: with its leading space, if it takes one."""
    return word if sentence.style == "written" and word in CLOSING else " " + word


def pieces(words: Sequence[str], sentence: Sentence) -> list[str]:
    """Each of the words as it stands inside a string."""
    closing = CLOSING if sentence.style == "written" else ()
    return [word if word in closing else " " + word for word in words]


def finish(words: Sequence[str], sentence: Sentence, case: Case) -> tuple[str, range]:
    """The finished string, and which of the words it holds (marks at its head are dropped).

    What is asked as the source asks it gets its question mark back."""
    first = 0
    while first < len(words) and (words[first] in CLOSING or not _says(words[first])):
        first += 1
    asked = "?" not in words and asks(sentence, words[first:])
    said = [*words[first:], "?"] if asked else words[first:]
    text = "".join(pieces(said, sentence)).lstrip(" ")
    return capitalised(text, sentence, case), range(first, len(words))


def capitalised(text: str, sentence: Sentence, case: Case) -> str:
    """A finished string, with a capital at its head if it is to have one."""
    begins = case in ("sentence", "title") and sentence.style == "written"
    return _capital(text) if begins else text


def _says(word: str) -> bool:
    return any(c.isalnum() or c == "#" for c in word)


def _capital(text: str) -> str:
    """A capital at the head, unless the word has one inside (iPhone, eBay) or is an address."""
    word = text.split(" ", 1)[0]
    kept = word != word.lower() or _ADDRESS.match(word)
    return text if kept else text[:1].title() + text[1:]  # of «ﬁ», only the f


def requoted(text: str, places: Sequence[int | None], sentence: Sentence) -> list[str]:
    """Versions of the text with a quotation's marks put back, where the whole of it was copied.

    `places` says which source word each word of the text is. Only written text, whose marks are
    words of their own.
    """
    found: list[str] = []
    if QUOTES.isdisjoint(sentence.words):
        return found
    opened: int | None = None
    for i, word in enumerate(sentence.words):
        if word not in QUOTES:
            continue
        if opened is None:
            if word in _OPENING and (i == 0 or sentence.before[i]):
                opened = i
            continue
        inner = list(range(opened + 1, i))
        run = [j for j in places if j is not None and opened < j < i]
        if inner and run == inner:  # which is seldom so
            said = "".join(sentence.before[j] + sentence.words[j] for j in inner).strip()
            whole = regex.findall(rf"(?<!\w){regex.escape(said)}(?!\w)", text)
            if len(whole) == 1 == text.count(said):
                marks = sentence.words[opened], word
                found.append(text.replace(said, f"{marks[0]}{said}{marks[1]}"))
        opened = None
    return found
