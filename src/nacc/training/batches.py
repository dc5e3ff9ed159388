"""Batches of similar length, cut from a packed corpus that lies on the training device."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nacc.errors import InvalidInput
from nacc.text.pieces import PIECES_PER_WORD, Pieces
from nacc.training.corpus import Corpus, Ragged
from nacc.training.cues import UNTOLD, Cues

ROUND = 8  # shapes are multiples of this, so that few distinct ones occur


@dataclass(frozen=True)
class Batch:
    """What `Network.forward` and the losses take; `source` holds the words' numbers in the lexicon,
    `spoken` the target's words as pieces, −1 after the end."""

    source: Tensor
    pieces: Tensor
    slots: Tensor
    lengths: Tensor
    labels: Tensor
    matches: Tensor
    spoken: Tensor
    targets: Tensor
    source_lengths: list[int]
    target_lengths: list[int]

    @property
    def words(self) -> int:
        return sum(self.source_lengths)


class Batches:
    """Plans epochs on the CPU, builds batches on the device."""

    def __init__(
        self,
        corpus: Corpus,
        pieces: Pieces,
        vocabulary: list[str],
        *,
        repeat: dict[str, int],
        batch_words: int,
        hide: float,
        seed: int,
        positions: int,
        device: torch.device,
        cues: Cues | None = None,
        weights: NDArray[np.float64] | None = None,
    ) -> None:
        if not len(corpus):
            raise InvalidInput("the corpus holds no pair to train on")
        self.batch_words = batch_words
        self.hide = hide
        self.seed = seed
        self.device = device
        self.pieces = pieces
        self._source = _on(device, corpus.source)
        self._target = _on(device, corpus.target)
        self._source_lengths = corpus.source.lengths
        self._target_lengths = corpus.target.lengths
        table, counts = _piece_table(corpus.lexicon, pieces)
        self._sentence_pieces = np.add.reduceat(
            counts[corpus.source.flat], corpus.source.starts
        ).astype(np.int64)
        ends = len(pieces.prefix) + len(pieces.suffix)
        readable = -(-(self._sentence_pieces + ends) // ROUND) * ROUND <= positions
        if not readable.any():
            raise InvalidInput(f"no source is short enough for a network of {positions} positions")
        times = np.array([repeat.get(name, 1) for name in corpus.files])[corpus.group]
        # How often each pair comes in an epoch, on average: 1.5 is once or twice, by chance.
        self._times = times * readable * (1.0 if weights is None else weights)
        self._piece_table = torch.from_numpy(table).to(device)
        self._piece_counts = torch.from_numpy(counts).to(device)
        ids = {word: i for i, word in enumerate(vocabulary)}
        symbols = np.array([ids.get(word, -1) for word in corpus.lexicon], dtype=np.int64)
        self.symbol_of = torch.from_numpy(symbols).to(device)
        self.words = len(vocabulary)
        self._cues: tuple[Tensor, Tensor] | None = None  # of each pair, and those that say nothing
        if cues:
            each = torch.from_numpy(cues.table(pieces, corpus)).to(device)
            self._cues = each, torch.tensor(cues.untold(pieces), device=device)

    def plan(self, epoch: int) -> list[NDArray[np.int64]]:
        """The epoch's batches as row numbers: a function of the seed and the epoch alone."""
        draw = np.random.default_rng([self.seed, epoch])
        times = np.floor(self._times)
        if (times < self._times).any():
            times += draw.random(len(times)) < self._times - times
        order = draw.permutation(np.repeat(np.arange(len(times)), times.astype(np.int64)))
        # Sorted by length, padding is small, and with whole strides of it few distinct shapes
        # occur; shuffling batches restores chance.
        strides = -(-self._source_lengths[order] // ROUND)
        order = order[np.lexsort((self._sentence_pieces[order], strides))]
        batches = list(self._cut(order))
        return [batches[i] for i in draw.permutation(len(batches))]

    def _cut(self, rows: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        begin = 0
        while begin < len(rows):
            # Counted as padded: a batch's logits then stay below 2^31 elements, within which
            # compiled kernels index with 32 bits and need not be compiled again.
            words = -(-self._source_lengths[rows[begin : begin + self.batch_words]] // ROUND)
            widest = np.maximum.accumulate(words * ROUND)
            filled = np.arange(1, len(widest) + 1) * widest
            end = begin + max(1, int(np.searchsorted(filled, self.batch_words, side="right")))
            yield rows[begin:end]
            begin = end

    def build(self, rows: NDArray[np.int64]) -> Batch:
        source_lengths = self._source_lengths[rows]
        target_lengths = self._target_lengths[rows]
        index = torch.from_numpy(rows).to(self.device)
        source, inside = self._padded(self._source, index, _up(int(source_lengths.max())))
        target, said = self._padded(self._target, index, _up(int(target_lengths.max())))
        ends = len(self.pieces.prefix) + len(self.pieces.suffix)
        width = _up(int(self._sentence_pieces[rows].max()) + ends)
        pieces, slots = self._spell(source, inside, width)
        if self._cues:  # the last two pieces before the sentence
            each, untold = self._cues
            told = torch.rand((len(rows), 2), device=self.device) >= UNTOLD
            at = len(self.pieces.prefix)
            pieces[:, at - 2 : at] = torch.where(told, each[index], untold)
        labels = torch.where(said, self.symbol_of[target], -1)
        matches = (source[:, :, None] == target[:, None, :]) & inside[:, :, None] & said[:, None, :]
        same = (target[:, :, None] == target[:, None, :]).to(torch.uint8)
        return Batch(
            source,
            pieces,
            slots,
            inside.sum(1),
            labels,
            matches,
            self.spell(target).masked_fill(~said[:, :, None], -1),
            same.argmax(2) + 1,
            source_lengths.tolist(),
            target_lengths.tolist(),
        )

    def spell(self, words: Tensor) -> Tensor:
        """The pieces of words of the lexicon, −1 after the last."""
        within = torch.arange(self._piece_table.shape[1], device=self.device)
        past = within >= self._piece_counts[words][..., None]
        return self._piece_table[words].long().masked_fill(past, -1)

    def symbols(self, batch: Batch) -> Tensor:
        """(B, S) the symbol of each source word, as `Network.probabilities` takes them."""
        first = (batch.source[:, :, None] == batch.source[:, None, :]).to(torch.uint8).argmax(2)
        known = self.symbol_of[batch.source]
        return torch.where(known >= 0, known, self.words + first)

    def _padded(
        self, ragged: tuple[Tensor, Tensor, Tensor], rows: Tensor, width: int
    ) -> tuple[Tensor, Tensor]:
        flat, starts, lengths = ragged
        place = torch.arange(width, device=self.device)
        inside = place < lengths[rows][:, None]
        at = (starts[rows][:, None] + place).clamp(max=len(flat) - 1)
        return torch.where(inside, flat[at].long(), 0), inside

    def _spell(self, source: Tensor, inside: Tensor, width: int) -> tuple[Tensor, Tensor]:
        """Pieces end to end (padded with −1), and where each word's first piece stands."""
        batch = source.shape[0]
        prefix, suffix = self.pieces.prefix, self.pieces.suffix
        spelled = self._piece_table[source].long()
        counts = torch.where(inside, self._piece_counts[source], 0)
        if self.hide:  # some words are read as unknown, though they can still be copied
            hidden = inside & (torch.rand(source.shape, device=self.device) < self.hide)
            counts = torch.where(hidden, 1, counts)
            spelled = torch.where(hidden[:, :, None], self.pieces.unknown, spelled)
        ends = counts.cumsum(1) + len(prefix)
        slots = ends - counts
        within = torch.arange(self._piece_table.shape[1], device=self.device)
        at = torch.where(within < counts[:, :, None], slots[:, :, None] + within, width)
        pieces = torch.full((batch, width + 1), -1, device=self.device)
        pieces.scatter_(1, at.flatten(1), spelled.flatten(1))
        for i, piece in enumerate(prefix):
            pieces[:, i] = piece
        for i, piece in enumerate(suffix):
            pieces.scatter_(1, (ends[:, -1:] + i).clamp(max=width), piece)
        return pieces[:, :width], torch.where(inside, slots, 0)


def _on(device: torch.device, ragged: Ragged) -> tuple[Tensor, Tensor, Tensor]:
    parts = (ragged.flat, ragged.starts, ragged.lengths.astype(np.int64))
    flat, starts, lengths = (torch.from_numpy(np.ascontiguousarray(p)).to(device) for p in parts)
    return flat, starts, lengths


def _piece_table(lexicon: list[str], pieces: Pieces) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    spelled = [
        ids for i in range(0, len(lexicon), 50_000) for ids in pieces.of(lexicon[i : i + 50_000])
    ]
    table = np.zeros((len(lexicon), PIECES_PER_WORD), dtype=np.int32)
    counts = np.array([len(ids) for ids in spelled], dtype=np.int64)
    for i, ids in enumerate(spelled):
        table[i, : len(ids)] = ids
    return np.ascontiguousarray(table[:, : int(counts.max())]), counts


def _up(length: int) -> int:
    return -(-length // ROUND) * ROUND
