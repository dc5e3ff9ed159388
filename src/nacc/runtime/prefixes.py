"""The answers to be scored as a prefix tree: what several begin with is scored once.

Node 0 is nothing said; every other node is the beginning of an answer, its last word said. Edges
are what may come next: a node's own word after its parent, or the end after a whole answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

END = ""
"""What an edge says where an answer ends; no word is empty."""


@dataclass(frozen=True, eq=False)
class PrefixTree:
    """words:     the last word of every node but the first.
    depth:     (N,) how many words each node has said.
    ancestors: (N, N) whether a node is a beginning of another, itself included.
    parents:   (E,) the node each edge leaves …
    says:      … and the word it adds, or END.
    """

    words: tuple[str, ...]
    depth: NDArray[np.int64]
    ancestors: NDArray[np.bool_]
    parents: NDArray[np.int64]
    says: tuple[str, ...]
    _ends: NDArray[np.int64]  # (answers,) the node each answer ends in

    @classmethod
    def of(cls, answers: Sequence[Sequence[str]]) -> PrefixTree:
        """The tree of all beginnings of these answers."""
        nodes: dict[tuple[int, str], int] = {}
        ends = []
        for words in answers:
            node = 0
            for word in words:
                node = nodes.setdefault((node, word), len(nodes) + 1)
            ends.append(node)
        whole = list(dict.fromkeys(ends))
        above = [parent for parent, _ in nodes]
        ancestors = np.eye(len(nodes) + 1, dtype=np.bool_)
        for node, parent in enumerate(above, start=1):  # parents come before their children
            ancestors[node] |= ancestors[parent]
        return cls(
            tuple(word for _, word in nodes),
            ancestors.sum(1, dtype=np.int64) - 1,
            ancestors,
            np.array(above + whole, np.int64),
            (*(word for _, word in nodes), *[END] * len(whole)),
            np.array(ends, np.int64),
        )

    @cached_property
    def paths(self) -> NDArray[np.bool_]:
        """(answers, E): the edges along each answer, its end included."""
        nodes = len(self.words)
        ends = self.parents[nodes:][None, :] == self._ends[:, None]
        return np.concatenate([self.ancestors[self._ends, 1:], ends], axis=1)

    def totals(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum of the edges' values along each answer."""
        totals: NDArray[np.float64] = self.paths @ values
        return totals
