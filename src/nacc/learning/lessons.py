"""What pairs teach: which come how often, and which more can be made of them.

Headlines that name what their source does not (a minister, a place) teach to invent. Few headlines
are short, but many hold a shorter one: "Bus driver dies | after attack at station".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, with_config

from nacc.learning.corpus import Corpus, Ragged
from nacc.learning.settings import Amount, Count, wanted
from nacc.text.punctuation import NEVER_SAID

_CLAUSES = frozenset("after amid as before despite following while".split())
"""What begins the clause that a headline can do without."""
_NO_CLAUSE = frozenset("a an the part well one its his her their new first".split())
"""After "as", no clause: Francine could slam Louisiana as a hurricane."""
_NO_STATEMENT = frozenset(
    "what how why who when where which watch see stop is are do does can will should".split()
)
"""A headline that begins so is no statement: What residents found after fires."""
_FEWEST = 3  # words left, and words cut off
_SHORTEST = 12  # characters
_STEM = 4  # letters: Chinese is licensed by China, Americans by America
_ACRONYM = 4  # letters: capitals (US, GOP, CEO) stand for what a source may spell out
_AT_ONCE = 1 << 16

Bools = NDArray[np.bool_]
_Steps = Annotated[
    tuple[tuple[int, float], ...], wanted("a list of pairs: characters and how often")
]
_Shares = Annotated[dict[str, Amount], wanted("a table of numbers, at least 0")]


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class Lessons:
    """How a corpus is taught; as it stands, every pair comes once an epoch.

    often:   how often the pairs of a file come
    lengths: (characters, how often): in the files named by `news`, headlines shorter than this, by
             the first of the list that is so; longer ones once
    foreign: how often, besides, a pair comes whose headline has a name that its source lacks
    cut:     headlines of `news` that fall into two are also shown without their last clause, where
             that leaves at most so many characters; 0: none are
    """

    news: tuple[str, ...] = ()
    often: _Shares = field(default_factory=dict)
    lengths: _Steps = ()
    foreign: Amount = 1.0
    cut: Count = 0


def lessons(
    corpus: Corpus, settings: Lessons, forms: Sequence[str]
) -> tuple[Corpus, NDArray[np.float64]]:
    """The corpus with what was made of it, and how often each pair comes in an epoch.

    forms: the output vocabulary as it is usually written; capitals tell names.
    """
    files = np.array(corpus.files)
    times = np.array([settings.often.get(name, 1.0) for name in corpus.files])[corpus.group]
    news = np.isin(files, settings.news)[corpus.group]
    if settings.lengths:
        at_length = headline_lengths(corpus)
        ends, rates = zip(*settings.lengths, strict=True)
        each = np.select([at_length < end for end in ends], rates, 1.0)
        times = np.where(news, times * each, times)
    if settings.foreign != 1:
        times = np.where(foreign(corpus, forms), times * settings.foreign, times)
    if not settings.cut:
        return corpus, times
    short = _cut(corpus, news & (times >= 0.5), settings.cut)
    return _joined(corpus, short), np.concatenate([times, np.ones(len(short))])


def headline_lengths(corpus: Corpus) -> NDArray[np.int64]:
    """How many characters each headline has, a space between any two words."""
    letters = np.array([len(word) + 1 for word in corpus.lexicon])
    lengths: NDArray[np.int64] = np.add.reduceat(letters[corpus.target.flat], corpus.target.starts)
    return lengths - 1


def foreign(corpus: Corpus, forms: Sequence[str]) -> Bools:
    """Whose headline has a name that the source has in no form (by its first letters)."""
    names = {form.lower() for form in forms if _is_name(form)}
    named = np.array([word in names for word in corpus.lexicon])[corpus.target.flat]
    stems: dict[str, int] = {}
    stem = np.array(
        [stems.setdefault(word[:_STEM], len(stems)) for word in corpus.lexicon], np.int32
    )
    rows, wanted_stems = corpus.target.rows[named], stem[corpus.target.flat[named]]
    source, starts, lengths = stem[corpus.source.flat], corpus.source.starts, corpus.source.lengths
    found = np.zeros(len(corpus), np.bool_)
    for begin in range(0, len(rows), _AT_ONCE):
        row = rows[begin : begin + _AT_ONCE]
        place = np.arange(int(lengths[row].max()))
        at = np.minimum(starts[row][:, None] + place, len(source) - 1)
        same = (source[at] == wanted_stems[begin : begin + _AT_ONCE, None]) & (
            place < lengths[row][:, None]
        )
        found[row[~same.any(1)]] = True
    return found


def _is_name(form: str) -> bool:
    acronym = len(form.replace(".", "")) <= _ACRONYM and form.upper() == form
    return form[:1].isupper() and not acronym


def _cut(corpus: Corpus, wanted: Bools, most: int) -> Corpus:
    """Those of the headlines that have a last clause to do without, without it."""
    lexicon, target = corpus.lexicon, corpus.target
    ids = {word: i for i, word in enumerate(lexicon)}
    begins = np.flatnonzero(np.isin(target.flat, [ids[word] for word in _CLAUSES if word in ids]))
    rows = target.rows[begins]
    begins, rows = begins[wanted[rows]], rows[wanted[rows]]
    rows, first = np.unique(rows, return_index=True)  # the first clause of each headline
    begins = begins[first]
    kept = []
    for row, start, end in zip(rows.tolist(), target.starts[rows].tolist(), begins, strict=True):
        last = start + int(target.lengths[row])
        words = [lexicon[i] for i in target.flat[start:last].tolist()]
        kept.append(_standing(words, int(end) - start, most))
    stands = np.array(kept, np.int32) > 0
    rows, left = rows[stands], np.array(kept, np.int32)[stands]
    chosen = np.zeros(len(corpus), np.bool_)
    chosen[rows] = True
    within = np.arange(len(target.flat)) - target.starts[target.rows]
    most_words = np.zeros(len(corpus), np.int64)
    most_words[rows] = left
    flat = target.flat[within < most_words[target.rows]]
    return replace(
        corpus,
        source=corpus.source.select(chosen),
        target=Ragged(flat, left),
        group=corpus.group[chosen],
    )


def without_clause(words: Sequence[str], most: int) -> int:
    """How many of a headline's words stand as one without its last clause; 0 if none do."""
    clause = next((i for i, word in enumerate(words) if word in _CLAUSES), 0)
    return _standing(words, clause, most) if clause else 0


def _standing(words: Sequence[str], clause: int, most: int) -> int:
    """How many of a headline's words, before its clause, stand as a headline; 0 if none do."""
    left = clause
    while left and words[left - 1] in NEVER_SAID | {","}:
        left -= 1
    after = words[clause + 1] if clause + 1 < len(words) else ""
    roles = words[clause] == "as" and after in _NO_CLAUSE
    if left < _FEWEST or len(words) - clause < _FEWEST or roles or words[0] in _NO_STATEMENT:
        return 0
    if "'s" in words[left - 2 : left]:
        return 0
    return left if _SHORTEST <= len(" ".join(words[:left])) <= most else 0


def _joined(first: Corpus, second: Corpus) -> Corpus:
    """Two corpora of one lexicon and the same groups."""

    def both(one: Ragged, other: Ragged) -> Ragged:
        return Ragged(
            np.concatenate([one.flat, other.flat]), np.concatenate([one.lengths, other.lengths])
        )

    return replace(
        first,
        source=both(first.source, second.source),
        target=both(first.target, second.target),
        group=np.concatenate([first.group, second.group]),
    )
