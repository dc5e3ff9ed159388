"""Rivals that say all words at once, by a decoder that sees none of them.

`Parallel` is the non-autoregressive decoder of BANG (Qi et al. 2021) without its pretraining: every
place is given the same mark, and the first end says how long the headline is. `Tagged` is after
Yang et al. (2021): a small decoder says the headline's parts of speech one after another; each
place is then given its own, and says a word that was seen with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor, nn

from nacc.errors import InvalidInput
from nacc.learning.autoregressive import END, Autoregressive, DecoderLayer
from nacc.learning.network import MINUS, Loss, Past, initialise, inside, mask_of
from nacc.learning.shape import Shape
from nacc.learning.writing import NEVER, Manner, Source, Written

if TYPE_CHECKING:
    from nacc.learning.batches import Batch
    from nacc.learning.corpus import Corpus
    from nacc.learning.tagging import Tags

_GONE = float("-inf")


class Parallel(Autoregressive):
    def given(self, spoken: Tensor) -> Tensor:
        """The same at every place: (B, T + 1, width)."""
        return self.begin.expand(len(spoken), spoken.shape[1] + 1, -1)

    @torch.no_grad()
    def write(self, source: Source, manner: Manner) -> list[list[Written]]:
        """The most probable word of each place up to the first end, equal neighbours once."""
        encoded = self.encode(source.pieces, source.slots, source.lengths)
        mask = mask_of(inside(encoded, source.lengths), encoded.dtype)
        given = self.begin.expand(len(encoded), manner.words.stop, -1)
        state = self.decode(self.read(encoded), mask, given)
        values = self.shares(state, self.keys(encoded), mask, source.symbols)
        values[:, : manner.words.start, END] = _GONE
        return chosen(values, source)


def chosen(values: Tensor, source: Source) -> list[list[Written]]:
    """The best symbol of each place, (B, T, V + S), up to the first end, equal neighbours once."""
    if source.weights is not None:
        values = values.masked_fill((source.weights >= NEVER)[:, None, :], _GONE)
    best, symbols = values.max(2)
    found = []
    for row, line in zip(best.tolist(), symbols.tolist(), strict=True):
        end = line.index(END) if END in line else len(line)
        said = tuple(w for i, w in enumerate(line[:end]) if i == 0 or w != line[i - 1])
        found.append([Written(said, sum(row[: end + 1]))])
    return found


class Tagged(Parallel):
    """`seen`: (tags, V) which words came with which part of speech; tag 0 is the end's."""

    seen: Tensor

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self.tag = nn.Embedding(shape.tags, shape.width)
        self.tag_layer = DecoderLayer(shape)
        self.tag_norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.tag_output = nn.Linear(shape.width, shape.tags)
        for part in (self.tag, self.tag_layer, self.tag_output):
            part.apply(initialise)
        self.register_buffer("seen", torch.ones(shape.tags, shape.words, dtype=torch.bool))

    def see(self, tags: Tags | None, corpus: Corpus, vocabulary: list[str]) -> None:
        """Take from a corpus which words go with which parts of speech."""
        if tags is None:
            raise InvalidInput("the data were prepared without parts of speech: prepare them anew")
        self.seen.copy_(torch.from_numpy(tags.seen(corpus, vocabulary, self.shape.tags)))

    def inputs(self, batch: Batch, glance: float = 0.0) -> tuple[Any, ...]:
        assert batch.tags is not None
        return *super().inputs(batch), batch.tags

    def forward(  # type: ignore[override]
        self,
        pieces: Tensor,
        slots: Tensor,
        lengths: Tensor,
        labels: Tensor,
        matches: Tensor,
        spoken: Tensor,
        tags: Tensor,
    ) -> Tensor:
        """Log-probabilities of the labels, given their tags, and of the tags and their end, each
        after those before it: (2, B, T + 1), 0 past the end.

        tags: (B, T) numbers from 1, 0 past the end.
        """
        source = self.encode(pieces, slots, lengths)
        mask = mask_of(inside(source, lengths), source.dtype)
        there = F.pad(tags > 0, (0, 1))
        state = self.decode(self.read(source), mask, self.tag(F.pad(tags, (0, 1))))
        about = F.pad(labels, (0, 1), value=-1), F.pad(matches, (0, 1))
        words = self.values(state, self.keys(source), mask, *about).masked_fill(~there, 0.0)
        scores = F.log_softmax(self.tag_scores(source, mask, self._after(tags)).float(), 2)
        said = scores.gather(2, F.pad(tags, (0, 1))[:, :, None])[:, :, 0]
        past = torch.arange(there.shape[1], device=tags.device) > there.sum(1, keepdim=True)
        return torch.stack([words, said.masked_fill(past, 0.0)])

    def loss(self, table: Tensor, batch: Batch) -> Loss:
        """In nats a word: of the words, and of their parts of speech."""
        count = torch.tensor(batch.target_lengths, device=table.device).clamp(min=1)
        words, tags = ((-part.sum(1) / count).mean() for part in table)
        return Loss(words + tags, torch.zeros_like(count[0]), {"words": words, "tags": tags})

    def tag_scores(
        self, source: Tensor, mask: Tensor, given: Tensor, past: Past | None = None
    ) -> Tensor:
        """Of each part of speech after those before it: (B, T, tags)."""
        drop = self.shape.dropout if self.training else 0.0
        before = len(past) if past is not None else 0
        place = torch.arange(before + given.shape[1], device=given.device)
        x = F.dropout(self.tag_norm(given + self.position_embedding(place[before:])), drop)
        later = torch.where(place[None, :] > place[before:, None], MINUS, 0.0).to(x.dtype)
        x = self.tag_layer(x, later[None, None], self.tag_layer.read(source), mask, past)
        scores: Tensor = self.tag_output(x)
        return scores

    def _after(self, tags: Tensor) -> Tensor:
        return torch.cat([self.begin.expand(len(tags), 1, -1), self.tag(tags)], dim=1)

    @torch.no_grad()
    def write(self, source: Source, manner: Manner) -> list[list[Written]]:
        """The most probable tags, one after another; then the words, all at once."""
        encoded = self.encode(source.pieces, source.slots, source.lengths)
        mask = mask_of(inside(encoded, source.lengths), encoded.dtype)
        tags = self._tags(encoded, mask, manner.words)
        state = self.decode(self.read(encoded), mask, self.tag(tags))
        values = self.shares(state, self.keys(encoded), mask, source.symbols)
        words = len(source.own)
        foreign = values.new_zeros((*tags.shape, values.shape[2] - words), dtype=torch.bool)
        values = values.masked_fill(torch.cat([~self.seen[tags], foreign], dim=2), _GONE)
        values[:, :, END] = torch.where(tags > 0, _GONE, 1.0)  # above any word: it ends there
        return chosen(values, source)

    def _tags(self, encoded: Tensor, mask: Tensor, count: range) -> Tensor:
        """(B, T) parts of speech, 0 from the end on."""
        given = self.begin.expand(len(encoded), 1, -1)
        past, said = Past(), []
        done = torch.zeros(len(encoded), dtype=torch.bool, device=encoded.device)
        for length in range(count.stop - 1):
            scores = self.tag_scores(encoded, mask, given, past)[:, 0]
            if length < count.start:
                scores[:, END] = _GONE
            best = scores.argmax(1).masked_fill(done, END)
            said.append(best)
            done = done | (best == END)
            if bool(done.all()):
                break
            given = self.tag(best)[:, None]
        return torch.stack(said, dim=1)
