"""Constraints on the words of an answer, as a small automaton that the decoders carry along.

A context remembers which marked words were emitted so far and whether the last one may not end
the answer; where phrases are required, how far each has come; and where the source's order is to
be kept, how much of the source is used up. Emitting a word moves from context to context; ε and
repeats do not. The decoders' tables get one copy per context, so whatever the automaton says is
met exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from nacc.decoding.kernels.arrays import Automaton, Classes

MOST_REQUIRED = 3
MOST_MARKED = 7  # 2^7 contexts, at most twice that with no_dangling


@dataclass(frozen=True)
class Constraints:
    """Word ids that must appear, must not, may not end the answer, may appear only once; that must
    come one right after another; and the source whose order is kept, if it is."""

    required: tuple[int, ...] = ()
    forbidden: tuple[int, ...] = ()
    no_dangling: frozenset[int] = frozenset()
    once: frozenset[int] = frozenset()
    phrases: tuple[tuple[int, ...], ...] = ()
    in_order: tuple[int, ...] | None = None

    def __bool__(self) -> bool:
        return bool(self.wanted or self.forbidden or self.no_dangling or self.once)

    @property
    def wanted(self) -> tuple[tuple[int, ...], ...]:
        """All phrases that must come, required words among them."""
        return (*((word,) for word in self.required), *self.phrases)

    def automaton(
        self, vocabulary: int, single: tuple[int, ...] = (), *, endings: bool = True
    ) -> Automaton:
        """The automaton over word ids below `vocabulary`. Of `once`, it knows the words in
        `single`; and of `no_dangling` nothing unless `endings`."""
        dangling = endings and bool(self.no_dangling)
        if self.phrases or self.in_order is not None:
            return self._stepwise(vocabulary, single, dangling)
        marked = self.marked(single)
        classes = np.zeros(vocabulary, np.int8)
        for mark, word in enumerate(marked, start=1):
            classes[word] = mark
        if dangling:
            classes[list(self.no_dangling)] += len(marked) + 1
        if self.forbidden:
            classes[list(self.forbidden)] = -1
        return Automaton(
            classes,
            *_contexts(len(self.required), tuple(word in single for word in marked), dangling),
        )

    def without_order(self, automaton: Automaton) -> tuple[Automaton, NDArray[np.int16]]:
        """A looser automaton that knows only what is wanted, and which of its contexts each of
        this automaton's is to it. Words that the source does not have are left to this one."""
        looser = replace(self, in_order=None).automaton(len(automaton.classes), endings=False)
        known = [word for word in set(self.in_order or ()) if automaton.classes[word] >= 0]
        kinds, its_kinds = automaton.classes[known], looser.classes[known]
        stands = np.full(len(automaton.accept), -1, np.int16)
        stands[0] = 0
        for context, move in enumerate(automaton.move):  # each is reached from one before it
            to = move[kinds]
            reached = (to >= 0) & (stands[context] >= 0)
            stands[to[reached]] = looser.move[stands[context], its_kinds][reached]
        return looser, stands

    def marked(self, single: tuple[int, ...]) -> tuple[int, ...]:
        """The words the automaton remembers having seen."""
        return self.required + tuple(word for word in single if word not in self.required)

    def _stepwise(self, vocabulary: int, single: tuple[int, ...], dangling: bool) -> Automaton:
        """The same with phrases and order: a class for every word that they know."""
        source = self.in_order
        words = tuple(dict.fromkeys((*chain(*self.wanted), *single, *(source or ()))))
        bad = frozenset(self.no_dangling if dangling else ())
        first = 2  # class 0: any other word; 1: any other that may not come last
        classes: Classes = np.zeros(vocabulary, np.int8)
        if first + len(words) > np.iinfo(np.int8).max:
            classes = np.zeros(vocabulary, np.int16)
        classes[list(bad)] = 1
        if source is not None:
            classes[:] = -1  # words that are not in the source
        classes[list(words)] = np.arange(first, first + len(words))
        if self.forbidden:
            classes[list(self.forbidden)] = -1
        table = _stepwise_contexts(self.wanted, single, source, words, bad.intersection(words))
        return Automaton(classes, *table)


@lru_cache(maxsize=256)
def _contexts(
    required: int, single: tuple[bool, ...], dangling: bool
) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
    """Automaton.move and .accept: the first `required` marked words must come, and those marked
    words that are `single` only once. Classes: 0 or the mark, and as many again for words that
    may not end the answer."""
    subsets, size = 2 ** len(single), len(single) + 1
    contexts = subsets * (1 + dangling)
    move = np.empty((contexts, size * (1 + dangling)), np.int16)
    accept = np.empty(contexts, np.bool_)
    all_required = 2**required - 1
    for context in range(contexts):
        ends_badly, seen = divmod(context, subsets)
        accept[context] = not ends_badly and seen & all_required == all_required
        for kind in range(move.shape[1]):
            dangles, mark = divmod(kind, size)
            bit = 1 << (mark - 1) if mark else 0
            used_up = mark and seen & bit and single[mark - 1]
            move[context, kind] = -1 if used_up else (seen | bit) + dangles * subsets
    return move, accept


@dataclass(frozen=True)
class _Step:
    """Where an answer stands: how many words of each wanted phrase it has just said (all of them
    once the phrase came), the single words said, the words of the source used up, and whether
    its last word may end it."""

    phrases: tuple[int, ...] = ()
    seen: frozenset[int] = frozenset()
    place: int = 0
    ends: bool = True


@lru_cache(maxsize=64)
def _stepwise_contexts(
    wanted: tuple[tuple[int, ...], ...],
    single: tuple[int, ...],
    source: tuple[int, ...] | None,
    words: tuple[int, ...],
    bad: frozenset[int],
) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
    """Automaton.move and .accept over the contexts that can be reached, as they are."""

    def step(at: _Step, word: int | None, ends: bool) -> _Step | None:
        place = at.place
        if source is not None:
            if word is None or word not in source[place:]:
                return None
            place = source.index(word, place) + 1  # the earliest leaves most for later
        if word in at.seen:
            return None
        come = tuple(_come(phrase, n, word) for phrase, n in zip(wanted, at.phrases, strict=True))
        seen = at.seen | {word} if word in single else at.seen
        if any(not seen.isdisjoint(phrase[n:]) for phrase, n in zip(wanted, come, strict=True)):
            return None  # what is still to come may not come any more
        return _Step(come, seen, place, ends)

    known = [_Step((0,) * len(wanted))]
    number = {known[0]: 0}
    move: list[list[int]] = []
    symbols = [(None, True), (None, False), *((word, word not in bad) for word in words)]
    for at in known:  # which grows
        move.append([])
        for word, ends in symbols:
            after = step(at, word, ends)
            if after is not None and after not in number:
                number[after] = len(known)
                known.append(after)
            move[-1].append(-1 if after is None else number[after])
    whole = tuple(map(len, wanted))
    accept = [at.phrases == whole and at.ends for at in known]
    return np.array(move, np.int16), np.array(accept, np.bool_)


def _come(phrase: tuple[int, ...], come: int, word: int | None) -> int:
    """How many words of a phrase have just been said, after one word more."""
    if come == len(phrase):
        return come
    said = (*phrase[:come], word)
    return next(n for n in range(len(said), -1, -1) if said[len(said) - n :] == phrase[:n])
