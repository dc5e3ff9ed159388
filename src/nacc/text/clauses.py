"""Which words of a sentence are not simply stated: denied, doubted, asked, planned, conditional.

No grammar is parsed. Words that govern («not», «refused to», «may», «if») are known, and so is how
far each reaches: to the next word with content, over a clause, or to both sides of a condition.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from nacc.text import govern
from nacc.text.conditions import Conditions
from nacc.text.licence import WEIGHTY
from nacc.text.memory import kept, remembered
from nacc.text.numbers import counts
from nacc.text.questions import questions
from nacc.text.stem import base
from nacc.text.words import Sentence

_SOON = {each[:2]: each for each in govern.SOON}
_NO = (
    govern.NOT
    | govern.NONE
    | frozenset("without instead rather short against yet almost nearly".split())
)
_UNTRUE = govern.UNTRUE | govern.TRUE | govern.CLEARED
_DENYING = govern.DENIALS | govern.REJECTIONS | govern.RUMOURS | govern.DISPUTES
_VERBS = (
    govern.REFUSALS | govern.REJECTIONS | govern.AVERTED | govern.ALLEGATIONS | govern.THOUGHT
    | govern.BELIEFS | govern.LIKELY | govern.PLANS | govern.TALKS
)  # fmt: skip
_RULED = frozenset("ruled rules rule".split())
_DOUBTS = (
    govern.MODALS | govern.REPORTEDLY | govern.ALLEGED | govern.CONDITIONS
    | {first for first, *_ in govern.SOON} | frozenset("had unconfirmed whether once".split())
)  # fmt: skip
_LESS = govern.FEWER | govern.EDGES | frozenset("only close within".split())
_NTHS = ("second", "third", "fourth", "fifth")
_NTH = re.compile(rf"(?:{'|'.join(_NTHS)})[- ]\w+est\b")


class Mood(Enum):
    """How something is said that is not simply stated."""

    NEGATED = "negated"
    DENIED = "denied"
    CONDITIONAL = "conditional"
    POSSIBLE = "possible"
    HEDGED = "hedged"
    ALLEGED = "alleged"
    PLANNED = "planned"
    ASKED = "asked"
    WISHED = "wished for"
    LESSENED = "lessened"


class Governed(NamedTuple):
    """A word that is said with what governs it, or not at all: their places in the sentence."""

    place: int
    governor: int
    mood: Mood


@kept
def governed(sentence: Sentence) -> tuple[Governed, ...]:
    """The governed words, in no order; a word may be governed in several ways."""
    return tuple(dict.fromkeys(_Reader(sentence).found()))


class _Reader(Conditions):
    def found(self) -> Iterator[Governed]:
        for i, readers in enumerate(map(_readers, self.keys)):
            for read in readers:
                yield from read(self, i, self.keys[i])
        yield from self._by_question()

    def _by_negation(self, i: int, word: str) -> Iterator[Governed]:
        after = self.keys[i + 1] if i + 1 < len(self.keys) else ""
        if word in govern.NOT or word.endswith("n't"):
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

    def _by_denial(self, i: int, word: str) -> Iterator[Governed]:
        """What is said not to be so: «denied taking», «it is not true that», «cleared of»."""
        verb, ahead = self.bases[i], self.keys[i + 1 : i + 5]
        untrue = word in govern.UNTRUE or (word in govern.TRUE and "not" in self.keys[i - 2 : i])
        claimed = not govern.CLAIMS.isdisjoint(self.bases[i + 1 : i + 5])
        if verb in govern.DENIALS or (verb in govern.REJECTIONS and claimed):
            places = self.denied(i + 1)
        elif verb in govern.RUMOURS and "that" in ahead:
            places = self.verbs(i + 3 + ahead.index("that"), self.end(i + 1))
        elif (verb in govern.DISPUTES or untrue) and "that" in ahead:
            places = self.denied(i + 1 + ahead.index("that"))
        elif word in govern.CLEARED:
            places = [*self.of(i + 1, ("of",), 3), *self.charges(i)]
        else:
            places = []
        for place in places:
            yield Governed(place, i, Mood.DENIED)

    def _by_verb(self, i: int, word: str) -> Iterator[Governed]:
        """What a verb keeps from being, or plans: «refused to resign», «threatens to sue»."""
        verb = self.bases[i]
        after = self.keys[i + 1] if i + 1 < len(self.keys) else ""
        places: Iterable[int]
        if word in _RULED and after == "out":
            places, mood = self.run(i + 2), Mood.NEGATED
        elif verb in govern.REFUSALS:
            found = self.infinitive(i + 1, near=4)
            places, mood = (
                (*found, *(k for each in found[:1] for k in self.thing(each))),
                Mood.NEGATED,
            )
        elif verb in govern.REJECTIONS:
            barred = (j for j in self.of(i + 1, ("from",), 1) if self.keys[j].endswith("ing"))
            places = (*self.infinitive(i + 1, near=8), *barred)
            mood = Mood.NEGATED
        elif verb in govern.AVERTED or (word.startswith("call") and after == "off"):
            places, mood = self.run(i + 2 if after == "off" else i + 1), Mood.NEGATED
        elif verb in govern.ALLEGATIONS and self.keys[i - 1 : i] != ("in",):
            places, mood = self.of(i + 1, ("of", "with"), 1), Mood.ALLEGED
        elif verb in govern.THOUGHT and after == "to":
            places, mood = self.infinitive(i + 1, near=1), Mood.ALLEGED
        elif after == "that" and (
            verb in govern.BELIEFS or (verb in govern.THOUGHT and self.keys[i - 1] in govern.BE)
        ):
            places, mood = self.verbs(i + 3, self.end(i + 2)), Mood.ALLEGED
        elif verb in govern.LIKELY and after == "to":
            places, mood = self.infinitive(i + 1, near=1), Mood.POSSIBLE
        elif verb in govern.PLANS or verb in govern.TALKS:
            near = i + 2 if after in ("on", "about", "over") else i + 1
            gerund = [j for j in self.run(near) if j == near and self.keys[j].endswith("ing")]
            asked = verb in govern.PLANS and self.keys[i - 1 : i] != ("as",)
            planned = self.infinitive(i + 1, near=5)[:1] if asked else []
            others = after != "to" and verb in govern.ASKS
            mood = Mood.WISHED if others or verb in govern.WISHES else Mood.PLANNED
            places = (*planned, *gerund)
        else:
            return
        for place in places:
            yield Governed(place, i, mood)

    def _by_less(self, i: int, word: str) -> Iterator[Governed]:
        """What there is less of, or no more, or not quite: «fewer mistakes», «ended the strike»,
        «second-lowest on record», «within a degree of zero»."""
        before, after = (self.keys[i - 1] if i else ""), self.keys[i + 1 : i + 2]
        places: Iterable[int] = ()
        if word in govern.FEWER and before not in ("a", "the", "no") and after != ("than",):
            places = (*self.heads(i + 1), *self.done_by(i))
        elif self.bases[i] in govern.ENDS and before != "to" and after and self._is_thing(i + 1):
            run = list(self.run(i + 1))
            places = run if run and self.bases[run[-1]] not in govern.NO_ENDS else ()
        elif word == "only" and before in ("", *govern.BOUNDARIES):
            modals = [j for j in range(i + 2, self.end(i)) if self.keys[j] in govern.WILL]
            places = self.heads(modals[-1] + 1) if modals else ()
        elif word.startswith(_NTHS) and _NTH.match(" ".join((word, *after))):
            places = (j for j in range(i + 1, min(i + 6, self.end(i))) if self._is_most(j))
        elif word in govern.EDGES or (word, after) == ("close", ("to",)) or self._is_near(i):
            of = "to" if word == "close" else "of"
            ahead = range(i + 1, min(i + 10, self.end(i + 1)))
            last = [j for j in ahead if self.keys[j] == of]
            given = word != "close" or self.keys[i + 2 : i + 3] == ("a",)
            places = self.run(last[-1] + 1) if last and given else ()
        for place in places:
            yield Governed(place, i, Mood.LESSENED)

    def _is_near(self, i: int) -> bool:
        """«within a few metres», not «within its walls»."""
        after = self.keys[i + 1 : i + 2]
        return self.keys[i] == "within" and (after == ("a",) or any(map(counts, after)))

    def _is_thing(self, i: int) -> bool:
        return self.says(i) or self.keys[i] in govern.DETERMINERS

    def _is_most(self, i: int) -> bool:
        return self.keys[i] == "record" or self.keys[i].endswith("est")

    def _by_claim(self, i: int, _: str) -> Iterator[Governed]:
        """What somebody says of himself that he did not do: «says that he never asked»."""
        start = i + 2 if self.keys[i + 1 : i + 2] == ("that",) else i + 1
        said = self.keys[start : start + 3]
        if not said or said[0] not in govern.SUBJECTS:
            return
        never = "never" in said[1:2] or (said[1:2] and said[1] in govern.DID and said[2] == "not")
        for place in self.heads(start + 2 if said[1] == "never" else start + 3) if never else ():
            yield Governed(place, i, Mood.ALLEGED)

    def _by_doubt(self, i: int, word: str) -> Iterator[Governed]:
        before = self.keys[i - 1] if i else ""
        after = self.keys[i + 1] if i + 1 < len(self.keys) else ""
        if self.inverted(i):
            yield from self._condition(i)
        elif word in govern.MODALS and not (word == "may" and before in govern.BEFORE_MONTHS):
            mood = Mood.POSSIBLE if word in govern.PERHAPS else Mood.HEDGED
            heads = self.heads(i + 1)
            for place in heads if mood is Mood.POSSIBLE else heads[:1]:
                yield Governed(place, i, mood)
        elif word in govern.REPORTEDLY or (
            word in govern.ALLEGED and after not in ("of", "in", "to")
        ):
            opens = word in govern.REPORTEDLY and before in ("", *govern.BOUNDARIES)
            for place in (*self.heads(i + 1), *(self.verbs(i + 2, self.end(i)) if opens else ())):
                yield Governed(place, i, Mood.ALLEGED)
        elif word == "unconfirmed" and "according" in self.keys[max(0, i - 3) : i]:
            for place in self.verbs(self.sentence(i) + 1, i):
                yield Governed(place, i, Mood.ALLEGED)
        elif word == "whether" or (word == "if" and before in govern.ASKING):
            for place in self.verbs(i + 2, self.end(i + 1)):
                yield Governed(place, i, Mood.ASKED)
        elif word in govern.CONDITIONS and before not in ("as", "even", "what"):
            yield from self._condition(i)
        elif (soon := _SOON.get((word, after))) and self.keys[i : i + len(soon)] == soon:
            yield from self._condition(i + 1)
        elif word == "once" and any(map(self.leads, range(self.start(i), i))):
            yield from self._condition(i)

    def _condition(self, i: int) -> Iterator[Governed]:
        return (Governed(place, i, Mood.CONDITIONAL) for place in self.depending(i))

    def _by_question(self) -> Iterator[Governed]:
        """What a question that wants yes or no asks, after whom it asks about."""
        for first, _ in questions(self.keys):
            thing = self.keys[first] in ("have", "has") and self.keys[first + 1] in ("a", "an")
            if thing:
                continue
            content = [i for i in range(first + 1, self.end(first + 1)) if self.says(i)]
            about = 0 if self.keys[first + 1] in govern.SUBJECTS else 1
            advised = self.keys[first + 1] in ("you", "we", "i")
            for place in content[:1] if advised else content[about:]:
                if not self.words[place][0].isupper():
                    yield Governed(place, first, Mood.ASKED)


@remembered(50_000)
def _readers(word: str) -> tuple[Callable[[_Reader, int, str], Iterator[Governed]], ...]:
    """What to ask of a word: nothing, of most."""
    verb = base(word)
    asked = (
        (_Reader._by_negation, word in _NO or word.endswith("n't")),
        (_Reader._by_denial, verb in _DENYING or word in _UNTRUE),
        (_Reader._by_verb, verb in _VERBS or word in _RULED or word.startswith("call")),
        (_Reader._by_doubt, word in _DOUBTS),
        (_Reader._by_less, word in _LESS or verb in govern.ENDS or word.startswith(_NTHS)),
        (_Reader._by_claim, verb in govern.SAYS),
    )
    return tuple(read for read, wanted in asked if wanted)
