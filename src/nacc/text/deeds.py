"""Who did what to whom, where a sentence tells it plainly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from nacc.text.clauses import BE, BOUNDARIES
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.licence import WEIGHTY
from nacc.text.stem import base
from nacc.text.words import Sentence

_DOING = WEIGHTY.keys() | frozenset(
    map(
        base,
        "accuse blame criticise criticize invade buy acquire hire replace urge warn tell ask "
        "praise shoot stab bomb hit strike bite chase rescue help succeed follow lead edge "
        "sign".split(),
    )
)
"""Verbs whose doer and object must not change places."""
_SAME = frozenset("hit cut hurt shot put set beat split".split())
"""Participles that are no other form than the verb's own."""


_BEAT = frozenset(
    map(base, "beat defeat edge rout thrash crush upset overcome trounce stun hammer".split())
)
_WIN = _BEAT | {base("win"), base("victory"), base("triumph")}
"""All that says who won: one of them may stand for another."""
_LOSE = frozenset({base("lose")})
_OTHERWISE = frozenset("by in at after on from during as".split())
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
    bases = [base(word) for word in said]
    for deed in deeds(sentence):
        at = next((i for i, word in enumerate(bases) if word in deed.verbs), None)
        if at is None or deed.sufferers.isdisjoint(bases[:at]):
            continue
        if not deed.doers.isdisjoint(bases[:at]) or not BE.isdisjoint(said[:at]):
            continue
        does = next((i for i in range(at + 1, len(bases)) if bases[i] in deed.doers), None)
        if does is None:
            active = said[at].endswith("s") and not said[at].endswith("ss")
            wrong = deed.plain and active and bases[at - 1] in deed.sufferers
        else:
            wrong = _OTHERWISE.isdisjoint(said[at:does])
        if wrong:
            return f"{said[at]!r} done by the one it was done to"
    return None


@lru_cache(512)
def deeds(sentence: Sentence) -> tuple[Deed, ...]:
    """Who did what to whom, where that can be told."""
    keys = sentence.keys
    found = []
    for sufferer, verb, doer, plain in (*_passives(keys), *_actives(keys), *_losses(keys)):
        sufferers = frozenset(base(keys[i]) for i in sufferer)
        doers = frozenset(base(keys[i]) for i in doer) - sufferers
        did = base(keys[verb])
        if did in _BEAT | _LOSE:
            found.append(Deed(sufferers, _WIN, doers, plain=True))
            found.append(Deed(doers, _LOSE, sufferers - doers, plain=True))
        else:
            found.append(Deed(sufferers, frozenset({did}), doers, plain))
    return tuple(found)


_Told = tuple[list[int], int, list[int], bool]
"""The places of who suffered it, the verb and who did it; whether it is told as suffered."""


def _losses(keys: Sequence[str]) -> Iterator[_Told]:
    """«A lost 6-3 6-2 to B»."""
    for i, word in enumerate(keys):
        to = next((j for j in range(i + 1, min(i + 6, len(keys))) if keys[j] == "to"), None)
        if base(word) not in _LOSE or to is None or not BOUNDARIES.isdisjoint(keys[i:to]):
            continue
        doer = _content(keys, range(to + 1, min(to + 5, len(keys))), whole=False)
        sufferer = _content(keys, range(i - 1, max(-1, i - 4), -1))
        if doer and sufferer:
            yield sufferer, i, doer, True


def _passives(keys: Sequence[str]) -> Iterator[_Told]:
    for i, word in enumerate(keys):
        verb = _participle(keys, i) if word == "by" and i > 1 else None
        if verb is None or keys[i - 2] in ("a", "an", "the"):  # «killed in an attack by»
            continue
        doer = _content(keys, range(i + 1, min(i + 6, len(keys))), whole=False)
        sufferer = _content(keys, range(verb - 1, max(-1, verb - 9), -1))
        if doer and sufferer:
            yield sufferer, verb, doer, True


def _actives(keys: Sequence[str]) -> Iterator[_Told]:
    for i in range(1, len(keys) - 1):
        if base(keys[i]) not in _DOING - _LOSE or {"by", *BE} & set(keys[max(0, i - 2) : i + 2]):
            continue
        doer = _content(keys, range(i - 1, max(-1, i - 3), -1))
        sufferer = _content(keys, range(i + 1, min(i + 4, len(keys))))
        if doer and sufferer and "to" not in keys[i - 1 : i + 2]:
            yield sufferer[:2], i, doer[:1], False


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
