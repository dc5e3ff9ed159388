"""Constraints on the words of an answer, as a small automaton that the decoders carry along.

A context remembers which marked words were emitted so far and whether the last one may not end
the answer. Emitting a word moves from context to context; ε and repeats do not. The decoders'
tables get one copy per context, so whatever the automaton says is met exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from nacc.decoding.kernels.arrays import Automaton

MOST_REQUIRED = 3
MOST_MARKED = 7  # 2^7 contexts, at most twice that with no_dangling


@dataclass(frozen=True)
class Constraints:
    """Word ids that must appear, must not, may not end the answer, may appear only once."""

    required: tuple[int, ...] = ()
    forbidden: tuple[int, ...] = ()
    no_dangling: frozenset[int] = frozenset()
    once: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.required or self.forbidden or self.no_dangling or self.once)

    def automaton(
        self, vocabulary: int, single: tuple[int, ...] = (), *, endings: bool = True
    ) -> Automaton:
        """The automaton over word ids below `vocabulary`. Of `once`, it knows the words in
        `single`; and of `no_dangling` nothing unless `endings`."""
        marked = self.marked(single)
        dangling = endings and bool(self.no_dangling)
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

    def marked(self, single: tuple[int, ...]) -> tuple[int, ...]:
        """The words the automaton remembers having seen."""
        return self.required + tuple(word for word in single if word not in self.required)


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
