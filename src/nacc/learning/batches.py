"""Batches of similar length, cut from a packed corpus that lies on the training device."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nacc.errors import InvalidInput
from nacc.learning import conditioning
from nacc.learning.conditioning import UNCONDITIONED
from nacc.learning.corpus import Corpus, Ragged
from nacc.learning.grading import Graded
from nacc.learning.tagging import Tags
from nacc.runtime.conditions import Conditions
from nacc.text.pieces import PIECES_PER_WORD, Pieces

ROUND = 8  # shapes are multiples of this, so that few distinct ones occur


@dataclass(frozen=True)
class Batch:
    """What `Network.forward` and the losses take; `source` holds the words' numbers in the lexicon,
    `symbols` what stands for them (`Network.probabilities`), `spoken` the target's words as pieces,
    −1 after the end, `tags` their parts of speech from 1, 0 after the end, where they are known,
    `graded` which of them are answers to one source, and how good."""

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
    symbols: Tensor
    tags: Tensor | None = None
    graded: Graded | None = None

    @property
    def words(self) -> int:
        return sum(self.source_lengths)


@dataclass(frozen=True)
class Batching:
    """How a corpus is cut into batches.

    batch_words: source words a batch, padding included
    repeat:      how often the pairs of a file come in an epoch: once where it is not named
    hide:        the share of source words that the encoder is not shown
    weights:     how often each pair comes, besides: 1.5 is once or twice, by chance
    told:        the pieces before each sentence, where not by its headline's voice and length
    """

    batch_words: int
    repeat: Mapping[str, int] = field(default_factory=dict)
    hide: float = 0.0
    seed: int = 0
    weights: NDArray[np.float64] | None = None
    told: NDArray[np.int64] | None = None


class Batches:
    """Plans epochs on the CPU, builds batches on the device."""

    def __init__(
        self,
        corpus: Corpus,
        pieces: Pieces,
        vocabulary: list[str],
        batching: Batching,
        *,
        positions: int,
        device: torch.device,
        conditions: Conditions | None = None,
        tags: Tags | None = None,
    ) -> None:
        if not len(corpus):
            raise InvalidInput("the corpus holds no pair to train on")
        self.batching = batching
        self.device = device
        self.pieces = pieces
        self._source = _on(device, corpus.source)
        self._target = _on(device, corpus.target)
        self._tags: tuple[Tensor, Tensor, Tensor] | None = None
        if tags is not None:
            tags.check_of(corpus)
            marks = torch.from_numpy(tags.of.astype(np.int32)).to(device)
            self._tags = (marks, *self._target[1:])
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
        times = np.array([batching.repeat.get(name, 1) for name in corpus.files])[corpus.group]
        weights = batching.weights
        self._times = times * readable * (1.0 if weights is None else weights)
        self._piece_table = torch.from_numpy(table).to(device)
        self._piece_counts = torch.from_numpy(counts).to(device)
        self.symbol_of = torch.from_numpy(_symbols(corpus.lexicon, vocabulary)).to(device)
        self.words = len(vocabulary)
        self._conditions: tuple[Tensor, Tensor] | None = None  # of each pair, and none at all
        if conditions:
            told = batching.told
            each = conditioning.table(conditions, pieces, corpus) if told is None else told
            none = torch.tensor(conditioning.unconditioned(conditions, pieces), device=device)
            self._conditions = torch.from_numpy(each).to(device), none

    def plan(self, epoch: int) -> list[NDArray[np.int64]]:
        """The epoch's batches as row numbers: a function of the seed and the epoch alone."""
        draw = np.random.default_rng([self.batching.seed, epoch])
        times = np.floor(self._times)
        times += draw.random(len(times)) < self._times - times
        order = draw.permutation(np.repeat(np.arange(len(times)), times.astype(np.int64)))
        # Sorted by length, padding is small, and with whole strides of it few distinct shapes
        # occur; shuffling batches restores chance.
        source, target = (
            -(-n[order] // ROUND) for n in (self._source_lengths, self._target_lengths)
        )
        order = order[np.lexsort((self._sentence_pieces[order], target, source))]
        batches = list(self._cut(order))
        return [batches[i] for i in draw.permutation(len(batches))]

    def _cut(self, rows: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        begin, most = 0, self.batching.batch_words
        while begin < len(rows):
            # Counted as padded: a batch's logits then stay below 2^31 elements, within which
            # compiled kernels index with 32 bits and need not be compiled again.
            words = -(-self._source_lengths[rows[begin : begin + most]] // ROUND)
            widest = np.maximum.accumulate(words * ROUND)
            filled = np.arange(1, len(widest) + 1) * widest
            end = begin + max(1, int(np.searchsorted(filled, most, side="right")))
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
        if self._conditions:  # the last two pieces before the sentence
            each, none = self._conditions
            given = torch.rand((len(rows), 2), device=self.device) >= UNCONDITIONED
            at = len(self.pieces.prefix)
            pieces[:, at - 2 : at] = torch.where(given, each[index], none)
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
            self._symbols(source),
            None if self._tags is None else self._padded(self._tags, index, target.shape[1])[0],
        )

    def spell(self, words: Tensor) -> Tensor:
        """The pieces of words of the lexicon, −1 after the last."""
        within = torch.arange(self._piece_table.shape[1], device=self.device)
        past = within >= self._piece_counts[words][..., None]
        return self._piece_table[words].long().masked_fill(past, -1)

    def _symbols(self, source: Tensor) -> Tensor:
        """(B, S) the symbol of each source word, as `Network.probabilities` takes them."""
        first = (source[:, :, None] == source[:, None, :]).to(torch.uint8).argmax(2)
        known = self.symbol_of[source]
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
        if self.batching.hide:  # some words are read as unknown, though they can still be copied
            hidden = inside & (torch.rand(source.shape, device=self.device) < self.batching.hide)
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


def _symbols(lexicon: list[str], vocabulary: list[str]) -> NDArray[np.int64]:
    """Each word's place in the output vocabulary, −1 for those that are not in it."""
    ids = {word: i for i, word in enumerate(vocabulary)}
    return np.array([ids.get(word, -1) for word in lexicon], dtype=np.int64)


def _up(length: int) -> int:
    return -(-length // ROUND) * ROUND
