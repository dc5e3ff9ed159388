"""Who did what to whom, where a sentence tells it plainly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.govern import BE, BOUNDARIES
from nacc.text.kin import KIN
from nacc.text.licence import WEIGHTY
from nacc.text.memory import kept
from nacc.text.stem import base, bases_of
from nacc.text.words import Sentence

_BEAT = KIN[base("beat")]
_WIN = _BEAT | {base("win"), base("victory"), base("triumph")}
"""All that says who won: one of them may stand for another."""
_DOING = WEIGHTY.keys() | frozenset(
    kin
    for verb in "beat hit buy dismiss criticise accuse replace overtake outbid chase invade hire "
    "urge warn tell ask praise shoot stab bomb bite rescue help follow lead".split()
    for kin in KIN.get(base(verb), {base(verb)})
)
"""Verbs whose doer and object must not change places."""
_FOLLOW = KIN[base("replace")] | KIN[base("overtake")]
_AGREED = bases_of("agree plan want try offer threaten vow promise seek go")
"""Verbs after which it is still the same one who does it («agreed to buy»)."""
_SAME = frozenset("hit cut hurt shot put set beat split outbid".split())
"""Participles that are no other form than the verb's own."""
_LOSE = frozenset({base("lose")})
_DONE, _MATCHED = _DOING - _LOSE, _BEAT | _LOSE
_SUFFERED = BE | {"by"}
_OTHERWISE = frozenset("by in at after on from during as for".split())
"""After a verb, these show that what went before suffered it («killed in a shooting»)."""


class Deed(NamedTuple):
    """Who must not be said to do what to whom; all by their words' bases.

    plain: not even without the other («Ortiz beats», of someone beaten).
    """

    sufferers: frozenset[str]
    verbs: frozenset[str]
    doers: frozenset[str]
    plain: bool


def turned(sentence: Sentence, said: Sequence[str]) -> str | None:
    """Whoever suffered it, doing it: «A was beaten by B» said as «A beats B»."""
    told = deeds(sentence)
    bases = list(map(base, said)) if told else []
    for deed in told:
        at = next((i for i, word in enumerate(bases) if word in deed.verbs), None)
        if at is None and deed.plain and _instead(deed, said, bases):
            return f"{said[0]!r} in the place of the one who did it"
        if at is None or deed.sufferers.isdisjoint(bases[:at]):
            continue
        if not deed.doers.isdisjoint(bases[:at]) or not BE.isdisjoint(said[:at]):
            continue
        does = next((i for i in range(at + 1, len(bases)) if bases[i] in deed.doers), None)
        active = said[at].endswith("s") and not said[at].endswith("ss")
        wrong = deed.plain and active and bases[at - 1] in deed.sufferers
        if does is not None:
            between = said[at + 1 : does]
            wrong = wrong or (active and "by" in between) or _OTHERWISE.isdisjoint(between)
        if wrong:
            return f"{said[at]!r} done by the one it was done to"
    return None


def _instead(deed: Deed, said: Sequence[str], bases: Sequence[str]) -> bool:
    """Whether the one replaced is said to be what the other became: «A as head», of A replaced."""
    if deed.verbs.isdisjoint(_FOLLOW) or not deed.doers.isdisjoint(bases):
        return False
    return any(
        word in deed.sufferers and following == "as"
        for word, following in zip(bases, said[1:], strict=False)
    )


@kept
def deeds(sentence: Sentence) -> tuple[Deed, ...]:
    """Who did what to whom, where that can be told."""
    keys, bases = sentence.keys, sentence.bases
    found = []
    told = (*_passives(keys), *_actives(keys, bases), *_losses(keys, bases))
    for sufferer, verb, doer, plain in told:
        sufferers = frozenset(bases[i] for i in sufferer)
        doers = frozenset(bases[i] for i in doer) - sufferers
        did = bases[verb]
        if did in _MATCHED:
            found.append(Deed(sufferers, _WIN, doers, plain=True))
            found.append(Deed(doers, _LOSE, sufferers - doers, plain=True))
        else:
            found.append(Deed(sufferers, KIN.get(did, frozenset({did})), doers, plain))
    return tuple(found)


_Told = tuple[list[int], int, list[int], bool]
"""The places of who suffered it, the verb and who did it; whether it is told as suffered."""


def _losses(keys: Sequence[str], bases: Sequence[str]) -> Iterator[_Told]:
    """«A lost 6-3 6-2 to B»."""
    for i, did in () if _LOSE.isdisjoint(bases) else enumerate(bases):
        if did not in _LOSE:
            continue
        to = next((j for j in range(i + 1, min(i + 6, len(keys))) if keys[j] == "to"), None)
        if to is None or not BOUNDARIES.isdisjoint(keys[i:to]):
            continue
        doer = _content(keys, range(to + 1, min(to + 5, len(keys))), whole=False)
        sufferer = _content(keys, range(i - 1, max(-1, i - 4), -1))
        if doer and sufferer:
            yield sufferer, i, doer, True


def _passives(keys: Sequence[str]) -> Iterator[_Told]:
    for i in range(2, len(keys)) if "by" in keys else ():
        verb = _participle(keys, i) if keys[i] == "by" else None
        if verb is None or keys[i - 2] in ("a", "an", "the"):  # «killed in an attack by»
            continue
        doer = _content(keys, range(i + 1, min(i + 6, len(keys))), whole=False)
        sufferer = _content(keys, range(verb - 1, max(-1, verb - 9), -1))
        if doer and sufferer:
            yield sufferer, verb, doer, True


def _actives(keys: Sequence[str], bases: Sequence[str]) -> Iterator[_Told]:
    for i in () if _DONE.isdisjoint(bases) else range(1, len(keys) - 1):
        if bases[i] not in _DONE or not _SUFFERED.isdisjoint(keys[max(0, i - 2) : i + 2]):
            continue
        agreed = keys[i - 1] == "to" and bases[i - 2] in _AGREED
        if "to" in keys[i - 1 : i + 2] and not agreed:
            continue
        before = i - 3 if agreed else i - 1
        doer = _content(keys, range(before, max(-1, before - 2), -1))
        sufferer = _content(keys, range(i + 1, min(i + 6, len(keys))))
        if doer and sufferer:
            yield sufferer[:4], i, doer[:1], False


def _participle(keys: Sequence[str], by: int) -> int | None:
    """The verb of «was … by», not far before «by»."""
    for j in range(by - 1, max(0, by - 8), -1):
        if keys[j] in BOUNDARIES and keys[j] != ",":
            return None
        if keys[j] in BE:
            ahead = (k for k in range(j + 1, by) if keys[k] not in FUNCTION_WORDS)
            verb = next((k for k in ahead if not keys[k].endswith("ly")), None)
            inflected = verb is not None and (base(keys[verb]) != keys[verb] or keys[verb] in _SAME)
            return verb if inflected else None
    return None


def _content(keys: Sequence[str], places: range, whole: bool = True) -> list[int]:
    """The places with content, up to the clause's end; or up to the first small word after some."""
    found: list[int] = []
    for i in places:
        says = keys[i] not in FUNCTION_WORDS and keys[i][:1].isalnum()
        if keys[i] in BOUNDARIES or (found and not whole and not says):
            break
        if says:
            found.append(i)
    return found
