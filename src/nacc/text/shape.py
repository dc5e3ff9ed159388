"""The shape of a sentence, as far as it shows without a grammar: which of its words are verbs, whom
each may be said of, and what it is done to. Where that is not clear, more words may be."""

from __future__ import annotations

from functools import lru_cache

from nacc.text import govern
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.numbers import NUMERALS, SCALES, is_number
from nacc.text.stem import base, porter
from nacc.text.verbs import LIGHT, SAYING, VERBS
from nacc.text.walk import MOST_WORDS
from nacc.text.words import Sentence

DETERMINERS = govern.DETERMINERS | frozenset(
    "our your my these those both every another several more most many few least than about "
    "nearly almost around".split()
)
PREPOSITIONS = frozenset(
    "of in on at by for from to with without within into onto upon about above across against "
    "along amid among around behind below beneath beside between beyond despite down during except "
    "inside near off out outside over past per through throughout toward towards under via "
    "versus vs until since after before up as than like".split()
)
CLAUSES = frozenset(
    "that if unless because although though while whereas when where after before since until as "
    "whether why how but".split()
)
"""These may begin a clause with a subject of its own."""
STOPS = frozenset("; : . ! ? -- – —".split())
PRONOUNS = frozenset("i you he she it we they there this those these others one".split())
_SOMEONE = frozenset("he she it they".split())
_STANDS_FOR = frozenset("it them him her this these those one".split())
_ASIDE = 25
"""How many words may be said of a subject before its verb."""
_GENERIC = frozenset(
    "company firm group bank club country city agency team party ministry government union airline "
    "carmaker automaker maker retailer lender board administration body state couple two pair "
    "organisation organization".split()
)
_LEADS = (govern.AUXILIARIES | govern.WILL | {"'ve", "'d"}) - {"get", "got", "gets"}
_HAVE = frozenset("have has had having".split())
_PLURAL = frozenset("men women children people feet teeth media data wives lives".split())
_NO_VERBS = frozenset(
    "hundred united red bed need seed speed feed weed best least most more less better further "
    "wound".split()
)
_BEFORE_GERUNDS = frozenset(", and after before while by of for without in from".split())
_ENDS_OBJECT = frozenset("which who because if but while".split())
_RELATIVE = frozenset("which who whose".split())
_NEW_THING = frozenset("a an the ,".split())
_NEUTRAL = frozenset("than about up".split())
"""Before a number, these are no prepositions."""
_TIMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april june "
    "july august september october november december today yesterday tomorrow week month year "
    "last next early late midnight noon morning afternoon evening night".split()
)
_ADVERBS = frozenset(
    "now also then still already here there just almost soon again too even ever once twice "
    "today yesterday tomorrow later earlier only \" “ ” `` '' ' ’ ‘".split()
)


def is_adverb(word: str) -> bool:
    """Whether a word stands beside what is told: an adverb, or a quotation mark."""
    return word in _ADVERBS or word.endswith("ly")


def is_time(word: str) -> bool:
    """Whether a word tells when: a day, a month, a year."""
    return word in _TIMES or (len(word) == 4 and (word.isdigit() or word == "####"))


def counts(word: str) -> bool:
    """Whether a word is a number, in figures or letters."""
    return is_number(word) or word in NUMERALS


@lru_cache(512)
def shape(sentence: Sentence) -> Shape:
    """The shape of a sentence, looked at once."""
    return Shape(sentence)


class Shape:
    """A sentence's words by their places; `places`: those of each base."""

    def __init__(self, sentence: Sentence) -> None:
        self.keys = sentence.keys[:MOST_WORDS]
        self.words = sentence.words[:MOST_WORDS]
        self.bases = [base(word) for word in self.keys]
        self.places: dict[str, list[int]] = {}
        for i, each in enumerate(self.bases):
            self.places.setdefault(each, []).append(i)
        self.verbs = [self._is_verb(i) for i in range(len(self.keys))]
        self._last_verb = self._last(self.verbs)

    @staticmethod
    def _last(flags: list[bool]) -> list[int]:
        """For each place, the last one before it that has the flag; -1 for none."""
        found, last = [], -1
        for i, flag in enumerate(flags):
            found.append(last)
            last = i if flag else last
        return found

    def verb_before(self, i: int) -> int:
        """The last verb before a place; -1 for none."""
        return self._last_verb[i]

    def says(self, i: int) -> bool:
        """Whether a word has content, or counts."""
        return self.keys[i] not in FUNCTION_WORDS and self.keys[i][:1].isalnum()

    def subjects(self, verb: int) -> frozenset[str]:
        """The bases of the words that a verb may be said of. A pronoun may stand for any word
        before it; of «to reach», what leads to it may be said too."""
        start = self._beginning(verb)
        if self._key(verb - 1) == "to" and verb > 1:
            leads = self.verb_before(verb)
            start = min(start, self._beginning(leads)) if leads == verb - 2 else 0
        refers = any(self._refers(i) for i in range(start, verb))
        start = 0 if refers else start
        done = next((i for i in range(verb + 1, verb + 5) if self._key(i) == "by"), len(self.keys))
        by = range(done + 1, min(done + 8, len(self.keys)))
        aside = range(start, verb) if not refers else ()
        end = next((i for i in aside if self._is_aside(i, verb)), verb)
        return frozenset(self.bases[i] for i in (*range(start, end), *by) if self.says(i))

    def objects(self, verb: int) -> frozenset[str]:
        """The bases of what a verb is done to: what follows it without a preposition, or with one
        that comes at once, or after «of» where that changes little («a team of engineers»)."""
        found: set[str] = set()
        at_once, ruled = True, False
        for j in range(verb + 1, len(self.keys)):
            word, before = self.keys[j], self.keys[j - 1]
            claimed = self.bases[j - 1] in govern.CLAIMS  # «denied reports that troops …»
            if word in STOPS or word in _ENDS_OBJECT or (word == "that" and found and not claimed):
                break
            if word == "of" and not at_once:
                ruled = ruled or not (self.bases[j - 1] in LIGHT or counts(before))
            elif word in PREPOSITIONS and word not in _NEUTRAL:
                ruled = not at_once and not (word == "in" and before in SCALES)
            elif is_time(before) or (word in _NEW_THING and before not in PREPOSITIONS):
                ruled = False
            if self.says(j):
                at_once = at_once and (is_time(word) or is_adverb(word))
                found |= set() if ruled or is_time(word) else {self.bases[j]}
        return frozenset(found)

    def is_done_to_it(self, verb: int) -> bool:
        """Whether a pronoun tells what a verb is done to: anything, then."""
        return self._key(verb + 1) in _STANDS_FOR

    def is_passive(self, verb: int) -> bool:
        led = not govern.BE.isdisjoint(self.keys[max(0, verb - 3) : verb])
        return led and not self.keys[verb].endswith("ing")

    def opens(self, i: int) -> bool:
        """Whether a clause opens here that is not about the word before it."""
        word = self.keys[i]
        if word in ("that", "where", "as"):
            return word == "that" and self._breaks(i)
        if word in CLAUSES or word in STOPS or word in _SOMEONE:
            return True
        gerund = i + 1 < len(self.keys) and self.verbs[i + 1] and self.keys[i + 1].endswith("ing")
        return gerund and (word in PREPOSITIONS or word == ",")

    def ruled_by(self, i: int) -> int:
        """The preposition right before the thing at a place, with what belongs to it; -1: none."""
        for j in range(i - 1, max(-1, i - 7), -1):
            bound = self.keys[j + 1] == "least" or self.keys[j] in _NEUTRAL
            if self.keys[j] in PREPOSITIONS and not bound:
                return j
            if self.verbs[j] or self.keys[j] in STOPS or self.keys[j] in (",", "and"):
                break
        return -1

    def _refers(self, i: int) -> bool:
        """Whether a word stands for what was named before: «it», «the company», «his country»."""
        known = self.keys[i] in govern.DETERMINERS - {"a", "an"}
        return self.keys[i] in PRONOUNS or (known and self._key(i + 1) in _GENERIC)

    def _key(self, i: int) -> str:
        return self.keys[i] if 0 <= i < len(self.keys) else ""

    def _names(self, i: int) -> bool:
        """Whether it may be a noun or a name."""
        return self.says(i) and not is_adverb(self.keys[i])

    def _is_verb(self, i: int) -> bool:
        word, before, after = self.keys[i], self._key(i - 1), self._key(i + 1)
        named = i > 0 and self.words[i][0].isupper()
        if len(word) < 3 or not word.isalpha() or word in FUNCTION_WORDS or named:
            return False
        if word in _NO_VERBS or self._led(i):
            return word not in _NO_VERBS
        ahead = after not in FUNCTION_WORDS and after[:1].isalnum()
        kind = not i or before in DETERMINERS or before in PREPOSITIONS or counts(before)
        irregular = base(word) not in (porter(word), porter(porter(word)))
        if word.endswith("ed"):
            return not (kind and ahead) and before not in ("the", "a", "an")
        if irregular and not word.endswith(("s", "er", "est")) and word not in _PLURAL:
            return before not in DETERMINERS - {"that"} and not (kind and ahead)
        if word.endswith("ing") and len(word) > 5:
            leads_on = after in DETERMINERS or after in PRONOUNS or ahead
            return before in _BEFORE_GERUNDS and leads_on
        return self._is_present(i, before, after)

    def _is_present(self, i: int, before: str, after: str) -> bool:
        word = self.keys[i]
        third = word.endswith("s") and not word.endswith(("ss", "us", "is"))
        known = self.bases[i] in VERBS and not word.endswith("ing")
        relative = before == "that" and i > 1 and self._names(i - 2)
        if relative:  # «a fungus that feeds on», not «on Monday that troops left»
            told = after.endswith("ed") or after in _LEADS or is_time(self.keys[i - 2])
            return (known or third) and not told
        if before in PRONOUNS or before in ("who", "which"):
            return known or third
        leads_on = after in govern.DETERMINERS or after == "to"
        return known and third and leads_on and i > 0 and self._names(i - 1)

    def _led(self, i: int) -> bool:
        """Whether an auxiliary leads it: «will now leave», «to reach»."""
        word = self.keys[i]
        irregular = self.bases[i] != porter(word)
        for j in range(i - 1, max(-1, i - 4), -1):
            lead = self.keys[j]
            if lead == "to":
                near = j == i - 1 or self.keys[i - 1] == "help"
                return near and self.bases[i] in VERBS and not word.endswith(("ed", "ing"))
            if lead in govern.BE:
                return irregular or word.endswith(("ed", "ing", "en"))
            if lead in _LEADS:
                return not is_adverb(word) and (
                    lead not in _HAVE or irregular or word.endswith("ed")
                )
            helps = lead == "help" and self.bases[i] in VERBS
            if not (is_adverb(lead) or lead in ("not", "n't", "never") or helps):
                return False
        return False

    def _beginning(self, verb: int) -> int:
        """Where the words begin of which a verb may be said: after the last break that leaves any
        of them; right after a comma, all before it may be."""
        if any(self._is_aside(j, verb) for j in range(max(0, verb - _ASIDE), verb - 1)):
            return 0
        subject = False
        for j in range(verb - 1, -1, -1):
            word = self.keys[j]
            if subject and self._breaks(j):
                return j + 1
            controlled = word in CLAUSES and self.keys[j + 1].endswith("ing")
            if not subject and (word in (",", "and") or word in STOPS or controlled):
                return 0
            noun = self._names(j) and not self.verbs[j] and not is_time(word)
            subject = subject or noun or word in PRONOUNS
        return 0

    def _is_aside(self, j: int, verb: int) -> bool:
        """Whether «who» or «that» at a place begins what is said of a subject before its verb:
        «a woman who fell ill after a flight has died»."""
        relative = self.keys[j] in ("who", "which") or (
            self.keys[j] == "that" and self.verbs[j + 1]
        )
        between = range(j + 1, verb)
        parted = any(
            self.keys[k] == "," or (self.keys[k] == "that" and self._breaks(k)) for k in between
        )
        return relative and self.verb_before(verb) > j and not parted

    def _breaks(self, j: int) -> bool:
        """Whether a clause with a subject of its own begins after this place."""
        word, after = self.keys[j], self._key(j + 1)
        if word in STOPS:
            return True
        if word == "that":  # not «a fungus that feeds»
            return after not in _LEADS and not (after and self.verbs[j + 1])
        if word == "as":  # not «given as a spray»
            return j > 0 and not self.verbs[j - 1] and self.keys[j - 1] != ","
        if word in CLAUSES:
            return not is_time(after)
        if word in (",", "and"):
            start = next((i + 1 for i in range(j - 1, -1, -1) if self.keys[i] in STOPS), 0)
            told = self.keys[start] in CLAUSES or self.verb_before(j) >= start
            aside = after in _RELATIVE or (after != "" and self.verbs[j + 1])
            begins = after in DETERMINERS or after in PRONOUNS
            return told and (begins if word == "and" else not aside)
        return self.verbs[j] and self.bases[j] in SAYING and after != "to"
