"""Words that an answer joins though its source does not: a verb with another one's subject or
object, and what `attached` sees."""

from __future__ import annotations

from collections.abc import Sequence

from nacc.text.aliases import ALIASES
from nacc.text.answer import LED, NOUNS
from nacc.text.attached import Attached
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.govern import NOT, SAYS
from nacc.text.numbers import counts
from nacc.text.shape import CLAUSES, STOPS
from nacc.text.stem import base, bases_of
from nacc.text.tagged import PREPOSITIONS, PRONOUNS, is_adverb, is_time
from nacc.text.verbs import CLAIMING, ORGANS, RAISED, RETOLD
from nacc.text.words import Sentence

_PARTS = STOPS | CLAUSES | frozenset(", and or who which".split())
"""What parts an answer: beyond it, another subject may have begun."""
_PARTS_OFF = _PARTS - {"who", "which", "that"}
_MUTUAL = frozenset({"sign"})
"""The player signs with the club, and the club signs the player."""
_MANY = frozenset("men women children people police".split())
"""Plurals without an -s."""
_WINS = bases_of("win lose lead reach top clinch claim take miss")
"""Who wins a race of the cup has not won the cup."""


def misjoined(sentence: Sentence, said: Sequence[str]) -> str | None:
    """What an answer joins that does not belong together, in a few words; None if nothing is
    seen."""
    return _Joins(sentence, said).fault()


class _Joins(Attached):
    """The verbs of an answer, and what is attached to its other words."""

    def fault(self) -> str | None:
        for i, verb in enumerate(self.verbs):
            if verb and (found := self._deed(i)):
                return found
        return self._in_another_mouth() or super().fault()

    def _in_another_mouth(self) -> str | None:
        """«…, union says», of what the union does not say: it says that something else is so."""
        i, source = len(self.said) - 1, self.source
        if "," not in self.said or self.bases[i] not in SAYS or not self.places[i]:
            return None
        told = {self.bases[k] for k in range(self.said.index(",")) if self.places[k]}
        for place in self.places[i]:
            that = source.key(place + 1) == "that"
            if not that or not told.isdisjoint(source.bases[place + 2 :]):
                return None
        return f"{self.said[i]!r} of what is not said"

    def _active(self, i: int) -> bool:
        """Whether a verb is told as done, not suffered: «wins», «to win», of «winning»."""
        if not LED.isdisjoint(self.said[max(0, i - 2) : i]):
            return "be" not in self.said[i - 1 : i]
        same = all(self.source.keys[place] == self.said[i] for place in self.places[i])
        return not (same or self.said[i].endswith(("ed", "en")))

    def _deed(self, i: int) -> str | None:
        """A verb that the source says of nobody who is said to do it, or does to nothing that it
        is said to be done to: each of its places has one that does not fit."""
        subject, things = self._subject(i), self._things(i)
        if len(subject) == 1 and self._active(i) and self._belongs(max(subject), self.places[i]):
            return f"{self.said[i]!r} said of {self.said[max(subject)]!r}"
        first = ""
        for verb in self.places[i] if subject or things else ():
            fault = self._by_another(i, verb, subject) or self._to_another(i, verb, things)
            if fault is None:
                return None
            first = first or fault
        return f"{self.said[i]!r} {first}" if first else None

    def _by_another(self, i: int, verb: int, subject: set[int]) -> str | None:
        """Whom a verb is said of, if the source does not say it of him."""
        source, active, passive = self.source, self._active(i), self.source.is_passive(verb)
        after = self.said[i + 1 : i + 3]
        alone = not after or (after[0] in PREPOSITIONS and after != ["at", "least"])
        if not subject or (active and passive and not alone):
            return None
        told = source.told_to(verb, self.bases)
        known = told or source.subjects(verb)
        if not active and not passive:
            known |= source.objects(verb) | source.following(verb)
        elif alone and not passive and self.said[i - 1] not in ("have", "has", "had"):
            known |= source.objects(verb)
        if self.bases[i] in _MUTUAL:
            known |= {*source.bases[verb + 1 : verb + 12]}
        if any(self.bases[k] in known or self._means(k, known) for k in subject):
            return None
        return f"said of {self.said[max(subject)]!r}"

    def _means(self, k: int, known: frozenset[str]) -> bool:
        """Whether one of some bases goes by this name: «France», of the French ministry."""
        if self.said[k] == "police" and base("officers") in known:
            return True
        spelled = self._spelled(k)
        if spelled and spelled <= known:
            return True
        return any({*map(base, name)} <= known for name in ALIASES.get(self.said[k], ()))

    def _spelled(self, k: int) -> frozenset[str]:
        """The bases of the words whose first letters a name is made of: «ECB»."""
        name, n, keys = self.said[k], len(self.said[k]), self.source.keys
        if self.places[k] or not 2 < n < 6 or not name.isalpha() or not self.says(k):
            return frozenset()
        for i in range(len(keys) - n + 1):
            if all(
                word.startswith(letter) for word, letter in zip(keys[i : i + n], name, strict=True)
            ):
                return frozenset(self.source.bases[i : i + n])
        return frozenset()

    def _to_another(self, i: int, verb: int, things: list[int]) -> str | None:
        """What a verb is done to, if the source does not do it to that."""
        source = self.source
        if not things or source.is_passive(verb) or source.is_done_to_it(verb):
            return None
        known = source.objects(verb, wide=self.bases[i] not in _WINS)
        right = [k for k in things if self.bases[k] in known or self._means(k, known)]
        if not right:
            return f"done to {self.said[things[-1]]!r}"
        if any(map(source.is_done_to_it, self.places[right[-1]])):
            return None  # «killing them»
        beside = (k for k in things if k not in right and self.places[k] and self._apart(k, right))
        wrong = next((k for k in beside if self._replaces(k, right[-1])), None)
        return None if wrong is None else f"done to {self.said[wrong]!r}"

    def _replaces(self, i: int, head: int) -> bool:
        """Whether a word of another clause stands where the thing has a word of its own that is
        not said: «world title», of the regional one; or is the thing itself."""
        own = [self.source.keys[place - 1] for place in self.places[head] if place]
        kinds = [word for word in own if word not in FUNCTION_WORDS and word.isalpha()]
        return i > head or any(word != "new" and word not in self.said for word in kinds)

    def _apart(self, i: int, others: list[int]) -> bool:
        """Whether a verb stands between a word and each of the others, in the source."""
        verbs = self.source.verbs
        return not any(
            not any(verbs[min(a, b) + 1 : max(a, b)])
            for a in self.places[i]
            for other in others
            for b in self.places[other]
        )

    def _belongs(self, j: int, verbs: list[int]) -> bool:
        """Whether a word only tells whose the subject is: «Germany's largest steelmaker»."""
        keys, places = self.source.keys, self.places[j]
        if self.said[j - 1 : j + 2].count("'s"):
            return False
        heads = (self.source.bases[p + 2 : p + 6] for p in places)
        own = bool(places) and all(
            keys[p + 1 : p + 2] == ("'s",) and p < min(verbs) for p in places
        )
        return own and not any(not ORGANS.isdisjoint(head) for head in heads)

    def _between(self, j: int) -> bool:
        """Whether a word may stand between a subject and its verb."""
        word = self.said[j]
        if word in _PARTS or word in PRONOUNS or (word in PREPOSITIONS and word != "to"):
            return False
        return not self.says(j) or is_adverb(word) or word in NOT

    def _subject(self, i: int) -> set[int]:
        """What may be the subject of the verb at i: the word before it, or what that belongs to
        («man in Milan»); of «to reach» after another verb, anything before. Empty: none is seen."""
        j = i - 1
        while j >= 0 and self._between(j):
            j -= 1
        word, told = self.said[i], self.said[j] if j >= 0 else ""
        if told in (",", "and", "but") and word.endswith("s") and self.bases[i] not in RETOLD:
            first = next(k for k, verb in enumerate(self.verbs) if verb)
            return {k for k in range(min(first, j)) if self.says(k) and self.places[k]}
        if (
            not told
            or not (self.places[j] or self._spelled(j))
            or counts(told)
            or told.endswith(("ing", "ed"))
            or self.verbs[j]
        ):
            return set()
        bare = LED.isdisjoint(self.said[j + 1 : i]) and not word.endswith(("s", "ed"))
        raised = self.bases[i] in RAISED and self.said[i + 1 : i + 2] == ["to"]
        if (
            raised
            or self.bases[i] in RETOLD
            or (bare and self._active(i) and not (told.endswith("s") or told in _MANY))
        ):
            return set()
        first = j
        while first and self.said[first - 1] not in _PARTS_OFF:
            first -= 1
        head = next(k for k in range(first, j + 1) if self.says(k))
        heads = self.run(head)
        found = {j, *heads} if heads[-1] < j else {j}
        if self.said[i - 1] == "to" and any(self.verbs[first:j]):
            found |= {k for k in range(first, j) if self.says(k)}
        return found

    def _things(self, i: int) -> list[int]:
        """What a verb is said to be done to; empty: nothing is seen."""
        if self.bases[i] in CLAIMING or self.bases[i] in _MUTUAL or not self._active(i):
            return []
        run = [k for k in self.run(i + 1) if not counts(self.said[k])]
        if not run or is_time(self.said[run[0]]) or self.verbs[run[0]] or not self.places[run[-1]]:
            return []
        deed = all(self.source.verbs[place] for place in self.places[run[-1]])
        return [] if (deed and self.said[run[-1]].endswith(NOUNS)) or self._is_noun(i) else run

    def _is_noun(self, i: int) -> bool:
        """Whether a plain form after a singular is rather a noun: «the shooting suspect»."""
        plain = (
            not self.said[i].endswith(("s", "ed", "ing")) and self.said[i] not in self.source.keys
        )
        led = not LED.isdisjoint(self.said[max(0, i - 2) : i])
        return plain and not led and i > 0 and not self.said[i - 1].endswith("s")
