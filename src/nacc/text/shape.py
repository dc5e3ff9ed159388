"""The shape of a sentence, as far as it shows without a grammar: whom each of its verbs may be said
of, and what it is done to. Where that is not clear, more words may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nacc.text import govern
from nacc.text.memory import kept
from nacc.text.numbers import SCALES, counts
from nacc.text.tagged import (
    DETERMINERS,
    LEADS,
    PREPOSITIONS,
    PRONOUNS,
    Tagged,
    is_adverb,
    is_time,
)
from nacc.text.verbs import ANYBODY, CONTROL, LIGHT, SAYING
from nacc.text.words import Sentence

CLAUSES = frozenset(
    "that if unless because although though while whereas when where after before since until as "
    "whether why how but".split()
)
"""These may begin a clause with a subject of its own."""
STOPS = frozenset("; : . ! ? -- – —".split())
_BEGINS = STOPS | CLAUSES | {",", "and"}
_KNOWN = govern.DETERMINERS - {"a", "an"}
_SOMEONE = frozenset("he she it they".split())
_STANDS_FOR = frozenset("it them him her this these those one".split())
_ASIDE = 25
"""How many words may be said of a subject before its verb."""
_GENERIC = frozenset(
    "company firm group bank club country city agency team party ministry government union airline "
    "carmaker automaker maker retailer lender board administration body state couple two pair "
    "organisation organization".split()
)
_ENDS_OBJECT = frozenset("which who because if but while".split())
_WHO = frozenset("who which that".split())
_RELATIVE = frozenset("which who whose".split())
_NEW_THING = frozenset("a an the ,".split())
_MARKS = frozenset("\" ” ''".split())
"""Marks that may end a quotation."""
_NEUTRAL = frozenset("than about up".split())
"""Before a number, these are no prepositions."""


@kept
def shape(sentence: Sentence) -> Shape:
    """The shape of a sentence, looked at once."""
    return Shape(sentence)


class Shape(Tagged):
    """A sentence's words, and what they have to do with its verbs."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self._subjects: dict[int, frozenset[str]] = {}

    def subjects(self, verb: int) -> frozenset[str]:
        """The bases of the words that a verb may be said of. A pronoun may stand for any word
        before it; of «to reach», what leads to it may be said too."""
        if verb not in self._subjects:
            self._subjects[verb] = self._said_of(verb)
        return self._subjects[verb]

    def _said_of(self, verb: int) -> frozenset[str]:
        if self._is_order(verb):
            return frozenset()
        start = self._beginning(verb)
        if self.key(verb - 1) == "to" and verb > 1:
            leads = self.verb_before(verb)
            start = min(start, self._beginning(leads)) if leads == verb - 2 else 0
        refers = self._refers(start, verb)
        start = 0 if refers else start
        speaker = self._speaker(verb) if {"i", "we"} & {*self.keys[start:verb]} else ()
        done = next((i for i in range(verb + 1, verb + 5) if self.key(i) == "by"), len(self.keys))
        by = range(done + 1, min(done + 8, len(self.keys)))
        end = verb if refers else next(self._asides(start, verb, verb), verb)
        return frozenset(self.bases[i] for i in (*range(start, end), *by, *speaker) if self.says(i))

    def told_to(self, verb: int, said: Sequence[str]) -> frozenset[str]:
        """Whoever is to do it, where somebody else has it done who is not said to: «allows the bank
        to use». Empty: anybody may be."""
        to = verb - 1
        leads = self.verb_before(verb) if self.key(to) == "to" else -1
        if leads < 0 or self.bases[leads] not in CONTROL or self.bases[leads] in said:
            return frozenset()
        between = range(leads + 1, to)
        small = any(self.keys[i] in PREPOSITIONS or self.keys[i] == "," for i in between)
        if self.is_passive(leads) or small or self._refers(leads + 1, to):
            return frozenset()
        names = {self.bases[i] for i in between if self.says(i) and not is_time(self.keys[i])}
        return frozenset() if names & ANYBODY else frozenset(names)

    def _is_order(self, verb: int) -> bool:
        """Whether nobody is said to do it: «but do not sign anything»."""
        not_ = self.keys[max(0, verb - 2) : verb] == ("do", "not")
        at = verb - 3 if not_ else verb - 2
        begins = at < 0 or self.keys[at] in _BEGINS
        return begins and (not_ or self.key(verb - 1) == "don't")

    def objects(self, verb: int, *, wide: bool = False) -> frozenset[str]:
        """The bases of what a verb is done to: what follows it without a preposition, or with one
        that comes at once, or after «of» where that changes little («a team of engineers»). If
        wide, also what any such thing is of: «left the port of Hull» is left Hull."""
        found: set[str] = set()
        at_once, ruled, part = True, False, False
        says = self.bases[verb] in SAYING
        for j in range(verb + 1, len(self.keys)):
            word, before = self.keys[j], self.keys[j - 1]
            if word in STOPS or word in _ENDS_OBJECT:
                break
            if word == "that" and found and not (says or self.bases[j - 1] in govern.CLAIMS):
                break  # not «denied reports that troops …»
            if found and self._ends_quote(j):
                break
            if word == "of" and not at_once:
                part = wide and not ruled
                ruled = ruled or not (self.bases[j - 1] in LIGHT or counts(before))
            elif word in PREPOSITIONS and word not in _NEUTRAL:
                ruled = not at_once and not (word == "in" and before in SCALES)
                part = False
            elif is_time(before) or (word in _NEW_THING and before not in PREPOSITIONS):
                ruled = False
            if self.says(j):
                at_once = at_once and (is_time(word) or is_adverb(word))
                whole = part and not (self.key(j + 1) and self._goes_on(j + 1))
                found |= set() if (ruled and not whole) or is_time(word) else {self.bases[j]}
        return frozenset(found)

    def _goes_on(self, i: int) -> bool:
        """Whether a thing's name goes on here: «warm clothes», not «clothes collected»."""
        told = self.verbs[i] or self.keys[i].endswith(("ing", "ed"))
        return self.names(i) and not told

    def is_done_to_it(self, verb: int) -> bool:
        """Whether a pronoun tells what a verb is done to: anything, then."""
        return self.key(verb + 1) in _STANDS_FOR

    def is_told(self, i: int) -> bool:
        """Whether a word is a verb that somebody does."""
        return self.verbs[i] and not self.is_passive(i)

    def is_passive(self, verb: int) -> bool:
        led = not govern.BE.isdisjoint(self.keys[max(0, verb - 3) : verb])
        return led and not self.keys[verb].endswith("ing")

    def opens(self, i: int) -> bool:
        """Whether a clause opens here that is not about the word before it."""
        word = self.keys[i]
        if word in ("that", "where", "as"):
            return word == "that" and self._breaks(i)
        if word in CLAUSES or word in STOPS or word in _SOMEONE or self._ends_quote(i):
            return True
        gerund = i + 1 < len(self.keys) and self.verbs[i + 1] and self.keys[i + 1].endswith("ing")
        return gerund and (word in PREPOSITIONS or word == ",")

    def _ends_quote(self, i: int) -> bool:
        """Whether who said it follows: «… the boat," the skipper told»."""
        return self.keys[i] in _MARKS and "," in (self.key(i - 1), self.key(i + 1))

    def following(self, verb: int) -> frozenset[str]:
        """The bases of the next few words, up to the end of a quotation."""
        ahead = range(verb + 1, min(verb + 8, len(self.keys)))
        end = next((i for i in ahead if self.keys[i] in _MARKS), ahead.stop)
        return frozenset(self.bases[verb + 1 : end])

    def _speaker(self, verb: int) -> range:
        """The words after the quotation that a verb stands in, where who says it is named."""
        ends = (i for i in range(verb + 1, len(self.keys)) if self._ends_quote(i))
        end = next(ends, len(self.keys))
        told = next((i for i in range(end + 1, len(self.keys)) if self.verbs[i]), end)
        return range(end + 1, told if told > end + 2 else min(end + 6, len(self.keys)))

    def ruled_by(self, i: int) -> int:
        """The preposition right before the thing at a place, with what belongs to it; -1: none."""
        for j in range(i - 1, max(-1, i - 7), -1):
            bound = self.keys[j + 1] == "least" or self.keys[j] in _NEUTRAL
            if self.keys[j] in PREPOSITIONS and not bound:
                return j
            if self.verbs[j] or self.keys[j] in STOPS or self.keys[j] in (",", "and"):
                break
        return -1

    def _refers(self, start: int, end: int) -> bool:
        """Whether one of some words stands for what was named before: «it», «the company», «his
        country»."""
        keys = self.keys
        if not PRONOUNS.isdisjoint(keys[start:end]):
            return True
        if _GENERIC.isdisjoint(keys[start + 1 : end + 3]):
            return False
        known = (i for i in range(start, end) if keys[i] in _KNOWN)
        return any(not _GENERIC.isdisjoint(keys[i + 1 : i + 4]) for i in known)  # «the poor state»

    def _beginning(self, verb: int) -> int:
        """Where the words begin of which a verb may be said: after the last break that leaves any
        of them; right after a comma, all before it may be."""
        relative = verb - 1 - (self.key(verb - 1) in LEADS)
        if self.key(relative) in _WHO and self.key(relative - 1) != ",":
            return self._thing_before(relative)
        if any(True for _ in self._asides(max(0, verb - _ASIDE), verb - 1, verb)):
            return 0
        subject = False
        for j in range(verb - 1, -1, -1):
            word = self.keys[j]
            if subject and self._breaks(j):
                return j + 1
            controlled = word in CLAUSES and self.keys[j + 1].endswith("ing")
            if not subject and (word in (",", "and") or word in STOPS or controlled):
                return 0
            noun = self.names(j) and not self.verbs[j] and not is_time(word)
            subject = subject or noun or word in PRONOUNS
        return 0

    def _thing_before(self, j: int) -> int:
        """Where the thing begins that «that» at a place follows: «a folder that was put»."""
        while j > 0 and (
            (self.says(j - 1) and not self.verbs[j - 1])
            or self.keys[j - 1] in DETERMINERS
            or self.keys[j - 1] in ("of", "and", "'s")
        ):
            j -= 1
        return j

    def _asides(self, start: int, end: int, verb: int) -> Iterator[int]:
        """Where among some words that begins which is said of a subject before its verb."""
        if not _WHO.isdisjoint(self.keys[start:end]):
            yield from (j for j in range(start, end) if self._is_aside(j, verb))

    def _is_aside(self, j: int, verb: int) -> bool:
        """Whether «who» or «that» at a place begins what is said of a subject before its verb:
        «a woman who fell ill after a flight has died»."""
        relative = self.keys[j] in ("who", "which") or (
            self.keys[j] == "that" and self.verbs[j + 1]
        )
        if not relative or self.verb_before(verb) <= j:
            return False
        between = range(j + 1, verb)
        return not any(
            self.keys[k] == "," or (self.keys[k] == "that" and self._breaks(k)) for k in between
        )

    def _breaks(self, j: int) -> bool:
        """Whether a clause with a subject of its own begins after this place."""
        word, after = self.keys[j], self.key(j + 1)
        if word in STOPS:
            return True
        if word == "that":  # not «a fungus that feeds»
            return after not in LEADS and not (after and self.verbs[j + 1])
        if word == "as":  # not «given as a spray»
            return j > 0 and not self.verbs[j - 1] and self.keys[j - 1] != ","
        if word in CLAUSES:
            return not is_time(after)
        if word in (",", "and"):
            start = next((i + 1 for i in range(j - 1, -1, -1) if self.keys[i] in STOPS), 0)
            told = self.keys[start] in CLAUSES or self.verb_before(j) >= start
            aside = after in _RELATIVE or (after != "" and self.verbs[j + 1])
            begins = after in DETERMINERS or after in PRONOUNS
            begins = begins and "between" not in self.keys[max(0, j - 5) : j]
            return told and (begins if word == "and" else not aside)
        return self.verbs[j] and self.bases[j] in SAYING and after != "to"
