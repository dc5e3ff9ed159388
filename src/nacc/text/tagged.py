"""The words of a sentence, and which of them are verbs, as far as that shows without a grammar."""

from __future__ import annotations

from typing import Literal

from nacc.text import govern
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.memory import remembered
from nacc.text.numbers import counts, is_number
from nacc.text.stem import base, porter
from nacc.text.verbs import SAME_FORM, VERBS
from nacc.text.walk import MOST_WORDS
from nacc.text.words import Sentence

DETERMINERS = govern.DETERMINERS | frozenset(
    "our your my these those both every another several more most many few least than about "
    "nearly almost around".split()
)
_BEFORE_NOUNS = DETERMINERS - {"that"}
PREPOSITIONS = frozenset(
    "of in on at by for from to with without within into onto upon about above across against "
    "along amid among around behind below beneath beside between beyond despite down during except "
    "inside near off out outside over past per through throughout toward towards under via "
    "versus vs until since after before up as than like".split()
)
PRONOUNS = frozenset("i you he she it we they there this those these others one".split())
LEADS = (govern.AUXILIARIES | govern.WILL | {"'ve", "'d"}) - {"get", "got", "gets"}
_REMEMBERED = 50_000  # words
_BESIDE = frozenset("to help not n't never".split())
_HAVE = frozenset("have has had having".split())
_PLURAL = frozenset("men women children people feet teeth media data wives lives".split())
_NO_VERBS = frozenset(
    "hundred united red bed need seed speed feed weed best least most more less better further "
    "wound mohammed mohamed ahmed alfred fred".split()
)
_BEFORE_GERUNDS = frozenset(", and after before while by of for without in from".split())
_TIMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april june "
    "july august september october november december today yesterday tomorrow week month year "
    "last next early late midnight noon morning afternoon evening night".split()
)
_ADVERBS = frozenset(
    "now also then still already here there just almost soon again too even ever once twice "
    "today yesterday tomorrow later earlier only \" “ ” `` '' ' ’ ‘".split()
)


def _is_irregular(word: str) -> bool:
    """Whether a word has a form of its own, as verbs do: «won»."""
    if word.endswith(("s", "er", "est", "ion")) or word in _PLURAL:
        return False
    return base(word) not in (porter(word), porter(porter(word)))


def _is_third(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _is_known(word: str) -> bool:
    return base(word) in VERBS and not word.endswith("ing")


Form = Literal["none", "plain", "ed", "irregular", "ing", "present"]
"""What shows in a word of its being a verb; of a plain one nothing, of some that they never are."""


@remembered(_REMEMBERED)
def _form(word: str) -> Form:
    if len(word) < 3 or not word.isalpha() or word in FUNCTION_WORDS or word in _NO_VERBS:
        return "none"
    kinds: tuple[tuple[Form, bool], ...] = (
        ("ed", word.endswith("ed")),
        ("irregular", _is_irregular(word)),
        ("ing", word.endswith("ing") and len(word) > 5),
        ("present", _is_known(word) or _is_third(word)),
    )
    return next((form for form, fits in kinds if fits), "plain")


@remembered(_REMEMBERED)
def _may_lead(word: str) -> bool:
    """Whether a verb may follow for its sake, or for the sake of what is before it."""
    return word in LEADS or word in govern.BE or word in _BESIDE or is_adverb(word)


@remembered(_REMEMBERED)
def has_content(word: str) -> bool:
    """Whether a word has content, or counts."""
    return word not in FUNCTION_WORDS and (word[:1].isalnum() or is_number(word))


@remembered(_REMEMBERED)
def is_adverb(word: str) -> bool:
    """Whether a word stands beside what is told: an adverb, or a quotation mark."""
    return word in _ADVERBS or word.endswith("ly")


@remembered(_REMEMBERED)
def is_time(word: str) -> bool:
    """Whether a word tells when: a day, a month, a year."""
    return word in _TIMES or (len(word) == 4 and (word.isdigit() or word == "####"))


class Tagged:
    """A sentence's words by their places; `places`: those of each base; `verbs`: which are."""

    def __init__(self, sentence: Sentence) -> None:
        self.keys = sentence.keys[:MOST_WORDS]
        self.words = sentence.words[:MOST_WORDS]
        self.bases = sentence.bases[:MOST_WORDS]
        self._content = list(map(has_content, self.keys))
        self.places: dict[str, list[int]] = {}
        for i, each in enumerate(self.bases):
            self.places.setdefault(each, []).append(i)
        forms, leads = map(_form, self.keys), (False, *map(_may_lead, self.keys))
        self.verbs = [
            form != "none" and (led or form != "plain") and self._is_verb(i, form, led)
            for i, (form, led) in enumerate(zip(forms, leads, strict=False))
        ]

    def verb_before(self, i: int) -> int:
        """The last verb before a place; -1 for none."""
        return next((j for j in range(i - 1, -1, -1) if self.verbs[j]), -1)

    def says(self, i: int) -> bool:
        """Whether a word has content, or counts."""
        return self._content[i]

    def key(self, i: int) -> str:
        return self.keys[i] if 0 <= i < len(self.keys) else ""

    def names(self, i: int) -> bool:
        """Whether it may be a noun or a name."""
        return self.says(i) and not is_adverb(self.keys[i])

    def _is_verb(self, i: int, form: Form, led: bool) -> bool:
        """Whether a word is a verb here that may be one by its form; led: or for the sake of what
        is before it."""
        if i > 0 and self.words[i][0].isupper():
            return False
        led = led and self._led(i)
        if led or form == "plain":
            return led
        before, after = self.key(i - 1), self.key(i + 1)
        ahead = after not in FUNCTION_WORDS and after[:1].isalnum()
        kind = not i or before in DETERMINERS or before in PREPOSITIONS or counts(before)
        if form == "ed":
            return not (kind and ahead) and before not in ("the", "a", "an")
        if form == "irregular":
            return before not in _BEFORE_NOUNS and not (kind and ahead)
        if form == "ing":
            leads_on = after in DETERMINERS or after in PRONOUNS or ahead
            return before in _BEFORE_GERUNDS and leads_on
        return self._is_present(i, before, after)

    def _is_present(self, i: int, before: str, after: str) -> bool:
        known, third = _is_known(self.keys[i]), _is_third(self.keys[i])
        relative = before == "that" and i > 1 and self.names(i - 2)
        if relative:  # «a fungus that feeds on», not «on Monday that troops left»
            told = after.endswith("ed") or after in LEADS or is_time(self.keys[i - 2])
            return (known or third) and not told
        if before in PRONOUNS or before in ("who", "which"):
            return known or third
        leads_on = after in govern.DETERMINERS or after in ("to", "your", "my", "our")
        return known and third and leads_on and i > 0 and self.names(i - 1)

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
                return irregular or word.endswith(("ed", "ing", "en")) or word in SAME_FORM
            if lead in LEADS:
                return not is_adverb(word) and (
                    lead not in _HAVE or irregular or word.endswith("ed")
                )
            helps = lead == "help" and self.bases[i] in VERBS
            if not (is_adverb(lead) or lead in ("not", "n't", "never") or helps):
                return False
        return False
