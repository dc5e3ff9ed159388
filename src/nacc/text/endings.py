"""Small words that a headline may end on after all: names that look like them («US», «in May»), and
what belongs to the verb before it («taken over»)."""

from __future__ import annotations

from collections.abc import Sequence

from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.govern import BEFORE_MONTHS
from nacc.text.memory import kept
from nacc.text.stem import base
from nacc.text.verbs import VERBS
from nacc.text.words import Sentence

PARTICLES = frozenset("up down out off over".split())
_FOLLOWED_BY = frozenset(
    "by after before on at in when as because and but while until amid for from since with "
    "despite if during within".split()
)
"""Behind these, or at the end, a particle has no object that would be left out."""
_NOTHING: frozenset[str] = frozenset()


@kept
def may_end(sentence: Sentence) -> frozenset[str]:
    """The small words that may end a summary of this source, wherever it has them."""
    small = FUNCTION_WORDS.intersection(sentence.keys)
    shouted = sum(map(str.isupper, sentence.words)) * 2 > len(sentence)
    found = {word for word in small if word in PARTICLES or not shouted}
    for place, word in enumerate(sentence.keys):
        if word in found and not _ends(sentence, place):
            found.discard(word)
    return frozenset(found) or _NOTHING


def misplaced_end(sentence: Sentence, said: Sequence[str]) -> str | None:
    """A particle at the end that its source has with another verb."""
    if len(said) < 2 or said[-1] not in PARTICLES:
        return None
    verbs = {
        base(a) for a, b in zip(sentence.keys, sentence.keys[1:], strict=False) if b == said[-1]
    }
    return None if base(said[-2]) in verbs else f"{said[-2] + ' ' + said[-1]!r}"


def _ends(sentence: Sentence, place: int) -> bool:
    """Whether the small word at that place is a name, a month, or all that its verb needs."""
    word, written, before = sentence.keys[place], sentence.words[place], sentence.keys[:place][-1:]
    if word in PARTICLES and not written.isupper():
        after = sentence.keys[place + 1 : place + 2]
        closed = not after or after[0] in _FOLLOWED_BY or not any(map(str.isalnum, after[0]))
        return bool(before) and base(before[0]) in VERBS and closed
    if word == "may":
        return (
            written == "May"
            and bool(before)
            and (before[0] in BEFORE_MONTHS or before[0].isdigit())
        )
    return len(word) > 1 and written.isupper()
