"""From words to the arrays a network reads; the same for torch and ONNX."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from nacc.text.pieces import PIECES_PER_WORD, Pieces

Ids = NDArray[np.int64]
PADDING = -1


@dataclass(frozen=True)
class Inputs:
    """One batch. Symbols are vocabulary ids, or `words + i` for the source word first at i."""

    pieces: Ids  # (B, P), PADDING after the end
    slots: Ids  # (B, S), where each word's first piece stands
    lengths: Ids  # (B,), words
    symbols: Ids  # (B, S), the symbol of each source word


class InputEncoder:
    """Knows the pieces, the output vocabulary and the limits of one model.

    prefix: the pieces before a sentence; unless given, those that the tokenizer puts there.
    """

    def __init__(
        self,
        pieces: Pieces,
        vocabulary: Sequence[str],
        positions: int,
        max_words: int,
        prefix: Sequence[int] | None = None,
    ):
        self.pieces = pieces
        self.prefix = pieces.prefix if prefix is None else tuple(prefix)
        self.symbol_of = {word: i for i, word in enumerate(vocabulary)}
        self.vocabulary = list(vocabulary)
        self.words = len(vocabulary)
        self.positions = positions
        self.max_words = max_words

    def fitting(self, keys: Sequence[str]) -> int:
        """How many words of this sentence the model can read."""
        room = self.positions - len(self.prefix) - len(self.pieces.suffix)
        if PIECES_PER_WORD * len(keys) <= room and len(keys) <= self.max_words:
            return len(keys)
        ends = accumulate(map(len, self.pieces.of(keys[: self.max_words])))
        return bisect_right(list(ends), room)

    def symbols(self, keys: Sequence[str]) -> list[int]:
        """The symbol of each source word; a word unknown to the vocabulary is its first place."""
        known = map(self.symbol_of.get, keys)
        pairs = zip(keys, known, strict=True)
        return [self.words + keys.index(word) if s is None else s for word, s in pairs]

    def batch(
        self, sentences: Sequence[Sequence[str]], before: Sequence[Sequence[int]] | None = None
    ) -> Inputs:
        """Arrays for sentences given as word keys, each no longer than `fitting` says.

        before: the pieces before each, as many as `prefix` has, if not those.
        """
        rows: list[list[int]] = []
        starts: list[list[int]] = []
        for i, keys in enumerate(sentences):
            row = list(self.prefix if before is None else before[i])
            start = []
            for pieces in self.pieces.of(keys):
                start.append(len(row))
                row.extend(pieces)
            row.extend(self.pieces.suffix)
            rows.append(row)
            starts.append(start)
        return Inputs(
            padded(rows, PADDING),
            padded(starts, 0),
            np.array([len(keys) for keys in sentences], dtype=np.int64),
            padded([self.symbols(keys) for keys in sentences], 0),
        )


def padded(rows: Sequence[Sequence[int]], padding: int) -> Ids:
    """Rows of unequal length as one array."""
    width = max(1, *(len(row) for row in rows)) if rows else 1
    table = np.full((len(rows), width), padding, dtype=np.int64)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table
