"""An answer beside its source: where its words stand there, and which of them are verbs."""

from __future__ import annotations

from collections.abc import Sequence

from nacc.text import govern
from nacc.text.numbers import counts
from nacc.text.shape import shape
from nacc.text.stem import base
from nacc.text.tagged import DETERMINERS, has_content
from nacc.text.words import UNKNOWN_WORDS, Sentence

NOUNS = tuple("ion ions ment ments ing ings er ers al als".split())
"""Endings of nouns that a verb of the source may be told as."""
LED = govern.WILL | {"to"}
_NOUNS_AFTER = govern.DETERMINERS - {"that"} | frozenset(
    "'s of in for over after with on our your my these those".split()
)
_BESIDE = frozenset("due likely again following worth".split())


class Answer:
    """An answer's words by their places; `places`: where each stands in the source."""

    def __init__(self, sentence: Sentence, said: Sequence[str]) -> None:
        self.source, self.said = shape(sentence), list(said)
        self.bases = list(map(base, said))
        self._content = list(map(has_content, said))
        where = self.source.places
        self.places = [
            where[told] if says and told in where and word not in UNKNOWN_WORDS else []
            for word, told, says in zip(said, self.bases, self._content, strict=True)
        ]
        self.verbs = [bool(at) and self._verb(i, at) for i, at in enumerate(self.places)]

    def says(self, i: int) -> bool:
        return self._content[i]

    def _verb(self, i: int, places: list[int]) -> bool:
        """Whether a word is nothing but a verb in the source, and may be one here."""
        word, before = self.said[i], self.said[i - 1] if i else ""
        if not all(self.source.verbs[place] for place in places):
            return False
        formed = word.endswith("ed") or word in self.source.keys
        if before in _NOUNS_AFTER or (counts(before) and not formed):
            return False
        return before in LED or not word.endswith(NOUNS)

    def run(self, i: int) -> list[int]:
        """The words with content from a place on, up to a small one or a verb."""
        found: list[int] = []
        for j in range(i, len(self.said)):
            after = self.said[j + 1] if j + 1 < len(self.said) else ""
            leads = self.said[j] in DETERMINERS or (self.said[j], after) == ("at", "least")
            leads = leads and (self.said[j] != "about" or counts(after))
            if self.says(j):
                if found and (self.verbs[j] or self.said[j] in _BESIDE):
                    break
                found.append(j)
            elif self.said[j] != "'s" and (found or not leads):
                break
        return found
