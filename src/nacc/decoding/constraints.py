"""Constraints on the words of an answer, as a small automaton that the decoders carry along.

A context remembers which marked words were emitted so far and whether the last one may not end
the answer. Emitting a word moves from context to context; ε and repeats do not. The decoders'
tables get one copy per context, so whatever the automaton says is met exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MOST_REQUIRED = 3
MOST_MARKED = 7  # 2^7 contexts, at most twice that with no_dangling


class Automaton(NamedTuple):
    """classes (S, K): what each candidate means, below 0 if forbidden; move[context, class] is
    the next context, below 0 if there is none; accept[context]: an answer may end there."""

    classes: NDArray[np.int8]
    move: NDArray[np.int16]
    accept: NDArray[np.bool_]


_ONE_CONTEXT = (np.zeros((1, 1), np.int16), np.ones(1, np.bool_))


@dataclass(frozen=True)
class Constraints:
    """Word ids that must appear, must not, may not end the answer, may appear only once."""

    required: tuple[int, ...] = ()
    forbidden: tuple[int, ...] = ()
    no_dangling: tuple[int, ...] = ()
    once: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.required or self.forbidden or self.no_dangling or self.once)

    def automaton(self, words: NDArray[np.int32], single: tuple[int, ...] = ()) -> Automaton:
        """The automaton over a lattice's words; words in `single` may be emitted once only."""
        if not (self.required or self.forbidden or self.no_dangling or single):
            return Automaton(np.zeros(words.shape, np.int8), *_ONE_CONTEXT)
        marked = self.marked(single)
        classes = np.zeros(words.shape, np.int8)
        for mark, word in enumerate(marked):
            classes[words == word] = mark + 1
        size = len(marked) + 1
        if self.no_dangling:
            classes[np.isin(words, self.no_dangling)] += size
        classes[np.isin(words, self.forbidden)] = -1
        contexts = 2 ** len(marked) * (2 if self.no_dangling else 1)
        move = np.empty((contexts, 2 * size), np.int16)
        accept = np.empty(contexts, np.bool_)
        all_required = sum(1 << marked.index(word) for word in self.required)
        for context in range(contexts):
            dangling, seen = divmod(context, 2 ** len(marked))
            accept[context] = not dangling and seen & all_required == all_required
            for kind in range(2 * size):
                dangles, mark = divmod(kind, size)
                bit = 1 << (mark - 1) if mark else 0
                used_up = bool(seen & bit) and marked[mark - 1] in single
                to = (seen | bit) + dangles * 2 ** len(marked)
                move[context, kind] = -1 if used_up or to >= contexts else to
        return Automaton(classes, move, accept)

    def marked(self, single: tuple[int, ...]) -> tuple[int, ...]:
        """The words the automaton remembers having seen."""
        return self.required + tuple(word for word in single if word not in self.required)
