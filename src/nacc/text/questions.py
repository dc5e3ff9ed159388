"""Questions: where a text asks what wants yes or no, and whether an answer asks one too."""

from __future__ import annotations

from collections.abc import Sequence

from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.words import Sentence, key

AUXILIARIES = frozenset(
    "is are was were am do does did has have had will would can could should may might must".split()
)
"""A question that wants yes or no begins with one of these."""
_ARTICLES = frozenset("the a an this that its his her their your our my".split())
_BE = frozenset("is are was were am".split())
_WHAT = frozenset("what why how who whom whose when where which".split())


def questions(keys: Sequence[str]) -> list[tuple[int, int]]:
    """Where each begins, at its auxiliary, and where its question mark stands."""
    found: list[tuple[int, int]] = []
    if "?" not in keys:
        return found
    start = 0
    for i, word in enumerate(keys):
        if word not in (".", "!", "?"):
            continue
        first = next((j for j in range(start, i) if keys[j][:1].isalnum()), i)
        if word == "?" and keys[first] in AUXILIARIES:
            found.append((first, i))
        start = i + 1
    return found


def asks(sentence: Sentence, answer: Sequence[str]) -> tuple[int, int] | None:
    """The question of the source that an answer begins as: the auxiliary, then whom it asks
    about; None if it asks none."""
    asked = questions(sentence.keys)
    if not asked:
        return None
    said = [key(word) for word in answer[:3]] or [""]
    about = asked_about(said)
    for start, end in asked:
        if said[0] == sentence.keys[start] and about in _subject(sentence, start, end):
            return start, end
    return None


def wonders(sentence: Sentence, answer: Sequence[str]) -> bool:
    """Whether an answer that has no mark begins as a question of the source that wants more than
    yes or no. Without its mark it says nothing else."""
    said, keys = [key(word) for word in answer[:2]], sentence.keys
    if (
        len(answer) < 3
        or "?" in answer
        or "?" not in keys
        or said[0] not in _WHAT
        or said[1] not in AUXILIARIES
    ):
        return False
    starts = (i for i in range(len(keys) - 1) if list(keys[i : i + 2]) == said)
    ends = [next((word for word in keys[i:] if word in (".", "!", "?")), "") for i in starts]
    return "?" in ends


def asked_about(said: Sequence[str]) -> str:
    """What an answer says first after its auxiliary and an article."""
    return next((word for word in said[1:3] if word not in _ARTICLES), "")


def _subject(sentence: Sentence, start: int, end: int) -> list[str]:
    """What may be said first of whom a question asks about: the first word with content, the next
    one if that may be no more than a kind («old oak»), what follows «of», and names."""
    content = [i for i in range(start + 1, end) if sentence.keys[i] not in FUNCTION_WORDS]
    count = 1 if sentence.keys[start] in _BE else 2
    for i in content[count:]:
        if not sentence.words[i][0].isupper() and sentence.keys[i - 1] != "of":
            break
        count += 1
    return [sentence.keys[start + 1], *(sentence.keys[i] for i in content[:count])]
