"""What an answer tells half of, so that it says something else, or nothing: «neither France will»,
«Anna, whose brother,», «asks to have lawsuit», «says former employee»."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from nacc.text import govern
from nacc.text.answer import LED, Answer
from nacc.text.conditions import Conditions
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.neighbours import pairs
from nacc.text.questions import AUXILIARIES
from nacc.text.shape import Shape, shape
from nacc.text.stem import base, bases_of
from nacc.text.tagged import DETERMINERS, PREPOSITIONS, has_content, is_time
from nacc.text.verbs import VERBS
from nacc.text.words import Sentence

_NO = govern.NOT | govern.NONE | {"without"}
_NONE = govern.NONE - {"neither"}
_ITS = frozenset("its his her their our my your the".split())
_OF = PREPOSITIONS | frozenset("who whose which that".split())
_TELLS = bases_of("tell ask warn inform assure remind")
_CLAUSES = frozenset("if when while because unless that".split())
_OPPOSITES = frozenset(
    frozenset(map(base, pair.split("_")))
    for pair in "rise_fall gain_lose win_lose open_close up_down".split()
)
_ENDS = govern.BOUNDARIES | {"and"}
_LEADS = AUXILIARIES | govern.AUXILIARIES


def torn(sentence: Sentence, said: Sequence[str]) -> str | None:
    """What an answer tells half of, in a few words; None if nothing is seen."""
    for i, word in enumerate(said):
        look = _LOOKS.get(word)
        if look and (found := look(sentence, said, i)):
            return found
    return None


def _behind(said: Sequence[str], i: int) -> str:
    return said[i + 1] if i + 1 < len(said) else ""


def _first(words: Iterable[str]) -> str:
    """The base of the first word with content."""
    return next((base(word) for word in words if word not in FUNCTION_WORDS), "")


def _neither(sentence: Sentence, said: Sequence[str], i: int) -> str | None:
    """«Neither» of two without the other."""
    whole = {"nor", "neither"} > {*sentence.keys} or not {"nor", "or"}.isdisjoint(said[i:])
    return None if whole or "nor" not in sentence.keys else "'neither' without 'nor'"


def _nor(sentence: Sentence, said: Sequence[str], i: int) -> str | None:
    """«Nor» without what it goes on from."""
    negated = any(word in _NO or word.endswith("n't") for word in said[:i])
    return None if negated or sentence.keys[0] == "nor" else "'nor' without 'neither'"


def _long(sentence: Sentence, said: Sequence[str], i: int) -> str | None:
    """«As long as» without its first word."""
    if (said[i], "as") not in pairs(sentence) or _behind(said, i) != "as":
        return None
    if i == 0 or said[i - 1] not in ("as", "so"):
        return f"{said[i] + ' as'!r} without 'as'"
    return _clause(sentence, said, i + 1)


def _clause(sentence: Sentence, said: Sequence[str], i: int) -> str | None:
    """What a condition begins with, if it is not the condition's («as long as the bank keeps»), or
    tells of nothing that is («provided Saturday»)."""
    walk, begins = Conditions(sentence), said[i]
    at = next((j + 1 for j, word in enumerate(walk.keys) if word == begins and walk.opens(j)), 0)
    end = walk.end(at)
    first, bases, content = (
        _first(said[i + 1 :]),
        walk.bases,
        list(filter(has_content, said[i + 1 :])),
    )
    if not at or (first in bases and first not in bases[at:end]):
        return f"{first!r} after {begins!r}" if at else None
    alone = len(content) == 1 and not (is_time(content[0]) or content[0].endswith("ed"))
    bare = alone and any(bases[j] != first for j in walk.verbs(at + 1, end))
    return f"{begins!r} without its verb" if bare else None


def _unlikely(sentence: Sentence, said: Sequence[str], i: int) -> str | None:
    """«Unlikely» of what is not unlikely."""
    before = said[i - 1] if i else ""
    if ("not", said[i]) not in pairs(sentence) or before in _NO or before.endswith("n't"):
        return None
    return f"{said[i]!r} without 'not'"


def _those(sentence: Sentence, said: Sequence[str], i: int) -> str | None:
    """«Those» without which: «those fall», of «those of diesel cars»."""
    follow = {after for word, after in pairwise(sentence.keys) if word == "those"}
    part = follow and follow <= _OF and _behind(said, i) not in _OF
    return "'those' without which" if part else None


def _whose(sentence: Sentence, said: Sequence[str], i: int) -> str | None:
    """What is said beside someone, if it ends before its verb («Anna, whose brother,»), or goes on
    with what is not («Anna, whose brother was elected»)."""
    told = [j for j, word in enumerate(sentence.words) if word == said[i]]
    if i == 0 or said[i - 1] != "," or not told or "," not in sentence.keys[told[-1] :]:
        return None
    answer = Answer(sentence, said)
    beside = {k for j in told for k in range(j, sentence.keys.index(",", j))}
    end = said.index(",", i) if "," in said[i:] else len(said)
    for k in range(i + 1, end):
        if answer.places[k] and beside.isdisjoint(answer.places[k]):
            return f"{said[k]!r} after {said[i]!r}"
    verbs = any(answer.verbs[k] or base(said[k]) in VERBS for k in range(i + 1, end))
    verbs = verbs or not _LEADS.isdisjoint(said[i + 1 : end])
    return None if verbs or end == len(said) else f"{said[i]!r} without its verb"


def _have(sentence: Sentence, said: Sequence[str], i: int) -> str | None:
    """«Asks to have lawsuit», «seeks lawsuit», of one that is to be thrown out."""
    if said[i] == "have" and said[i - 1 : i] != ["to"]:
        return None
    source, first, bases = shape(sentence), _first(said[i + 1 :]), {*map(base, said)}
    for have in source.places.get(base("have"), []):
        done = _done_to_it(source, have)
        if done and source.bases[done] not in bases and first in source.bases[have + 1 : done]:
            return f"{said[i] + ' ' + first!r} without {source.keys[done]!r}"
    return None


def _done_to_it(source: Shape, have: int) -> int:
    """Where it is told what somebody wants to have done with something; 0: nowhere."""
    if source.key(have - 1) != "to" or source.key(have + 1) not in DETERMINERS:
        return 0
    for j in range(have + 1, min(have + 12, len(source.keys))):
        if source.keys[j] in _ENDS:
            return 0
        if source.verbs[j] and source.keys[j].endswith(("ed", "en", "wn")):
            return j
    return 0


def _says(sentence: Sentence, said: Sequence[str], i: int) -> str | None:
    """«Says former employee», and nothing of what he did."""
    start = next((j for j in range(i + 1, len(said)) if said[j] not in DETERMINERS), len(said))
    thing = tuple(map(base, said[start:]))
    if i == 0 or said[i - 1] == "," or not thing or not all(map(has_content, said[start:])):
        return None
    source = shape(sentence)
    for place in source.places.get(thing[0], []):
        end = place + len(thing)
        led = next(j for j in range(place - 1, -2, -1) if source.key(j) not in DETERMINERS)
        goes_on = source.key(end) not in ("", ",", ".")
        whole = any(source.verbs[place:end]) or source.bases[place:end] != thing
        if whole or not goes_on or led < 0 or source.bases[led] != base("say"):
            return None
    return f"{said[i]!r} without what is said" if thing[0] in source.places else None


def _true(sentence: Sentence, said: Sequence[str], i: int) -> str | None:
    """«Minister not true», of what is not true as he says."""
    before = said[i - 2] if i > 1 and said[i - 1] == "not" else ""
    if not has_content(before) or base(before) in govern.SAYS:
        return None
    return None if (before, "not") in pairs(sentence) else f"{'not true'!r} of {before!r}"


def _his(sentence: Sentence, said: Sequence[str], i: int) -> str | None:
    """«Anna's sister», of «Anna told Peter that his sister»."""
    source, owner = shape(sentence), said[i - 1] if i else ""
    own = source.places.get(base(_behind(said, i)), [])
    if not own or any(source.key(place - 1) not in ("his", "her") for place in own):
        return None
    for verb in range(own[0] - 2, 0, -1):
        told = source.bases[verb] in _TELLS and source.is_told(verb)
        if told and source.words[verb + 1][0].isupper():
            other = owner in source.keys[:verb] and owner not in source.keys[verb:]
            return f"{owner!r} for another" if other else None
    return None


def _opposite(sentence: Sentence, said: Sequence[str], i: int) -> str | None:
    """«Rises, falls against the euro»: it rose against something else."""
    if i and frozenset((base(said[i - 1]), base(_behind(said, i)))) in _OPPOSITES:
        return f"{said[i - 1]!r} without what it is said of"
    return None


def _comma(sentence: Sentence, said: Sequence[str], i: int) -> str | None:
    """«If the file is missing, the user has none», of two conditions."""
    if _CLAUSES.isdisjoint(said[:i]):
        return _opposite(sentence, said, i)
    source = shape(sentence)
    for place in source.places.get(_first(said[i + 1 :]), []):
        start = next(j for j in range(place - 1, -2, -1) if source.key(j) not in DETERMINERS)
        opens = next((j for j in range(start, -1, -1) if source.keys[j] in _CLAUSES), start)
        told = any(source.verbs[opens:start]) or not _LEADS.isdisjoint(source.keys[opens:start])
        does = source.key(place + 1) in _LEADS or any(source.verbs[place + 1 : place + 2])
        if source.key(start) == "and" and told and does:
            return "',' for 'and'"
    return None


def _but(sentence: Sentence, said: Sequence[str], i: int) -> str | None:
    """«…, but reports a loss», of somebody else than whom the answer begins with."""
    source, word = shape(sentence), _behind(said, i)
    places = source.places.get(base(word), []) if word.endswith(("s", "ed")) else []
    for place in places:
        before = range(place - 1, max(0, place - 8), -1)
        but = next((j for j in before if source.keys[j] == "but" or source.verbs[j]), 0)
        led = source.key(but) == "but" and source.keys[but + 1] in DETERMINERS
        if not led or not source.is_told(place):
            places = []
    return f"{word!r} without who does it" if places else _opposite(sentence, said, i)


def _no(sentence: Sentence, said: Sequence[str], i: int) -> str | None:
    """«No send troops», «no Leeds factory», of what is not done to it."""
    source, word = shape(sentence), _behind(said, i)
    places = source.places.get(base(word), []) if ("no", word) not in pairs(sentence) else []
    if not places or not _NONE.isdisjoint(sentence.keys):
        return None
    plain = has_content(_behind(said, i + 1)) and not word.endswith(("ed", "en", "ing"))
    third = word.endswith("s") and word not in source.keys
    does = (source.is_told(j) and (third or source.keys[j - 1] in LED) for j in places)
    own = (j and (source.words[j][0].isupper() or source.keys[j - 1] in _ITS) for j in places)
    odd = (plain and all(does)) or (said[i - 1] not in ("has", "have") and all(own))
    return f"{'no ' + word!r}" if odd else None


_LOOKS: dict[str, Callable[[Sentence, Sequence[str], int], str | None]] = {
    "neither": _neither,
    "nor": _nor,
    "long": _long,
    "soon": _long,
    "provided": _clause,
    **dict.fromkeys(govern.IMPROBABLE, _unlikely),
    "those": _those,
    "true": _true,
    "'s": _his,
    "no": _no,
    "and": _opposite,
    ",": _comma,
    "but": _but,
    **dict.fromkeys(("have", "seeks", "wants", "asks"), _have),
    **dict.fromkeys(("whose", "which", "who"), _whose),
    **dict.fromkeys(("say", "says", "said"), _says),
}
"""What to look for where an answer has these words."""
