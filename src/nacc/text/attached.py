"""What an answer puts beside a word though its source does not: a number beside another thing, a
place or a time in another clause, a name before what is not its own; and what it leaves out beside
one, though that makes it another thing: former, attempted."""

from __future__ import annotations

from nacc.text import govern
from nacc.text.answer import Answer
from nacc.text.numbers import PERCENT, SCALES, counts
from nacc.text.shape import CLAUSES, STOPS
from nacc.text.stem import bases_of
from nacc.text.tagged import DETERMINERS, PREPOSITIONS, is_time

_ENDS = frozenset("; . ! ?".split())
_PLACES = frozenset("in at near off".split())
_BEFALLS = bases_of("kill die dead injure hurt wound drown miss trap arrest")
_STRICT = frozenset("after before since until from against despite".split())
"""Prepositions that do not stand for others."""
_OTHERWISE = frozenset(
    "former ex attempted reputed would-be rumoured rumored vice conditional alternative unofficial "
    "virtually illegally wrongly falsely barely".split()
)
"""A former employee is none, an attempted murder neither; who does it illegally is judged."""
_HARM = _BEFALLS - bases_of("die drown arrest")
"""What may have been one or the other."""


class Attached(Answer):
    """The numbers, the prepositions and the names of an answer."""

    def fault(self) -> str | None:
        """The first that is seen, in a few words."""
        for i, word in enumerate(self.said):
            found = (
                (counts(word) and self._of_another(i))
                or (word in PREPOSITIONS and i and self._elsewhere(i))
                or (self.places[i] and (self._stranger(i) or self._unqualified(i)))
            )
            if found:
                return found
        return None

    def _unqualified(self, i: int) -> str | None:
        """A word without the one before it that says it is not quite that; one harm without the
        other that it may have been."""
        if len(self.places[i]) != 1:
            return None
        (place,), keys = self.places[i], self.source.keys
        before = keys[place - 1] if place else ""
        if before in _OTHERWISE and before not in self.said:
            return f"{self.said[i]!r} without {before!r}"
        if self.bases[i] not in _HARM or "or" in self.said:
            return None
        for at, other in ((place - 1, place - 2), (place + 1, place + 2)):
            alternative = keys[max(at, 0) : at + 1] == ("or",) and 0 <= other < len(keys)
            if alternative and self.source.bases[other] in _HARM:
                return f"{self.said[i]!r} without 'or {keys[other]}'"
        return None

    def _of_another(self, i: int) -> str | None:
        """A number of things that are not those it counts."""
        number = self.said[i]
        mixed = any(map(str.isalpha, number)) and any(map(str.isdigit, number))
        run = self.run(i + 1)
        named = self.said[i + 1 : i + 2] in (["'s"], ["’s"])
        if not self.places[i] or not run or mixed or named or is_time(number) or number == "one":
            return None
        if any(self.source.keys[p + 1 : p + 2] == (self.said[run[0]],) for p in self.places[i]):
            return None
        thing = run[-1]
        unit = self.said[i + 1] in SCALES or self.said[i + 1] in PERCENT
        if unit or self.verbs[run[0]] or not self.places[thing] or counts(self.said[thing]):
            return None
        kind = i > 0 and self.says(i - 1) and self.said[i - 1] not in DETERMINERS
        around = {self.bases[k] for k in run} | {self.bases[i - 1] if kind else ""}
        for place in self.places[i]:
            near = self._counted(place)
            if self.bases[thing] in near or (place and self.source.bases[place - 1] in around):
                return None
        return f"{number!r} said of {self.said[thing]!r}"

    def _counted(self, place: int) -> list[str]:
        """The bases of what may be counted by the number at a place: up to the next verb."""
        found: list[str] = []
        for k in range(place + 1, min(place + 8, len(self.source.keys))):
            if self.source.keys[k] in STOPS or self.source.keys[k] == ",":
                break
            found.append(self.source.bases[k])
            if self.source.verbs[k]:
                break
        return found

    def _elsewhere(self, i: int) -> str | None:
        """What a preposition adds to another clause's words than in the source."""
        word, run = self.said[i], self.run(i + 1)
        j = next((k for k in range(i - 1, -1, -1) if self.says(k)), 0)
        if not run or not self.places[j] or not self.places[run[0]] or word == "as":
            return None
        if word in _PLACES and self.bases[j] in _BEFALLS:
            return None  # people come to harm where it happens
        if word in CLAUSES and any(self.verbs[k] or not self.places[k] for k in run):
            return None
        source = self.source
        own = [at for o in self.places[run[0]] if (at := source.ruled_by(o)) >= 0]
        own = [at for at in own if source.keys[at] == word and (word != "to" or self._is_goal(at))]
        head = {source.ruled_by(place) for place in self.places[run[-1]]}
        own = [at for at in own if at in head or not head]  # not «in Leuven office fire»
        for place in self.places[j]:
            for at in own:
                verb = source.verb_before(at)
                apart = place < verb and source.bases[verb] not in self.bases
                does = source.verb_before(place) < 0 and self.bases[j] in source.subjects(verb)
                parted = not _ENDS.isdisjoint(source.keys[place:at])
                opens = apart and not does and any(map(source.opens, range(place + 1, at)))
                if not (parted or opens):
                    return None
        if own or (word in _STRICT and self._tells_when(run[0], word)):
            return f"{word + ' ' + self.said[run[0]]!r} of {self.said[j]!r}"
        return None

    def _tells_when(self, i: int, word: str) -> bool:
        """Whether a number or a time has another preposition, wherever it stands."""
        ruling = map(self.source.ruled_by, self.places[i])
        told = counts(self.said[i]) or is_time(self.said[i])
        same = ("of", "to") if word == "until" else ("of",)
        return told and all(at >= 0 and self.source.keys[at] not in same for at in ruling)

    def _is_goal(self, to: int) -> bool:
        """Whether «to» is a preposition."""
        after = self.source.keys[to + 1]
        return after in DETERMINERS or counts(after) or self.source.words[to + 1][0].isupper()

    def _stranger(self, i: int) -> str | None:
        """A thing called after the subject of another clause: «Farida meeting»."""
        if self.source.key(self.places[i][0] + 1) not in govern.AUXILIARIES:
            return None  # no subject of any verb
        j = i + 2 if self.said[i + 1 : i + 2] == ["'s"] else i + 1
        if j >= len(self.said) or counts(self.said[i]) or not self.places[j]:
            return None
        source = self.source
        if any(source.verbs[place] for place in (*self.places[i], *self.places[j])):
            return None
        for place in self.places[i]:
            if not self._is_subject(place):
                return None
            for other in self.places[j]:
                low, high = sorted((place, other))
                if not any(source.verbs[low + 1 : high]):
                    return None
        return f"{self.said[i]!r} before {self.said[j]!r}"

    def _is_subject(self, place: int) -> bool:
        """Whether a clause begins with this word, and is a verb's right after it."""
        source = self.source
        start = place - 1
        while start > 0 and (source.keys[start] in DETERMINERS or source.says(start)):
            start -= 1
        after = source.keys[place + 1 : place + 2]
        return source.keys[max(start, 0)] in CLAUSES and not {*after}.isdisjoint(govern.AUXILIARIES)
