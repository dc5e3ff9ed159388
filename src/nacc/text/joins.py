"""Words that an answer joins though its source does not: a verb with another one's subject or
object, a number with another thing, a place or a time with another clause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nacc.text import govern
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.numbers import PERCENT, SCALES
from nacc.text.shape import (
    CLAUSES,
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    STOPS,
    counts,
    is_adverb,
    is_time,
    shape,
)
from nacc.text.stem import base
from nacc.text.verbs import CLAIMING, ORGANS, RETOLD
from nacc.text.words import UNKNOWN_WORDS, Sentence

_PARTS = STOPS | CLAUSES | frozenset(", and or who which".split())
"""What parts an answer: beyond it, another subject may have begun."""
_NOUNS_AFTER = govern.DETERMINERS - {"that"} | frozenset(
    "'s of in for over after with on our your my these those".split()
)
_NOUNS = tuple("ion ions ment ments ing ings er ers al als".split())
"""Endings of nouns that a verb of the source may be told as."""
_BESIDE = frozenset("due likely again following worth".split())
_STRICT = frozenset("after before since until from against despite".split())
"""Prepositions that do not stand for others."""
_LED = govern.WILL | {"to"}


def misjoined(sentence: Sentence, said: Sequence[str]) -> str | None:
    """What an answer joins that does not belong together, in a few words; None if nothing is
    seen."""
    return next(_Joins(sentence, said).found(), None)


class _Joins:
    def __init__(self, sentence: Sentence, said: Sequence[str]) -> None:
        self.source, self.said = shape(sentence), list(said)
        self.bases = [base(word) for word in said]
        self.places = [self._where(i) for i in range(len(said))]
        self.verbs = [self._verb(i) for i in range(len(said))]

    def found(self) -> Iterator[str]:
        for i, word in enumerate(self.said):
            if self.verbs[i]:
                yield from self._deed(i)
            if counts(word):
                yield from self._of_another(i)
            if word in PREPOSITIONS and i:
                yield from self._elsewhere(i)
            yield from self._stranger(i)

    def _says(self, i: int) -> bool:
        return self.said[i] not in FUNCTION_WORDS and self.said[i][:1].isalnum()

    def _where(self, i: int) -> list[int]:
        known = self._says(i) and self.said[i] not in UNKNOWN_WORDS
        return self.source.places.get(self.bases[i], []) if known else []

    def _verb(self, i: int) -> bool:
        """Whether a word is nothing but a verb in the source, and may be one here."""
        word, before = self.said[i], self.said[i - 1] if i else ""
        if not self.places[i] or not all(self.source.verbs[place] for place in self.places[i]):
            return False
        formed = word.endswith("ed") or word in self.source.keys
        if before in _NOUNS_AFTER or (counts(before) and not formed):
            return False
        return before in _LED or not word.endswith(_NOUNS)

    def _active(self, i: int) -> bool:
        """Whether a verb is told as done, not suffered: «wins», «to win», of «winning»."""
        if not _LED.isdisjoint(self.said[max(0, i - 2) : i]):
            return "be" not in self.said[i - 1 : i]
        same = all(self.source.keys[place] == self.said[i] for place in self.places[i])
        return not (same or self.said[i].endswith(("ed", "en")))

    def _run(self, i: int) -> list[int]:
        """The words with content from a place on, up to a small one or a verb."""
        found: list[int] = []
        for j in range(i, len(self.said)):
            leads = self.said[j] in DETERMINERS or self.said[j : j + 2] == ["at", "least"]
            if self._says(j):
                if found and (self.verbs[j] or self.said[j] in _BESIDE):
                    break
                found.append(j)
            elif self.said[j] != "'s" and (found or not leads):
                break
        return found

    def _deed(self, i: int) -> Iterator[str]:
        """A verb that the source says of nobody who is said to do it, or does to nothing that it
        is said to be done to: each of its places has one that does not fit."""
        subject, things = self._subject(i), self._things(i)
        if len(subject) == 1 and self._active(i) and self._belongs(max(subject), self.places[i]):
            yield f"{self.said[i]!r} said of {self.said[max(subject)]!r}"
        faults = [
            self._by_another(i, verb, subject) or self._to_another(i, verb, things)
            for verb in self.places[i]
        ]
        if all(faults):
            yield f"{self.said[i]!r} {faults[0]}"

    def _by_another(self, i: int, verb: int, subject: set[int]) -> str | None:
        """Whom a verb is said of, if the source does not say it of him."""
        source, active, passive = self.source, self._active(i), self.source.is_passive(verb)
        alone = i + 1 == len(self.said) or self.said[i + 1] in PREPOSITIONS
        if not subject or (active and passive and not alone):
            return None
        known = source.subjects(verb)
        if not active and not passive:
            known |= source.objects(verb) | {*source.bases[verb + 1 : verb + 8]}
        elif alone and not passive:
            known |= source.objects(verb)
        if any(self.bases[k] in known for k in subject):
            return None
        return f"said of {self.said[max(subject)]!r}"

    def _to_another(self, i: int, verb: int, things: list[int]) -> str | None:
        """What a verb is done to, if the source does not do it to that."""
        source = self.source
        if not things or source.is_passive(verb) or source.is_done_to_it(verb):
            return None
        known = source.objects(verb)
        right = [k for k in things if self.bases[k] in known]
        beside = (k for k in things if k not in right and self.places[k])
        wrong = (
            things[-1] if not right else next((k for k in beside if self._apart(k, right)), None)
        )
        return None if wrong is None else f"done to {self.said[wrong]!r}"

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
        own = all(keys[p + 1 : p + 2] == ("'s",) and p < min(verbs) for p in places)
        return own and not any(not ORGANS.isdisjoint(head) for head in heads)

    def _between(self, j: int) -> bool:
        """Whether a word may stand between a subject and its verb."""
        word = self.said[j]
        if word in _PARTS or word in PRONOUNS or (word in PREPOSITIONS and word != "to"):
            return False
        return not self._says(j) or is_adverb(word)

    def _subject(self, i: int) -> set[int]:
        """What may be the subject of the verb at i: the word before it, or what that belongs to
        («man in Milan»); of «to reach» after another verb, anything before. Empty: none is seen."""
        j = i - 1
        while j >= 0 and self._between(j):
            j -= 1
        word, told = self.said[i], self.said[j] if j >= 0 else ""
        if (
            not told
            or not self.places[j]
            or counts(told)
            or told.endswith(("ing", "ed"))
            or self.verbs[j]
        ):
            return set()
        bare = _LED.isdisjoint(self.said[j + 1 : i]) and not word.endswith(("s", "ed"))
        if self.bases[i] in RETOLD or (bare and self._active(i) and not told.endswith("s")):
            return set()
        first = j
        while first and self.said[first - 1] not in _PARTS - {"who", "which", "that"}:
            first -= 1
        head = next(k for k in range(first, j + 1) if self._says(k))
        heads = self._run(head)
        found = {j, *heads} if heads[-1] < j else {j}
        if self.said[i - 1] == "to" and any(self.verbs[first:j]):
            found |= {k for k in range(first, j) if self._says(k)}
        return found

    def _things(self, i: int) -> list[int]:
        """What a verb is said to be done to; empty: nothing is seen."""
        if self.bases[i] in CLAIMING or not self._active(i):
            return []
        run = [k for k in self._run(i + 1) if not counts(self.said[k])]
        if not run or is_time(self.said[run[0]]) or self.verbs[run[0]] or not self.places[run[-1]]:
            return []
        return run

    def _of_another(self, i: int) -> Iterator[str]:
        """A number of things that are not those it counts."""
        number = self.said[i]
        mixed = any(map(str.isalpha, number)) and any(map(str.isdigit, number))
        run = self._run(i + 1)
        if not self.places[i] or not run or mixed or is_time(number) or number == "one":
            return
        thing = run[-1]
        unit = self.said[i + 1] in SCALES or self.said[i + 1] in PERCENT
        if unit or self.verbs[run[0]] or not self.places[thing] or counts(self.said[thing]):
            return
        named = self.bases[i - 1] if i and self.said[i - 1] not in DETERMINERS else ""
        around = {self.bases[k] for k in run} | {named}
        for place in self.places[i]:
            near = self._counted(place)
            if self.bases[thing] in near or (place and self.source.bases[place - 1] in around):
                return
        yield f"{number!r} said of {self.said[thing]!r}"

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

    def _elsewhere(self, i: int) -> Iterator[str]:
        """What a preposition adds to another clause's words than in the source."""
        word, run = self.said[i], self._run(i + 1)
        j = next((k for k in range(i - 1, -1, -1) if self._says(k)), 0)
        if not run or not self.places[j] or not self.places[run[0]] or word == "as":
            return
        if word in CLAUSES and any(self.verbs[k] or not self.places[k] for k in run):
            return
        source = self.source
        own = [at for o in self.places[run[0]] if (at := source.ruled_by(o)) >= 0]
        own = [at for at in own if source.keys[at] == word and (word != "to" or self._is_goal(at))]
        for place in self.places[j]:
            for at in own:
                verb = source.verb_before(at)
                apart = place < verb and source.bases[verb] not in self.bases
                does = source.verb_before(place) < 0 and self.bases[j] in source.subjects(verb)
                if not apart or does or not any(map(source.opens, range(place + 1, at))):
                    return
        if own or (word in _STRICT and self._tells_when(run[0], word)):
            yield f"{word + ' ' + self.said[run[0]]!r} of {self.said[j]!r}"

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

    def _stranger(self, i: int) -> Iterator[str]:
        """A thing called after the subject of another clause: «Farida meeting»."""
        j = i + 2 if self.said[i + 1 : i + 2] == ["'s"] else i + 1
        if j >= len(self.said) or counts(self.said[i]) or not (self.places[i] and self.places[j]):
            return
        source = self.source
        if any(source.verbs[place] for place in (*self.places[i], *self.places[j])):
            return
        for place in self.places[i]:
            if not self._is_subject(place):
                return
            for other in self.places[j]:
                low, high = sorted((place, other))
                if not any(source.verbs[low + 1 : high]):
                    return
        yield f"{self.said[i]!r} before {self.said[j]!r}"

    def _is_subject(self, place: int) -> bool:
        """Whether a clause begins with this word, and is a verb's right after it."""
        source = self.source
        start = place - 1
        while start > 0 and (source.keys[start] in DETERMINERS or source.says(start)):
            start -= 1
        after = source.keys[place + 1 : place + 2]
        return source.keys[max(start, 0)] in CLAUSES and not {*after}.isdisjoint(govern.AUXILIARIES)
