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


class Deed(NamedTuple):
    """«A was V-ed by B», or «B V-ed A»: the places of A's words, V and B's words."""

    sufferer: tuple[int, ...]
    verb: int
    doer: tuple[int, ...]
    passive: bool


@lru_cache(512)
def deeds(sentence: Sentence) -> tuple[Deed, ...]:
    """Who did what to whom, where that can be told."""
    return (*_passives(sentence.keys), *_actives(sentence.keys))


def _passives(keys: Sequence[str]) -> Iterator[Deed]:
    for i, word in enumerate(keys):
        verb = _participle(keys, i) if word == "by" and i > 1 else None
        if verb is None or keys[i - 2] in ("a", "an", "the"):  # «killed in an attack by»
            continue
        doer = _content(keys, range(i + 1, min(i + 6, len(keys))), whole=False)
        sufferer = _content(keys, range(verb - 1, max(-1, verb - 9), -1))
        if doer and sufferer:
            yield Deed(tuple(sufferer), verb, tuple(doer), passive=True)


def _actives(keys: Sequence[str]) -> Iterator[Deed]:
    for i in range(1, len(keys) - 1):
        if base(keys[i]) not in _DOING or {"by", *BE} & set(keys[max(0, i - 2) : i + 2]):
            continue
        doer = _content(keys, range(i - 1, max(-1, i - 3), -1))
        sufferer = _content(keys, range(i + 1, min(i + 4, len(keys))))
        if doer and sufferer and "to" not in keys[i - 1 : i + 2]:
            yield Deed(tuple(sufferer[:2]), i, tuple(doer[:1]), passive=False)


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
