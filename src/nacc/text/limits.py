"""What is so within limits alone: not before a day, under a law that is only proposed, twice as
fast as something else. Without the limit it is said of always, or of everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from nacc.text import govern
from nacc.text.conditions import Conditions
from nacc.text.denials import negates
from nacc.text.memory import kept
from nacc.text.numbers import counts
from nacc.text.shape import STOPS
from nacc.text.stem import base, bases_of
from nacc.text.tagged import has_content, is_time
from nacc.text.words import Sentence

_UP_TO = frozenset("before until till".split())
_NOT_YET = _UP_TO | frozenset("by yet this now pre delayed postponed earliest".split())
_CLAUSES = STOPS | frozenset(", that who which because and but if when while as than".split())
_MAYBE = govern.PERHAPS | {"had"}
_LAWS = frozenset("law laws bill plan plans proposal proposals rules reforms legislation".split())
_DRAFTED = frozenset("proposed draft drafted planned considered debated put bill proposals".split())
_PASSED = frozenset("signed passed approved adopted enacted".split())
_PROPOSES = bases_of(
    "propose proposal plan bill draft mull consider seek want eye push call urge suggest back may "
    "might could would should if possible debate weigh moot unveil"
)
_THAN = frozenset("as where than that those when of".split())
_ENDS = STOPS | {","}
_LONG = frozenset("generations decades".split())
_AGES = _LONG | frozenset("history years memory time".split())
_EVER = _AGES | frozenset("ever record since generation decade year yet all-time".split())
_NO_MOST = tuple("interest quest protest forest contest latest arrest unrest invest".split())
_How = Literal["anyhow", "denied", "behind", "in"]
"""How an answer has words that are to tell of their limit: anyhow, denied, with nothing behind them
that tells, or with something else behind «in»."""


class Limit(NamedTuple):
    """The words, or bases of words, that are so within a limit alone; the word that sets it; the
    words, or bases, one of which tells of it."""

    limited: frozenset[str]
    by: str
    told: frozenset[str]
    how: _How = "anyhow"


def unlimited(sentence: Sentence, said: Sequence[str]) -> str | None:
    """What an answer says without its limit, in a few words; None if nothing is seen."""
    for limit in _limits(sentence):
        bases = [*map(base, said)]
        words = enumerate(zip(said, bases, strict=True))
        at = next((i for i, each in words if not limit.limited.isdisjoint(each)), None)
        if at is None:
            continue
        start = at + 2 if limit.how == "behind" else 0
        if limit.told.isdisjoint((*said[start:], *bases[start:])) and _is_so(limit, said, at):
            return f"{said[at]!r} without {limit.by!r}"
    return None


def _is_so(limit: Limit, said: Sequence[str], at: int) -> bool:
    """Whether an answer that does not tell of a limit has words as they need it."""
    if limit.how == "denied":
        return any(map(negates, said[:at]))
    return limit.how != "in" or "in" in said[at + 1 : at + 6]


@kept
def _limits(sentence: Sentence) -> tuple[Limit, ...]:
    places = [i for i, word in enumerate(sentence.keys) if word in _READERS]
    walk = Conditions(sentence) if places else None
    return tuple(
        limit
        for i in places
        if walk and i < len(walk.keys)
        for limit in _READERS[walk.keys[i]](walk, i)
    )


def _up_to(walk: Conditions, i: int) -> Iterator[Limit]:
    """«Will not open before Monday», «does not open until the road is clear»; what had never been
    so until now, or may not be, is denied as it stands."""
    start = next((j for j in range(i - 1, -1, -1) if walk.keys[j] in _CLAUSES), -1)
    denied = next((j for j in range(i - 1, start, -1) if negates(walk.keys[j])), 0)
    ahead = walk.keys[i + 1 : i + 4]
    timed = walk.keys[i] != "before" or any(map(is_time, ahead))
    follows = timed and not govern.BOUNDARIES.issuperset(ahead[:1])
    if follows and walk.keys[denied - 1] not in _MAYBE and negates(walk.keys[denied]):
        heads = frozenset(walk.bases[j] for j in walk.heads(denied + 1) if j < i)
        yield Limit(heads, walk.keys[i], _NOT_YET, "denied")


def _under(walk: Conditions, i: int) -> Iterator[Limit]:
    """«Will be forced to pay under a law proposed on Monday»."""
    ahead = walk.keys[i + 1 : min(i + 8, walk.end(i + 1))]
    law = next((j for j, word in enumerate(ahead) if word in _LAWS), -1)
    proposed = {*ahead[:law], *ahead[law + 1 : law + 4]}
    drafted = {*proposed, *ahead[law : law + 1]} & _DRAFTED
    wills = [j for j, word in enumerate(walk.keys) if word in govern.WILL]
    if law < 0 or not drafted or not wills or not _PASSED.isdisjoint(proposed):
        return
    end = i if wills[0] < i else walk.sentence_end(i)
    heads = {k for j in wills if j < end for k in walk.heads(j + 1)}
    leads = {j for j in range(wills[0], end) if walk.keys[j - 1] == "to" and walk.says(j)}
    yield Limit(frozenset(walk.bases[j] for j in heads | leads), ahead[law], _PROPOSES)


def _as_much(walk: Conditions, i: int) -> Iterator[Limit]:
    """«Twice as fast where nobody fished»; not «scored twice as Hull won»."""
    times = walk.keys[i] != "times" or (i and counts(walk.keys[i - 1]))
    if not times or walk.keys[i + 1 : i + 2] != ("as",) or not walk.words[i + 2 : i + 3]:
        return
    behind = walk.keys[i + 3 : min(i + 16, walk.end(i + 2))]
    if walk.words[i + 2].islower() and not _THAN.isdisjoint(behind):
        yield Limit(frozenset({walk.keys[i]}), "as", _THAN, "behind")


def _in_years(walk: Conditions, i: int) -> Iterator[Limit]:
    """«The fastest lap in history»: not «in Hull»; «the worst drought in decades»."""
    near = walk.keys[max(0, i - 4) : i]
    starts = (j for j in range(i - 1, max(-1, i - 16), -1) if walk.keys[j] in _ENDS)
    start = next(starts, max(-1, i - 16))
    most = next((j for j in range(i - 1, start, -1) if _is_most(walk.keys[j])), -1)
    if most < 0 or {"in", "of"}.isdisjoint(near):
        return
    within = next((j for j in range(most + 1, i) if walk.keys[j] == "in"), i)
    end = min(i + 7, walk.end(i)) if walk.keys[i + 1 : i + 2] == ("of",) else i
    where = walk.bases[within:end]
    limited = frozenset({walk.keys[most]})
    one = walk.keys[max(0, most - 3) : most].count("of")
    how: _How = "anyhow" if walk.keys[i] in _LONG and not one else "in"
    yield Limit(limited, walk.keys[i], _EVER.union(filter(has_content, where)), how)


def _is_most(word: str) -> bool:
    most = len(word) > 5 and word.endswith("est") and not word.endswith(_NO_MOST)
    return most or word in ("worst", "best")


def _if(walk: Conditions, i: int) -> Iterator[Limit]:
    """«Should stay in if ill»: of advice, when it holds."""
    before, start = walk.keys[i - 1] if i else "", walk.start(i)
    modal = next((j for j in range(i - 1, start, -1) if walk.keys[j] in govern.MODALS), 0)
    if walk.keys[modal] == "should" and before not in govern.ASKING and walk.begins_condition(i):
        heads = frozenset(walk.bases[j] for j in walk.heads(modal + 1) if j < i)
        yield Limit(heads, "if", frozenset("if unless when until".split()))


_READERS: dict[str, Callable[[Conditions, int], Iterator[Limit]]] = {
    **dict.fromkeys(_UP_TO, _up_to),
    "under": _under,
    **dict.fromkeys(("twice", "half", "times"), _as_much),
    **dict.fromkeys(_AGES, _in_years),
    "if": _if,
}
"""How to read the words that may set a limit."""
