"""What a proposal leaves out of a text: whole sentences, and what warns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import regex

from nacc.summary import Summary
from nacc.text.words import split

_WARNS = regex.compile(
    r"\b(?:(?:can(?:no|['’])t|can not) be (?:undone|recovered|restored|reversed)|no way back"
    r"|permanent(?:ly)?|irreversibl[ey]|forever|lose|(?:be|get) (?:lost|deleted|erased|removed)"
    r"|warning|caution|careful|danger(?:ous)?|never|do not|don['’]t)\b",
    regex.IGNORECASE,
)
_CLAUSE = regex.compile(r"(?<=[,;:–—])\s+")


def sentences(text: str) -> list[str]:
    """All its sentences; one after the other, they are the text."""
    return list(map(str, split(text).sentences()))


def without(left_out: Sequence[str]) -> str:
    """What to tell of sentences, and of clauses, that are left out; nothing of none."""
    told = [f"{'a warning, ' if _WARNS.search(each) else ''}“{each.strip()}”" for each in left_out]
    return f"it leaves out {' and '.join(told)}" if told else ""


def left_out(summary: Summary, text: str) -> list[str]:
    """The sentences of a text of which a summary says nothing, and the clauses that warn where it
    does not."""
    said = {word.source for word in summary.words}
    found: list[str] = []
    parts = split(text).sentences()
    ends = accumulate(map(len, parts), initial=0)
    for each, start in zip(parts, ends, strict=False):
        if said.isdisjoint(range(start, start + len(each))):
            found.append(str(each))
        elif not _WARNS.search(summary.text):
            found += filter(_WARNS.search, _CLAUSE.split(str(each)))
    return found if said - {None} else []
