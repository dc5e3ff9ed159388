"""Where sentences end.

A stop is no end after an abbreviation, an initial, a list's number («1. Preheat …») or an ordinal
(«zum 1. Januar»), nor inside a quotation or brackets that close later on. Where in doubt, two
sentences stay one: half a sentence says nothing, while two say enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

STOPPED = frozenset(
    "Mr Mrs Ms Dr Prof Rev Hon St Mt Ft Gov Sen Rep Gen Lt Col Sgt Capt Maj Cmdr Adm Pres Jr Sr "
    "Inc Corp Co Ltd Bros Messrs Amb Supt Det Insp Pvt Cpl Ave Blvd Rd Dept Univ Assn vs v No Nos "
    "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thurs Fri Sat Sun Fla "
    "Calif Mass Tenn Conn Ariz Mich Minn Wis Ill Penn Pa Va Md Ga La Okla Wash Ore Colo Kan Ky Nev "
    "Neb Mont Wyo Tex Ala Ark Ph.D M.Sc Fig fig Figs Eq Vol vol Ch pp cf al approx est etc ca "
    "Nr Str bzw usw dept min max sq oz lb lbs".split()
)
"""Written with a stop, which ends no sentence where a small letter or a digit follows."""
NEVER_LAST = frozenset(
    "Mr Mrs Ms Dr Prof Rev Hon St Mt Ft Gov Sen Rep Gen Lt Col Sgt Capt Maj Cmdr Adm Messrs Amb "
    "Supt Det Insp Pvt Cpl Inc Corp Co Ltd Bros vs v Fig Figs Eq Vol cf Ph.D".split()
)
"""What follows may have a capital of its own («Acme Inc. Chairman»)."""
OPENERS = frozenset(
    "The He She It They We This That These Those There But And In On At For If When While After "
    "Before As Its His Her Their Our Then However Meanwhile Although Since Some Many Most Both "
    "What Why How Who Where Yesterday Today".split()
)
"""With a capital, these begin a sentence, even after an abbreviation («in the U.S. The army»)."""
_GOES_ON = frozenset("vs. v. e.g. i.e. cf. Fig. Eq. Vol.".split())

_ENDS = {".", "!", "?", "…", "...", "。", "！", "？"}
_SPACELESS = {"。", "！", "？"}
_CLOSERS = {'"', "”", "’", "'", "''", ")", "]", "»", "」"}
_PAIRS = {
    "“": "”",
    "„": "“”",
    "«": "»",
    "``": ("''",),
    "(": ")",
    "[": "]",
    '"': '"',
    "'": "'",
    "‘": "’",
}
_SAID = frozenset("said says asked asks added shouted cried replied wrote told".split())
_COMPANIES = frozenset("Inc Inc. Corp Corp. Japan".split())  # Yahoo! Inc.
_MONTHS = frozenset(
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember Jänner "
    "Jahrhundert Jahrhunderts".split()
)
_BEFORE_ORDINALS = frozenset(
    "zum am der die das den dem des vom im beim ab seit bis jeder jede jedes sein ihr den".split()
)
LONGEST_QUOTATION = 120
"""Words: what opens and does not close within as many is taken for a lost mark."""


def sentence_ends(words: Sequence[str], before: Sequence[str], tokenized: bool) -> Iterator[int]:
    """After how many words each sentence ends that more text follows. `before[i]` is the white
    space before word i."""
    stops = [i for i, w in enumerate(words[:-1]) if w in _ENDS or (w[-1] == "." and len(w) > 2)]
    if not stops:
        return
    enclosed = _enclosed(words, before)
    start = 0
    for i in stops:
        word, end = words[i], i + 1
        while end < len(words) and words[end] in _CLOSERS and not before[end]:
            end += 1
        if end == len(words):
            return
        if not (before[end] or word in _SPACELESS) or enclosed[end - 1]:
            continue
        if word in _ENDS:
            ends = _begins(words, i, end, tokenized) and not (
                word == "." and not before[i] and _is_ordinal(words, before, i, start)
            )
        else:  # U.S., p.m., Inc.
            ends = words[end] in OPENERS and word not in _GOES_ON and not tokenized
        if ends:
            yield end
            start = end


def _begins(words: Sequence[str], stop: int, end: int, tokenized: bool) -> bool:
    """Whether what follows a stop can begin a sentence."""
    follows = words[end]
    if not tokenized and follows[0].islower():
        return False
    if words[stop] == "!" and follows in _COMPANIES:
        return False
    quoted = end > stop + 1 and words[stop] in ("!", "?")  # “Stop!” Smith said.
    return not (quoted and any(word in _SAID for word in words[end + 1 : end + 3]))


def _is_ordinal(words: Sequence[str], before: Sequence[str], stop: int, start: int) -> bool:
    """Whether the stop belongs to a number before it: a list's, or a day's as in German."""
    number = words[stop - 1] if stop else ""
    if not (number.isdigit() and len(number) <= 2):
        return False
    at = stop - 1
    previous = words[at - 1] if at > start else ""
    heads = at == start or previous in (":", ";", "-", "–", "•", "*", "(") or "\n" in before[at]
    return heads or words[stop + 1] in _MONTHS or previous.lower() in _BEFORE_ORDINALS


def _enclosed(words: Sequence[str], before: Sequence[str]) -> list[bool]:
    """Which words stand inside quotations and brackets that close."""
    if _PAIRS.keys().isdisjoint(words):
        return [False] * (len(words) + 1)
    steps = [0] * (len(words) + 1)
    waiting: dict[str, int] = {}
    for i, word in enumerate(words):
        opener = next((o for o in waiting if word in _PAIRS[o]), None)
        if opener is not None:
            opened = waiting.pop(opener)
            if i - opened <= LONGEST_QUOTATION:
                steps[opened + 1] += 1
                steps[i] -= 1
        elif word in _PAIRS and (word not in "\"'" or not i or before[i] or words[i - 1] in _PAIRS):
            waiting[word] = i
    return [depth > 0 for depth in accumulate(steps)]
