"""The re-ranker: how probable whole answers are, word after word, all in one parallel pass."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nacc.deadline import check
from nacc.runtime.inputs import PADDING, InputEncoder, padded
from nacc.runtime.prefixes import END, PrefixTree
from nacc.runtime.session import session

END_LABEL, NO_LABEL = 0, -1
MOST_WORDS = 63
"""The longest answer there is a place for in the network."""


class Scorer:
    """A model folder's scorer.onnx, loaded when it is first needed. Safe for several threads."""

    def __init__(self, path: Path, encoder: InputEncoder, threads: int) -> None:
        self._path = path
        self._encoder = encoder
        self._threads = threads
        self._loading = Lock()

    def scores(
        self,
        source: NDArray[np.float32],
        keys: Sequence[str],
        answers: Sequence[Sequence[str]],
    ) -> NDArray[np.float64]:
        """log P of each answer (its word keys) given the sentence, in words and as the encoder
        left it; no answer longer than MOST_WORDS."""
        check()
        feed, tree = tree_feed(self._encoder, source, keys, answers)
        (values,) = self.loaded().run(None, feed)
        return tree.totals(values.astype(np.float64))

    def loaded(self) -> Any:
        """Its graph, which is loaded now if it was not before."""
        with self._loading:
            return self._session

    @cached_property
    def _session(self) -> Any:
        return session(self._path, self._threads)


def tree_feed(
    encoder: InputEncoder,
    source: NDArray[np.float32],
    keys: Sequence[str],
    answers: Sequence[Sequence[str]],
) -> tuple[dict[str, NDArray[Any]], PrefixTree]:
    """What the graph is given of these answers, and the tree that it scores the edges of."""
    tree = PrefixTree.of(answers)
    spelled = [(), *encoder.pieces.of(tree.words)]
    labels = [
        END_LABEL if word == END else encoder.symbol_of.get(word, NO_LABEL) for word in tree.says
    ]
    here = np.array(keys, dtype=object)
    feed: dict[str, NDArray[Any]] = {
        "source": source,
        "pieces": padded(spelled, PADDING),
        "depth": tree.depth,
        "ancestors": tree.ancestors,
        "parent": tree.parents,
        "label": np.array(labels, np.int64),
        "matches": np.array([here == word for word in tree.says], np.bool_),
    }
    return feed, tree
