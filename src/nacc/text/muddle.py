"""Answers that no reader can make sense of, told by their small words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from nacc.text import govern
from nacc.text.clauses import governed
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.govern import Mood
from nacc.text.neighbours import BEFORE_NOUNS, BEFORE_THINGS, odd_pairs
from nacc.text.questions import AUXILIARIES, asked_about, asks, questions
from nacc.text.shape import shape
from nacc.text.stem import base
from nacc.text.tagged import PREPOSITIONS
from nacc.text.walk import Walk
from nacc.text.words import Sentence

_CLAUSES = frozenset("if unless because although whether".split())
"""These begin a clause: one word more is none."""
_LED = AUXILIARIES | govern.AUXILIARIES | govern.SUBJECTS
"""A verb comes with one of these, or says who."""
_WITHIN = frozenset("as that which who when where than".split())
"""These begin a clause inside a question."""
_SPEAKER = frozenset("i we my our i'm i'll we'll we're".split())
_SAYS = frozenset(
    "says say said tells told vows pledges promises insists warns adds : claims admits".split()
)
_SOMEONE = govern.SUBJECTS - _SPEAKER - {"you"}
"""Whom a clause may be about that names nobody."""
_MARKS = frozenset("\" “ ” `` ''".split())
_ASKS = frozenset("how why".split())
_ASKED_WITH = frozenset("what how why when where who".split())
_LEADS_TO_DEEDS = frozenset("likely unlikely able unable".split())
_DONE_TO = frozenset(
    "override overturn hear hand put make take give bring send let keep hold buy get turn find use "
    "have build raise set seek face offer provide allow force impose introduce".split()
)
"""What is done is done to something: «refuses to hear» breaks off, «offers to resign» does not."""
_BOUND_TO = _LEADS_TO_DEEDS | frozenset(
    "forced expected set due supposed allowed required urged told asked".split()
)
_PARTICLES = frozenset("over out up off down back away".split())


def muddled(sentence: Sentence, said: Sequence[str]) -> str | None:
    """What in an answer makes no sense, in a few words; None if nothing is seen."""
    odd = next(odd_pairs(sentence, said), None)
    odd = odd or _unfinished(sentence, said) or _breaks_off(sentence, said)
    if odd:
        return odd
    if not _CLAUSES.isdisjoint(said):
        clause = next(i for i, word in enumerate(said) if word in _CLAUSES)
        if fault := _misled(sentence, said, clause):
            return fault
    if len(said) > 1 and said[0] in AUXILIARIES and said[1] in AUXILIARIES:
        return f"{said[0]!r} before {said[1]!r}"
    for start, _ in questions(sentence.keys):
        about, auxiliary = sentence.keys[start + 1], sentence.keys[start]
        if (about, auxiliary) in pairwise(said) and not {"whether", "if"} & {*said}:
            return f"{about + ' ' + auxiliary!r}, which is asked"
    question = asks(sentence, said)
    misasked = _misasked(sentence, said, *question) if question else None
    return misasked or _speaks(sentence, said)


def _unfinished(sentence: Sentence, said: Sequence[str]) -> str | None:
    """A «how» or «why» of the answer's own that tells of nothing done; a deed that nobody does, or
    is to do; a month said as if it were «may»."""
    first = said[0] if said else ""
    if first == "to" and sentence.keys[0] != first:
        return "'to' without who"
    if first in _ASKS and first not in sentence.keys:
        source = shape(sentence)
        done = {source.bases[i] for i, verb in enumerate(source.verbs) if verb}
        if done.isdisjoint(map(base, said)):
            return f"{first!r} without a verb"
    if first.endswith("ed") and said[1:2] and said[1] in BEFORE_NOUNS:  # not «stranded whale»
        source = shape(sentence)
        places = source.places.get(base(first), [])
        if places and first in source.keys and all(map(source.is_told, places)):
            return f"{first!r} without who did it"
    if "may" in said and "may" in sentence.keys and "may" not in sentence.words:
        for before, word, after in zip(("", *said), said, (*said[1:], ""), strict=False):
            dated = before.isdigit() or after[:1].isdigit() or before == word or not after
            led = before in PREPOSITIONS or after in PREPOSITIONS or after == ","
            if word == "may" and not (dated or led):
                return "'may', which is a month"
    return None


def _breaks_off(sentence: Sentence, said: Sequence[str]) -> str | None:
    """An end, or a «to», without what the source has it for: «fails to override», «is forced»,
    «likely to asthma», «what to your phone»."""
    for first, to, word in zip(said, said[1:], said[2:], strict=False) if "to" in said else ():
        if to != "to":
            continue
        nobody = first in _ASKED_WITH and (word in BEFORE_THINGS or word in govern.SUBJECTS)
        deed = first not in _LEADS_TO_DEEDS or _may_be_done(sentence, word)
        if nobody or not deed:
            return f"{to + ' ' + word!r}"
    before, last = tuple(said[-2:]) if len(said) > 2 else ("", "")
    if last != "provided" and last not in _DONE_TO and last not in _BOUND_TO:
        return None
    follow = _followers(sentence, last)
    if last == "provided" and follow == {"that"}:
        return f"nothing after {last!r}"
    if before == "to" and last in _DONE_TO and follow and follow <= BEFORE_THINGS | _PARTICLES:
        return f"{before + ' ' + last!r} whom or what"
    if before in govern.BE and last in _BOUND_TO and follow == {"to"}:
        return f"{before + ' ' + last!r} to do what"
    return None


def _may_be_done(sentence: Sentence, word: str) -> bool:
    """Whether a word of the source is a verb there; of another one nothing is known."""
    source = shape(sentence)
    places = source.places.get(base(word), [])
    return not places or any(source.verbs[place] for place in places)


def _followers(sentence: Sentence, word: str) -> set[str]:
    """What stands behind a word in the source, wherever it does; «.» at the end."""
    source = shape(sentence)
    places = source.places.get(base(word), []) if word else []
    return {source.keys[place + 1] if place + 1 < len(source.keys) else "." for place in places}


def _misled(sentence: Sentence, said: Sequence[str], clause: int) -> str | None:
    """A clause with nothing in it, or with what is not in the source's."""
    word = said[clause]
    if clause and clause >= len(said) - 2 and not said[-1].endswith("ed"):  # «if needed»
        return f"nothing after {word!r}"
    if word == "if" and "unless" in sentence.keys and "if" not in sentence.keys:
        return "'if' for 'unless'"
    walk = Walk(sentence)
    starts = [i for i, each in enumerate(walk.keys) if each == word]
    inside = {walk.bases[j] for i in starts for j in range(i, walk.end(i + 1))}
    first = next((base(each) for each in said[clause + 1 :] if each not in FUNCTION_WORDS), "")
    if starts and first in walk.bases and inside.isdisjoint({first, *_SOMEONE}):
        return f"{first!r} after {word!r}"
    clauses = [range(i + 1, walk.end(i + 1)) for i in starts]
    verbs = {walk.bases[j] for each in clauses for j in walk.verbs(each.start, each.stop)}
    verbs |= {walk.bases[j] for each in clauses for j in each if walk.keys[j].endswith("ing")}
    rest = said[clause + 1 :]
    led = any(each in _LED or each.endswith("ed") for each in rest)  # «unless satisfied»
    told = {base(each) for each in rest if not each.endswith("ing")}
    bare = word in govern.CONDITIONS and verbs and verbs.isdisjoint(told) and not led
    return f"{word!r} without its verb" if bare else None


def _speaks(sentence: Sentence, said: Sequence[str]) -> str | None:
    """Whoever is quoted, speaking for the text («we will not»); or a «how» it does not tell."""
    if tuple(said[:2]) == ("how", "to") and "how" not in sentence.keys:
        return "'how', which is not told"
    if _SPEAKER.isdisjoint(said) or _MARKS.isdisjoint(sentence.keys):
        return None
    marks = [i for i, each in enumerate(sentence.keys) if each in _MARKS]
    whole = marks[0] == 0 and marks[-1] >= len(sentence) - 2
    if whole or not _SAYS.isdisjoint(said):
        return None
    quotes = zip(marks[::2], marks[1::2], strict=False)
    outside = set(range(len(sentence))).difference(*(range(start, end) for start, end in quotes))
    own = {sentence.keys[i] for i in outside}
    word = next((word for word in said if word in _SPEAKER and word not in own), None)
    return f"{word!r} without who says it" if word else None


def _misasked(sentence: Sentence, said: Sequence[str], start: int, end: int) -> str | None:
    """A question that asks nothing, or not what its source asks: other forms, another order."""
    asked = sentence.keys[start:end]
    places = [
        rule.place
        for rule in governed(sentence)
        if rule.mood is Mood.ASKED
        and start < rule.place < end
        and sentence.keys[rule.place - 1] != "of"
    ]
    content = [base(sentence.keys[place]) for place in places]
    clause = next((i for i in range(start, end) if sentence.keys[i] in _WITHIN), end)
    verbs = {base(sentence.keys[place]) for place in Walk(sentence).verbs(start + 2, clause)}
    verbs.intersection_update(content)
    shown = [word for word in said if base(word) in content]
    bases = {base(word) for word in shown}
    if verbs and (verbs.isdisjoint(bases) or base(asked_about(said)) in verbs):
        return "a question without its verb or its subject"
    if content[1:] and bases <= {*content[: len(content) // 2]}:
        return "a question that asks nothing"
    if not {*shown} <= {*asked}:
        return "a question in other forms than its source's"
    order = [asked.index(word) for word in said if word in asked and asked.count(word) == 1]
    return "a question in another order than its source's" if order != sorted(order) else None
