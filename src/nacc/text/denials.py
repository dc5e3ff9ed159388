"""What a sentence denies: not so, nobody's, refused, untrue."""

from __future__ import annotations

from collections.abc import Iterator

from nacc.text import govern
from nacc.text.conditions import Conditions
from nacc.text.govern import Governed, Mood
from nacc.text.licence import WEIGHTY

NO = (
    govern.NOT
    | govern.NONE
    | frozenset("without instead rather short against yet almost nearly".split())
)
UNTRUE = govern.UNTRUE | govern.TRUE | govern.CLEARED
DENYING = govern.DENIALS | govern.REJECTIONS | govern.RUMOURS | govern.DISPUTES


def negates(word: str) -> bool:
    return word in govern.NOT or word.endswith("n't")


class Denials(Conditions):
    """A sentence that may deny."""

    def by_negation(self, i: int, word: str) -> Iterator[Governed]:
        after = self.keys[i + 1] if i + 1 < len(self.keys) else ""
        if after in govern.IMPROBABLE and word in govern.NOT:
            yield from self._litotes(i + 1)
            places = []
        elif negates(word):
            yield from self._compared(i)
            weak = after in govern.NOT_REALLY or (i > 0 and self.keys[i - 1] == "or")
            things = after in ("a", "an", "any", "enough")
            places = [] if weak else list(self.run(i + 1)) if things else self.heads(i + 1)
            places += self._cleft(i) + (self._left_out(i) if i else [])
        elif word in govern.NONE and after in ("longer", "one"):
            places = [*self.heads(i + 2), *self.verb_of(i)]
        elif word in govern.NONE:
            places = [] if after in govern.NO_NEGATION or after == "." else list(self.noun(i + 1))
            places += [*self.verb_of(i), *(self.done_by(i) if word != "no" else ())]
        elif word == "without":
            places = list(self.run(i + 1))
        elif (word, after) in (("instead", "of"), ("rather", "than"), ("short", "of")):
            places = list(self.run(i + 2))[:1]
        elif word == "against" and i and self.bases[i - 1] in govern.VOTES:
            places = list(self.run(i + 1))[:2]
        elif (word, after) == ("yet", "to"):
            places = self.heads(i + 2)
        elif word in ("almost", "nearly"):
            done = after.endswith(("ed", "en")) or self.bases[i + 1 : i + 2] == ("be",)
            places = [j for j in self.heads(i + 1) if done or self.bases[j] in WEIGHTY]
        else:
            places = []
        for place in places:
            yield Governed(place, i, Mood.NEGATED)

    def _litotes(self, i: int) -> Iterator[Governed]:
        """«Not unlikely that», «not impossible to»: it may be so."""
        that = self.keys[i + 1 : i + 2] == ("that",)
        verbs = self.verbs(i + 3, self.end(i + 2)) if that else self.infinitive(i + 1, near=1)
        for place in verbs:
            yield Governed(place, i, Mood.POSSIBLE)

    def _compared(self, i: int) -> Iterator[Governed]:
        """«Did not grow as fast as»: it did, less. «Plead not guilty»: whether one is, or not."""
        if self.bases[i - 1 : i] == ("plead",):
            yield from (Governed(place, i - 1, Mood.ALLEGED) for place in self.heads(i + 1))
        for head in self.heads(i + 1)[:1]:
            ahead = self.keys[head + 1 : min(head + 8, self.end(head + 1))]
            if ahead.count("as") == 2:
                first = head + 1 + ahead.index("as")
                much = [first + 2] if self.keys[first + 1] in ("much", "many") else []
                yield from (Governed(place, first, Mood.COMPARED) for place in (head, *much))

    def _left_out(self, i: int) -> list[int]:
        """«Those from the box office cannot»: whom it is not so of, where nothing follows."""
        ends = i + 1 == len(self.keys) or self.keys[i + 1] in (".", ";", ",")
        return [j for j in range(self.start(i), i) if self.says(j)] if ends else []

    def _cleft(self, i: int) -> list[int]:
        """«It was not the goalkeeper who missed the bus»: what he did not do."""
        who = next(
            (j for j in range(i + 2, min(i + 6, self.end(i + 1))) if self.keys[j] == "who"), 0
        )
        return self.verbs(who + 1, self.end(who + 1)) if who and self.keys[i - 1] == "it" else []

    def by_denial(self, i: int, word: str) -> Iterator[Governed]:
        """What is said not to be so: «denied taking», «it is not true that», «cleared of»."""
        verb, ahead = self.bases[i], self.keys[i + 1 : i + 5]
        untrue = word in govern.UNTRUE or (word in govern.TRUE and "not" in self.keys[i - 2 : i])
        claimed, mood = not govern.CLAIMS.isdisjoint(self.bases[i + 1 : i + 5]), Mood.DENIED
        if verb in govern.DENIALS or (verb in govern.REJECTIONS and claimed):
            places = self.denied(i + 1)
            if any(map(negates, self.keys[max(0, i - 2) : i])):
                mood = Mood.ALLEGED  # neither confirmed nor denied
        elif verb in govern.RUMOURS and "that" in ahead:
            places = self.verbs(i + 3 + ahead.index("that"), self.end(i + 1))
        elif (verb in govern.DISPUTES or untrue) and "that" in ahead:
            places = self.denied(i + 1 + ahead.index("that"))
        elif untrue and self._of_what_was_said(i):
            end = self.sentence(i) - 1
            places = self.verbs(self.sentence(end), end)
        elif word in govern.CLEARED:
            places = [*self.of(i + 1, ("of",), 3), *self.charges(i)]
        else:
            places = []
        for place in places:
            yield Governed(place, i, mood)

    def _of_what_was_said(self, i: int) -> bool:
        """«He was armed. Later they said that was wrong»: what the sentence before says."""
        before = self.keys[max(0, i - 3) : i]
        retracted = "that" in before and not govern.BE.isdisjoint(before)
        return retracted and self.sentence(i) > 0 and self.keys[i + 1 : i + 2] in ((), (".",))
