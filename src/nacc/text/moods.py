"""What an answer states that its source does not simply state: rules over words, no grammar.

A word that the source denies, doubts, asks, plans or makes depend on something is said with what
governs it or not at all; and nothing is denied that the source does not deny.
"""

from __future__ import annotations

from collections.abc import Sequence

from nacc.text.clauses import governed
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.govern import (
    ALLEGED,
    BEFORE_MONTHS,
    EDGES,
    IMPROBABLE,
    INVERTED,
    SAYS,
    TALKS,
    Governed,
    Mood,
)
from nacc.text.hedges import LESS, LESSER, LICENCES, UNDONE
from nacc.text.kin import KIN
from nacc.text.licence import WEIGHTY
from nacc.text.memory import kept, remembered
from nacc.text.questions import AUXILIARIES, asks
from nacc.text.shape import shape
from nacc.text.stem import base, bases_of
from nacc.text.tagged import has_content
from nacc.text.verbs import VERBS
from nacc.text.walk import Walk
from nacc.text.words import Sentence

_NO = frozenset("not n't never no without neither nor none nobody nothing cannot hardly".split())
_NEGATIONS = frozenset("no not never none nobody".split())
_WHEN = bases_of("until once when")
"""Words of a condition that a sentence may have elsewhere: «postponed until Wednesday»."""
_UNREAL = UNDONE | {"would"}
"""What another clause says of what is so then makes nothing of the condition less sure."""
_ASKING = frozenset("whether if may might question ask debate doubt unclear".split())
_BEFORE_MAY = BEFORE_MONTHS | frozenset("from beyond through to before after".split())
_WHOLE = {
    "soon": "soon as", "long": "long as", "case": "in case", "condition": "on condition",
}  # fmt: skip
"""Conditions of which one word is none."""
_SAY = base("say")
_NOT_SO = UNDONE | bases_of("eye")
"""Of the source's own, these say nothing of what it asks or thinks possible: «missing hiker»."""
_SIGNS_OF_DOUBT = frozenset("suspected \" “ ‘ '".split())
_HELD = bases_of("arrest hold held custody detain hunt")
_NOTHING: frozenset[str] = frozenset()
_STANDS_FOR = {w: KIN.get(w, _NOTHING) | WEIGHTY.get(w, _NOTHING) for w in KIN.keys() | WEIGHTY}
"""What a word may mean, by its base."""
_NAMED = ("ion", "ions", "ment", "ments", "meeting", "meetings")
"""Endings of nouns: «protections» states nothing that «intended to protect» does not."""
_FIRM = frozenset(Mood) - {Mood.HEDGED, Mood.PLANNED, Mood.ASKED}
"""Moods for which «to» is no licence."""
_NOT_UNDONE = frozenset({Mood.ALLEGED, Mood.PARTLY, Mood.EXCEPTED, Mood.COMPARED})
"""Moods that a denial says nothing of."""


def ungoverned(sentence: Sentence, said: Sequence[str]) -> str | None:
    """A word said without what governs it in the source."""
    rules = _governed_bases(sentence)
    if not rules:
        return None
    bases = list(map(base, said))
    for at, word in enumerate(bases):
        for rule in _rules_for(word, rules, sentence):
            if not _licensed(rule, at, said, bases, sentence):
                governor = sentence.words[rule.governor]
                return f"{said[at]!r} without {governor!r} ({rule.mood.value})"
    return None


def denied(sentence: Sentence, said: Sequence[str]) -> str | None:
    """What is denied that the source does not deny: «no couple to sell», of one that will sell."""
    if not any(map(_negates, said)):
        return None
    places = [i for i, word in enumerate(said) if _negates(word)]
    known, denied = _denials(sentence)
    if len(places) > max(1, sum(map(_negates, sentence.keys))):
        return "denied twice"
    for i in places:
        ahead = [base(word) for word in said[i + 1 : i + 5] if word not in FUNCTION_WORDS]
        told = ahead and ahead[0] in _source_bases(sentence)
        if denied.isdisjoint(ahead) and (told or not known):
            return f"{said[i]!r} of what is not denied"
    return None


@remembered(50_000)
def _negates(word: str) -> bool:
    return word in _NEGATIONS or word.endswith("n't")


@kept
def _denials(sentence: Sentence) -> tuple[bool, frozenset[str]]:
    """Whether anything is denied in a sentence, and the bases of what is, or stands close by."""
    keys, bases = sentence.keys, _source_bases(sentence)
    moods = (Mood.NEGATED, Mood.DENIED, Mood.LESSENED)
    denied = {base(keys[rule.place]) for rule in governed(sentence) if rule.mood in moods}
    for i, word in enumerate(keys):
        if _negates(word):
            end = next((j for j in range(i + 1, len(keys)) if keys[j] == ","), len(keys))
            undone = keys[i + 1 : i + 2] and keys[i + 1] in IMPROBABLE | {"ruled"}
            end = min(end, i + 2 if undone else i + 7)
            denied |= {base(each) for each in keys[i + 1 : end]}
    known = not _NO.isdisjoint(keys) or not (UNDONE | LESS).isdisjoint(bases)
    return known, frozenset(denied)


def assured(sentence: Sentence, said: Sequence[str]) -> str | None:
    """Something new said of what depends on a condition, and nothing of what does not."""
    rules = [rule for rule in governed(sentence) if rule.mood is Mood.CONDITIONAL]
    if not rules:
        return None
    bases = {base(word) for word in said}
    governors = {base(sentence.keys[rule.governor]) for rule in rules}
    if not bases.isdisjoint(governors | LICENCES[Mood.CONDITIONAL] - _WHEN):
        return None
    verbs, places = shape(sentence).verbs, {rule.place for rule in rules}
    stated = {base(sentence.keys[i]) for i, verb in enumerate(verbs) if verb and i not in places}
    if not bases.isdisjoint(stated - SAYS):  # that somebody says so makes it no surer
        return None
    known = _source_bases(sentence)
    content = [word for word in said if word not in FUNCTION_WORDS and word.isalpha()]
    new = next((word for word in content if base(word) not in known), None)
    return f"{new!r} without {sentence.words[rules[0].governor]!r} (conditional)" if new else None


@kept
def _governed_bases(sentence: Sentence) -> dict[str, list[Governed]]:
    """The governed words by their bases, but for those that are also said otherwise."""
    found: dict[str, list[Governed]] = {}
    bases = sentence.bases
    for rule in governed(sentence):
        found.setdefault(bases[rule.place], []).append(rule)
    return {
        word: rules
        for word, rules in found.items()
        if bases.count(word) == len({rule.place for rule in rules})
    }


def _rules_for(
    word: str, rules: dict[str, list[Governed]], sentence: Sentence
) -> Sequence[Governed]:
    """What governs a word, or all that it may stand for."""
    if word in rules:
        return rules[word]
    known = _source_bases(sentence)
    if word not in _STANDS_FOR or word in known:
        return ()
    meant = known & _STANDS_FOR[word]
    if not meant <= rules.keys():
        return ()
    found = (rule for each in meant for rule in rules[each])
    return [rule for rule in found if rule.mood not in (Mood.PLANNED, Mood.HEDGED)]


@kept
def _source_bases(sentence: Sentence) -> frozenset[str]:
    return frozenset(sentence.bases)


def _is_no_sign(said: Sequence[str], i: int) -> bool:
    """Whether a word only looks like one that doubts: «to», the month of May, «over hail»,
    «…, captain warns»."""
    month = said[i] == "may" and i > 0 and said[i - 1] in _BEFORE_MAY
    over = said[i] == "over" and i + 1 < len(said) and has_content(said[i + 1])
    tag = said[i] in ("warns", "warned") and i + 1 == len(said) and "," in said
    return said[i] == "to" or month or over or tag


def _licensed(
    rule: Governed, at: int, said: Sequence[str], bases: Sequence[str], sentence: Sentence
) -> bool:
    named = said[at].endswith(_NAMED) and rule.mood not in (Mood.NEGATED, Mood.DENIED)
    if "?" in said or (named and said[at] != sentence.keys[rule.place]):
        return True
    if rule.mood is Mood.ASKED and any(
        word in TALKS and said[i + 1 : i + 2] == ["on"] for i, word in enumerate(bases)
    ):
        return True  # «vote on sale»
    if rule.mood is Mood.ASKED and sentence.keys[rule.governor] in AUXILIARIES:
        return asks(sentence, said) is not None or not _ASKING.isdisjoint(bases)
    governor = sentence.keys[rule.governor]
    whole = _WHOLE.get(governor, "said to" if _is_hearsay(rule, sentence) else "")
    inverted = rule.mood is Mood.CONDITIONAL and governor in INVERTED
    shown = base(governor) in bases and whole in " ".join(said)
    if shown and not (inverted and not _is_inverted(governor, said, sentence)):
        return True
    near = said if governor == "neither" else said[: at + 2]
    if rule.mood not in _NOT_UNDONE and _denies(rule, near, sentence):
        return True
    if rule.mood is Mood.ALLEGED and governor not in ALLEGED:  # «arrested for», of charges
        held = not _HELD.isdisjoint(base(w) for w in said if not w.startswith("detainee"))
    else:
        held = rule.mood is Mood.ALLEGED and not _SIGNS_OF_DOUBT.isdisjoint(said)
    others = {word for i, word in enumerate(bases) if i != at and not _is_no_sign(said, i)}
    others -= _no_licence(rule, sentence)
    soon = rule.mood not in _FIRM or governor in EDGES
    led = "to" in said[max(0, at - 3) : at] and soon
    decided = rule.mood is Mood.ASKED and at > 1 and bases[at - 2] in TALKS  # «vote to sell»
    licences = LICENCES[rule.mood]
    if Mood.COMPARED in _moods(rule, sentence):
        licences |= LESSER
    return held or (led and not decided) or not licences.isdisjoint(others)


def _moods(rule: Governed, sentence: Sentence) -> set[Mood]:
    """All the ways in which a word is governed."""
    return {each.mood for each in governed(sentence) if each.place == rule.place}


def _is_inverted(governor: str, said: Sequence[str], sentence: Sentence) -> bool:
    """Whether it stands before whom it is said of, not before the verb: «should it rain»."""
    at = said.index(governor) + 1 if governor in said else len(said)
    return at < len(said) and base(said[at]) not in VERBS | _governed_bases(sentence).keys()


def _no_licence(rule: Governed, sentence: Sentence) -> frozenset[str] | set[str]:
    """The bases of the source's own words that say nothing of the governed one."""
    if rule.mood is Mood.NEGATED:  # what comes later does not undo it
        return {base(word) for word in sentence.keys[rule.place :]}
    if rule.mood in (Mood.ASKED, Mood.POSSIBLE):
        says = {_SAY} - {*sentence.bases[rule.place :]} if "no" not in sentence.keys else _NOTHING
        return (_NOT_SO | says) & _source_bases(sentence)
    own = base(sentence.keys[rule.governor]) == _SAY and not _is_hearsay(rule, sentence)
    if rule.mood is Mood.ALLEGED and not own:
        return _source_bases(sentence) & {_SAY}  # «is thought to have left, police say»
    if rule.mood is Mood.CONDITIONAL:
        turned = {sentence.keys[rule.governor]} & INVERTED
        soon = _WHEN & _source_bases(sentence)
        return turned | soon | (_UNREAL & _elsewhere(sentence, rule.place))
    return _NOTHING


def _is_hearsay(rule: Governed, sentence: Sentence) -> bool:
    """«is said to be»: whoever says so is not named."""
    return sentence.keys[rule.governor : rule.governor + 2] == ("said", "to")


def _denies(rule: Governed, said: Sequence[str], sentence: Sentence) -> bool:
    """Whether a word is said to be not so; of what is not denied, by a word that is not the
    source's: «sent home without pay» says nothing of the «if», nor does «won't close» of the
    «unless» that it will not be closed."""
    same = (Mood.NEGATED, Mood.DENIED, Mood.LESSENED)
    if rule.mood is Mood.CONDITIONAL and not _moods(rule, sentence).isdisjoint(same):
        return False
    own = () if rule.mood in same else sentence.keys
    return any((word in _NO or word.endswith("n't")) and word not in own for word in said)


def _elsewhere(sentence: Sentence, place: int) -> set[str]:
    """The bases of what stands in other clauses than the word at a place."""
    walk = Walk(sentence)
    if place >= len(walk.keys):
        return set()
    start, end = walk.start(place), walk.end(place)
    return {*walk.bases[:start], *walk.bases[end:]} - {*walk.bases[start:end]}
