"""What networks that write are given and give: a headline as symbols, not a lattice.

They are the autoregressive one and the other papers' networks; each has a `write`. Symbols are
those of `Network`: ε ends a headline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nacc.runtime.inputs import InputEncoder, padded
from nacc.text.words import UNKNOWN_WORDS

if TYPE_CHECKING:
    from nacc.text.pieces import Pieces

WORDS = range(1, 25)
"""How many words a headline has, at least and (one less) at most."""
NEVER = 1 << 40
"""Weighs more than there is ever room for."""


@dataclass(frozen=True)
class Weights:
    """What words weigh: any, and the output words, which are weighed once."""

    of: Callable[[Sequence[str]], NDArray[np.int64]]
    own: NDArray[np.int64]


@dataclass(frozen=True)
class Source:
    """Sentences, as inputs of a network, and how words are spelled.

    symbols: (B, S) of the sentences' words; own: (V, P) the pieces of the output words, −1 after
    the last; theirs: (B, S, P) those of the sentences' words.
    weights: (B, V + S) what each symbol weighs; none: nothing is weighed.
    """

    pieces: Tensor
    slots: Tensor
    lengths: Tensor
    symbols: Tensor
    own: Tensor
    theirs: Tensor
    weights: Tensor | None = None

    def spell(self, rows: Tensor, symbols: Tensor) -> Tensor:
        """The pieces of symbols (N,), each of one of the sentences: (N, P)."""
        words = len(self.own)
        copied = self.theirs[rows, (symbols - words).clamp(min=0)]
        return torch.where(
            (symbols < words)[:, None], self.own[symbols.clamp(max=words - 1)], copied
        )


@dataclass(frozen=True)
class Manner:
    """How to write.

    beam:    how many beginnings are kept, of a network that says one word after another
    words:   how many words there may be
    again:   (V,) which output words may come twice; none: all, as often as they like
    room:    what the words may weigh together; none: nothing is weighed
    least:   what they are to weigh at least, where that can be had
    penalty: headlines are compared by their log-probability over (words + 1) to this power
    ratio:   of slots to source words, of a network whose slots are the source's words
    """

    beam: int = 1
    words: range = WORDS
    again: Tensor | None = None
    room: int | None = None
    least: int = 0
    penalty: float = 1.0
    ratio: float = 0.5


class Written(NamedTuple):
    """A headline, its log-probability (or score), and what it weighs."""

    symbols: tuple[int, ...]
    score: float
    weight: int = 0


@runtime_checkable
class Writes(Protocol):
    """A network that writes."""

    def write(self, source: Source, manner: Manner) -> list[list[Written]]: ...


class Writer:
    """Sentences to headlines, by a network that writes."""

    def __init__(
        self,
        network: Writes,
        encoder: InputEncoder,
        device: torch.device,
        *,
        batch: int = 128,
    ) -> None:
        self.network = network
        self.encoder = encoder
        self.device = device
        self.batch = batch
        pieces, words = encoder.pieces, encoder.vocabulary
        self._own = _spelled(pieces, words).to(device)
        self._unknown = [i for i, word in enumerate(words) if word in UNKNOWN_WORDS]

    @torch.inference_mode()
    def write(
        self, sentences: Sequence[Sequence[str]], manner: Manner, weights: Weights | None = None
    ) -> Iterator[list[list[str]]]:
        """The headlines of each sentence, best first; of each, as much as the network can read.

        weights: what words weigh, where the manner has a room.
        """
        for begin in range(0, len(sentences), self.batch):
            part = [
                keys[: self.encoder.fitting(keys)] for keys in sentences[begin : begin + self.batch]
            ]
            source = self._source(part, weights)
            with torch.autocast(self.device.type, torch.bfloat16, enabled=self._coarse):
                found = self.network.write(source, manner)
            for keys, written in zip(part, found, strict=True):
                yield [[self._word(keys, symbol) for symbol in one.symbols] for one in written]

    @property
    def _coarse(self) -> bool:
        return self.device.type == "cuda"

    def _source(self, part: Sequence[Sequence[str]], weights: Weights | None) -> Source:
        inputs = self.encoder.batch(part)
        longest = inputs.symbols.shape[1]
        arrays = (inputs.pieces, inputs.slots, inputs.lengths, inputs.symbols)
        pieces, slots, lengths, symbols = (torch.from_numpy(a).to(self.device) for a in arrays)
        spelled = [_spelled(self.encoder.pieces, keys, longest) for keys in part]
        theirs = torch.stack(spelled).to(self.device)
        weighed = None if weights is None else self._weighed(part, weights, longest)
        return Source(pieces, slots, lengths, symbols, self._own, theirs, weighed)

    def _weighed(self, part: Sequence[Sequence[str]], weights: Weights, longest: int) -> Tensor:
        words = len(weights.own)
        table = np.full((len(part), words + longest), NEVER)
        table[:, :words] = weights.own
        table[:, 0] = 0
        table[:, self._unknown] = NEVER
        for i, keys in enumerate(part):
            table[i, words : words + len(keys)] = weights.of(keys)
            unknown = [words + j for j, word in enumerate(keys) if word in UNKNOWN_WORDS]
            table[i, unknown] = NEVER
        return torch.from_numpy(table).to(self.device)

    def _word(self, keys: Sequence[str], symbol: int) -> str:
        words = self.encoder.vocabulary
        return words[symbol] if symbol < len(words) else keys[symbol - len(words)]


def _spelled(pieces: Pieces, words: Sequence[str], rows: int = 0) -> Tensor:
    """(words or more, P), always as wide as any word can be."""
    from nacc.text.pieces import PIECES_PER_WORD

    table = np.full((max(rows, len(words)), PIECES_PER_WORD), -1, np.int64)
    found = padded(pieces.of(words), -1)
    table[: len(words), : found.shape[1]] = found
    return torch.from_numpy(table)
