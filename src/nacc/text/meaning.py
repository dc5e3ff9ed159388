"""Whether a summary keeps what its source means: rules over words, no grammar.

A summary may leave out; it may not turn. A word that the source denies, doubts, asks, plans or
makes depend on something is said with what governs it or not at all; who did it to whom stays as
it is; numbers and names stay whole; nothing is said twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nacc.text.clauses import governed
from nacc.text.deeds import turned
from nacc.text.endings import misplaced_end
from nacc.text.joins import misjoined
from nacc.text.limits import unlimited
from nacc.text.memory import kept
from nacc.text.moods import assured, denied, ungoverned
from nacc.text.muddle import muddled
from nacc.text.repeats import repeated
from nacc.text.spans import broken, spans
from nacc.text.torn import torn
from nacc.text.words import Sentence, key

__all__ = ["governed", "spans", "violates", "violations"]

_RULES: tuple[Callable[[Sentence, list[str]], str | None], ...] = (
    lambda _, said: repeated(said),
    misplaced_end,
    muddled,
    torn,
    ungoverned,
    denied,
    unlimited,
    turned,
    broken,
    misjoined,
    assured,
)
_MOST_KNOWN = 200
"""Answers of a source of which it is known what is wrong with them."""


def violates(sentence: Sentence, answer: Sequence[str]) -> str | None:
    """What is wrong with the answer, given its source, in a few words; None if nothing is seen.
    It is kept with the source: lists of answers have many in common."""
    known, said = _known(sentence), tuple(map(key, answer))
    if len(known) >= _MOST_KNOWN:
        known.clear()
    try:
        return known[said]
    except KeyError:
        words = list(said)
        faults = (rule(sentence, words) for rule in _RULES)
        found = known[said] = next(filter(None, faults), None)
        return found


def violations(asked: Sequence[tuple[Sentence, Sequence[str]]]) -> list[str | None]:
    """As `violates`, of an answer to each of several sources. One rule after the other looks at
    all of them: that is sooner done than one answer after the other. Only faults are kept."""
    said = [list(map(key, answer)) for _, answer in asked]
    found: list[str | None] = [None] * len(asked)
    left: Sequence[int] = range(len(asked))
    for rule in _RULES:
        for i in left:
            found[i] = rule(asked[i][0], said[i])
        left = [i for i in left if not found[i]]
    for (sentence, _), words, fault in zip(asked, said, found, strict=True):
        if fault:
            _known(sentence)[tuple(words)] = fault
    return found


@kept
def _known(_: Sentence) -> dict[tuple[str, ...], str | None]:
    return {}
