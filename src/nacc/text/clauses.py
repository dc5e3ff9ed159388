"""Which words of a sentence are not simply stated: denied, doubted, asked, planned, conditional.

No grammar is parsed. Words that govern («not», «refused to», «may», «if») are known, and so is how
far each reaches: to the next word with content, over a clause, or to both sides of a condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.licence import WEIGHTY
from nacc.text.stem import base, porter, stem
from nacc.text.words import Sentence


class Mood(Enum):
    """How something is said that is not simply stated."""

    NEGATED = "negated"
    DENIED = "denied"
    CONDITIONAL = "conditional"
    HEDGED = "hedged"
    ALLEGED = "alleged"
    PLANNED = "planned"
    ASKED = "asked"


class Governed(NamedTuple):
    """A word that is said with what governs it, or not at all: their places in the sentence."""

    place: int
    governor: int
    mood: Mood


MOST_WORDS = 400
"""Words of a sentence that are looked at."""
BOUNDARIES = frozenset(
    ", ; : . ! ? -- – — ( ) -lrb- -rrb- \" “ ” `` '' but because although though while whereas "
    "after before since until despite amid".split()
)
BE = frozenset("be is are was were been being am 's 're".split())
_AUXILIARIES = BE | frozenset("have has had having do does did will would to get gets got".split())
_NOT = frozenset("not n't never cannot nor hardly barely scarcely rarely seldom".split())
_NONE = frozenset("no neither none nobody nothing no-one".split())
_NOT_REALLY = frozenset("only just merely least until before necessarily surprisingly".split())
_NO_NEGATION = frozenset(
    "doubt matter later fewer less more stranger secret wonder surprise better".split()
)
_MODALS = frozenset("may might could would should".split())
_CONDITIONS = frozenset("if unless provided assuming".split())
_ASKING = frozenset("asked ask asks see wonder wondered know knows unclear say said decide".split())
_REPORTEDLY = frozenset("reportedly allegedly apparently possibly supposedly purportedly".split())
_DETERMINERS = frozenset("a an the this that its his her their any no some all each new".split())
_SUBJECTS = frozenset("i you he she it we they who".split())
_ALLEGED = frozenset("alleged suspected purported".split())
_YES_OR_NO = frozenset(
    "is are was were am do does did has have had will would can could should may might must".split()
)


def _bases(words: str) -> frozenset[str]:
    return frozenset(map(base, words.split()))


_REFUSALS = _bases(
    "refuse fail failure decline unable unlikely reluctant unwilling forget neglect hesitate"
)
_DENIALS = _bases("deny denial refute disavow")
_REJECTIONS = _bases(
    "reject oppose avoid prevent stop block veto dismiss abandon resist bar keep discourage"
)
_AVERTED = _bases("cancel scrap avert foil thwart overturn quash annul")
_PLANS = _bases(
    "plan consider threaten want seek hope aim vow expect likely poised prepare intend offer "
    "propose urge ask call demand pledge promise mull weigh eye try attempt ready threat "
    "proposal warn hint contemplate bid scheduled"
)
_ALLEGATIONS = _bases("accuse suspect allege charge indict")
_CLEARED = frozenset("clears cleared acquits acquitted exonerated absolved absolves".split())
_TALKS = _bases("vote debate discuss negotiate")
_CLAIMS = _bases("claim accusation allegation report suggestion rumour rumor charge")
_THOUGHT = _bases("think believe claim report fear presume rumour rumor say appear seem allege")
_GOES_ON = _bases("expect want plan intend allow able seek try need go likely ready have agree")
_VOTES = _bases("vote decide rule advise argue")
_BEFORE_MONTHS = frozenset("in on of by since until last next early late mid this".split())
_LIGHT = _bases("take make give put pay reach much")
"""Verbs that say little without their object («did not take action»)."""


@lru_cache(512)
def governed(sentence: Sentence) -> tuple[Governed, ...]:
    """The governed words, in no order; a word may be governed in several ways."""
    return tuple(dict.fromkeys(_Reader(sentence.keys[:MOST_WORDS]).found()))


class _Reader:
    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = keys
        self.bases = [base(word) for word in keys]

    def found(self) -> Iterator[Governed]:
        for i, word in enumerate(self.keys):
            yield from self._by_negation(i, word)
            yield from self._by_verb(i)
            yield from self._by_doubt(i, word)
        yield from self._by_question()

    def _by_negation(self, i: int, word: str) -> Iterator[Governed]:
        after = self.keys[i + 1] if i + 1 < len(self.keys) else ""
        if word in _NOT or word.endswith("n't"):
            weak = after in _NOT_REALLY or (i > 0 and self.keys[i - 1] == "or")
            things = after in ("a", "an", "any", "enough")
            places = [] if weak else list(self._run(i + 1)) if things else self._heads(i + 1)
        elif word in _NONE and after in ("longer", "one"):
            places = [*self._heads(i + 2), *self._verb_of(i)]
        elif word in _NONE:
            places = [] if after in _NO_NEGATION or after == "." else list(self._noun(i + 1))
            places += self._verb_of(i) if word != "no" else []
        elif word == "without":
            places = list(self._run(i + 1))
        elif (word, after) in (("instead", "of"), ("rather", "than"), ("short", "of")):
            places = list(self._run(i + 2))[:1]
        elif word == "against" and i and self.bases[i - 1] in _VOTES:
            places = list(self._run(i + 1))[:2]
        elif (word, after) == ("yet", "to"):
            places = self._heads(i + 2)
        elif word in ("almost", "nearly"):
            places = [place for place in self._heads(i + 1) if self.bases[place] in WEIGHTY]
        else:
            places = []
        for place in places:
            yield Governed(place, i, Mood.NEGATED)

    def _by_verb(self, i: int) -> Iterator[Governed]:
        """What a verb denies or plans: «refused to resign», «denied taking», «threatens to sue»."""
        verb = self.bases[i]
        after = self.keys[i + 1] if i + 1 < len(self.keys) else ""
        places: Iterable[int]
        if verb in _DENIALS:
            places, mood = self._denied(i + 1), Mood.DENIED
        elif self.keys[i] in _CLEARED:
            places, mood = self._of(i + 1, ("of",), 3), Mood.DENIED
        elif (self.keys[i], after) in (("ruled", "out"), ("rules", "out"), ("rule", "out")):
            places, mood = self._run(i + 2), Mood.NEGATED
        elif verb in _REFUSALS:
            places, mood = self._infinitive(i + 1, near=2), Mood.NEGATED
        elif verb in _REJECTIONS and not _CLAIMS.isdisjoint(self.bases[i + 1 : i + 5]):
            places, mood = self._denied(i + 1), Mood.DENIED
        elif verb in _REJECTIONS:
            barred = (j for j in self._of(i + 1, ("from",), 1) if self.keys[j].endswith("ing"))
            places = (*self._infinitive(i + 1, near=8), *barred)
            mood = Mood.NEGATED
        elif verb in _AVERTED or (self.keys[i].startswith("call") and after == "off"):
            places, mood = self._run(i + 2 if after == "off" else i + 1), Mood.NEGATED
        elif verb in _ALLEGATIONS:
            places, mood = self._of(i + 1, ("of", "with"), 1), Mood.ALLEGED
        elif verb in _THOUGHT and after == "to":
            places, mood = self._infinitive(i + 1, near=1), Mood.ALLEGED
        elif verb in _PLANS or verb in _TALKS:
            near = i + 2 if after in ("on", "about", "over") else i + 1
            gerund = [j for j in self._run(near) if j == near and self.keys[j].endswith("ing")]
            planned = self._infinitive(i + 1, near=5) if verb in _PLANS else []
            places, mood = (*planned, *gerund), Mood.PLANNED
        else:
            return
        for place in places:
            yield Governed(place, i, mood)

    def _by_doubt(self, i: int, word: str) -> Iterator[Governed]:
        before = self.keys[i - 1] if i else ""
        after = self.keys[i + 1] if i + 1 < len(self.keys) else ""
        if word in _MODALS and not (word == "may" and before in _BEFORE_MONTHS):
            for place in self._heads(i + 1):
                yield Governed(place, i, Mood.HEDGED)
        elif word in _REPORTEDLY or (word in _ALLEGED and after not in ("of", "in", "to")):
            for place in self._heads(i + 1):
                yield Governed(place, i, Mood.ALLEGED)
        elif word == "whether" or (word == "if" and before in _ASKING):
            for place in self._verbs(i + 2, self._end(i + 1)):
                yield Governed(place, i, Mood.ASKED)
        elif word in _CONDITIONS and before not in ("as", "even", "what", "only"):
            yield from self._condition(i)

    def _condition(self, i: int) -> Iterator[Governed]:
        end = self._end(i + 1)
        for place in self._verbs(i + 2, end):
            yield Governed(place, i, Mood.CONDITIONAL)
        opens = i == 0 or self.keys[i - 1] in BOUNDARIES or self.keys[i - 1] in ("that", "and")
        if opens and end < len(self.keys) and self.keys[end] == ",":
            consequence = range(end + 1, len(self.keys))
        else:
            consequence = range(self._start(i), i)
        for j in consequence:
            if self.keys[j] in _MODALS or self.keys[j] in ("will", "'ll", "can", "must"):
                for place in self._heads(j + 1):
                    yield Governed(place, i, Mood.CONDITIONAL)

    def _by_question(self) -> Iterator[Governed]:
        """What a question that wants yes or no asks, after whom it asks about."""
        if "?" not in self.keys[-2:]:
            return
        first = next((i for i, word in enumerate(self.keys) if word[:1].isalnum()), 0)
        about = self.keys[first + 1 : first + 2]
        if self.keys[first] not in _YES_OR_NO or about in (("you",), ("we",), ("i",)):
            return
        content = [i for i in range(first + 1, self._end(first + 1)) if self._says(i)]
        for place in content[1:]:
            yield Governed(place, first, Mood.ASKED)

    def _says(self, i: int) -> bool:
        word = self.keys[i]
        return word not in FUNCTION_WORDS and word[:1].isalpha()

    def _start(self, i: int) -> int:
        """Where the clause begins that reaches up to place i."""
        return next((j + 1 for j in range(i - 1, -1, -1) if self.keys[j] in BOUNDARIES), 0)

    def _end(self, i: int) -> int:
        """Where the clause ends that place i is in."""
        last = len(self.keys)
        return next((j for j in range(i, last) if self.keys[j] in BOUNDARIES), last)

    def _heads(self, i: int) -> list[int]:
        """The next word with content, and what it leads on to («not expected to resign»)."""
        found: list[int] = []
        for j in range(i, min(i + 5, self._end(i))):
            if self._says(j) and not (self.keys[j].endswith("ly") and len(self.keys[j]) > 4):
                found.append(j)
                if self.bases[j] in _GOES_ON:
                    found += self._infinitive(j + 1, near=2)
                elif self.bases[j] in _LIGHT:
                    found += [*self._run(j + 1), *self._infinitive(j + 1, near=4)]
                break
        return found

    def _run(self, i: int) -> Iterator[int]:
        """The next words with content, up to a small word after them; at most three."""
        begun = 0
        for j in range(i, min(i + 6, self._end(i))):
            if self._says(j):
                yield j
                begun += 1
            if begun and (begun == 3 or not self._says(j)):
                return

    def _noun(self, i: int) -> Iterator[int]:
        """What «no» denies: the noun, and the verb it is the subject of («no arrests made»)."""
        for j in range(i, min(i + 7, self._end(i))):
            if self._says(j):
                yield j
            elif self.keys[j] not in _AUXILIARIES and not (j == i and self.keys[j] == "of"):
                if self.keys[j] in ("the", "them", "its", "their", "his") and j <= i + 1:
                    continue
                return

    def _verb_of(self, i: int) -> list[int]:
        """The verb whose object nobody or nothing is («killed no one»)."""
        object_ = i > 0 and self._says(i - 1) and self.keys[i] != "neither"
        return [i - 1] if object_ and self.keys[i + 1 : i + 2] != ("longer",) else []

    def _infinitive(self, i: int, near: int) -> list[int]:
        """The verb of a «to» not far off."""
        end = min(i + near, self._end(i), len(self.keys) - 1)
        for j in range(i, end):
            if self.keys[j] == "to":
                return [k for k in range(j + 1, min(j + 4, len(self.keys))) if self._says(k)][:1]
        return []

    def _denied(self, i: int) -> list[int]:
        return [*list(self._run(i))[:2], *self._verbs(i, self._end(i))]

    def _of(self, i: int, prepositions: tuple[str, ...], most: int) -> list[int]:
        """«accused of taking», «cleared him of fraud»: what follows the preposition."""
        for j in range(i, min(i + 6, self._end(i), len(self.keys) - 1)):
            if self.keys[j] in prepositions:
                return list(self._run(j + 1))[:most]
        return []

    def _verbs(self, start: int, end: int) -> list[int]:
        """Likely verbs: words that weigh, that stand after an auxiliary or «to» or after the
        subject, and past forms."""
        found = []
        for j in range(start, end):
            before, word = self.keys[j - 1], self.keys[j]
            led = before in _AUXILIARIES or before in _MODALS
            past = word.endswith("ed") or (stem(word) != porter(word) and not word.endswith("s"))
            third = word.endswith("s") and j <= start + 2 and self._says(j - 1)
            first = j == start and (before in _SUBJECTS or before.endswith("s"))
            verbal = led or third or first or (past and before not in _DETERMINERS)
            if self._says(j) and (verbal or self.bases[j] in WEIGHTY):
                found.append(j)
        return found
