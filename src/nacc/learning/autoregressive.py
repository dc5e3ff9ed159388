"""The same network with a decoder: it says one word after another, knowing what it has said.

Slower by far, and the better writer: the non-autoregressive model learns from its headlines, and
the paper compares itself with it. Encoder, output words and pointer are those of `Network`; ε ends
a headline. How it writes is in `beam`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor, nn

from nacc.learning.network import (
    MINUS,
    Layer,
    Loss,
    Network,
    Past,
    initialise,
    inside,
    mask_of,
    merged,
)
from nacc.learning.shape import Shape

if TYPE_CHECKING:
    from nacc.learning.batches import Batch
    from nacc.learning.writing import Manner, Source, Written

END = 0


class DecoderLayer(nn.Module):
    """A look at the source, then the encoder's own kind of layer over the words said so far."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        self.dropout = shape.dropout
        self.query = nn.Linear(width, width)
        self.source = nn.Linear(width, 2 * width)
        self.mix = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.layer = Layer(shape)

    def read(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """The source (B, S, width) as keys and values."""
        batch, length, width = source.shape
        heads = self.source(source).view(batch, length, 2, self.heads, width // self.heads)
        k, v = heads.permute(2, 0, 3, 1, 4)
        return k, v

    def forward(
        self,
        x: Tensor,
        later: Tensor,
        read: tuple[Tensor, Tensor],
        mask: Tensor,
        past: Past | None = None,
    ) -> Tensor:
        """x: (B, T, width); later and mask: added to the attention scores, they hide the words
        not yet said and what is no word of the source; past: the words before x."""
        batch, length, width = x.shape
        q = self.query(x).view(batch, length, self.heads, -1).transpose(1, 2)
        drop = self.dropout if self.training else 0.0
        seen = F.scaled_dot_product_attention(q, *read, attn_mask=mask, dropout_p=drop)
        mixed = self.mix(seen.transpose(1, 2).reshape(batch, length, width))
        looked: Tensor = self.layer(self.norm(x + F.dropout(mixed, drop)), later, past)
        return looked


class Autoregressive(Network):
    trained: ClassVar = (*Network.trained, "word_layers")
    compiled: ClassVar = (Layer, DecoderLayer)

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        if shape.copy:
            del self.distance  # between places of one sequence; source and headline are two
        self.decoder = nn.ModuleList(DecoderLayer(shape) for _ in range(shape.decoder_layers))
        self.begin = nn.Parameter(torch.zeros(shape.width))
        self.decoder_norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.decoder.apply(initialise)

    def inputs(self, batch: Batch, glance: float = 0.0) -> tuple[Any, ...]:
        return *super().inputs(batch), batch.spoken

    def loss(self, table: Tensor, batch: Batch) -> Loss:
        """The mean loss, in nats a word or end; no pair is without an alignment."""
        words = torch.tensor(batch.target_lengths, device=table.device).clamp(min=1)
        return Loss((-table.sum(1) / (words + 1)).mean(), torch.zeros_like(words[0]))

    def forward(  # type: ignore[override]
        self,
        pieces: Tensor,
        slots: Tensor,
        lengths: Tensor,
        labels: Tensor,
        matches: Tensor,
        spoken: Tensor,
    ) -> Tensor:
        """Log-probabilities of each label after those before it, then of the end: (B, T + 1).

        Past the end, 0. spoken: (B, T, P) the labels as pieces, −1 where there is none.
        """
        source = self.encode(pieces, slots, lengths)
        mask = mask_of(inside(source, lengths), source.dtype)
        state = self.decode(self.read(source), mask, self.given(spoken))
        words = (spoken[:, :, 0] >= 0).sum(1, keepdim=True)
        place = torch.arange(labels.shape[1] + 1, device=labels.device)[None, :]
        labels = F.pad(labels, (0, 1), value=-1).masked_fill(place == words, END)
        values = self.values(state, self.keys(source), mask, labels, F.pad(matches, (0, 1)))
        return values.masked_fill(place > words, 0.0)

    def values(
        self, state: Tensor, keys: Tensor, mask: Tensor, labels: Tensor, matches: Tensor
    ) -> Tensor:
        """The log-probability of the label of each place: (B, T)."""
        vocabulary, copy = self.speak(state, keys, mask)
        vocabulary = vocabulary.float()
        total = torch.logaddexp(torch.logsumexp(vocabulary, 2), torch.logsumexp(copy, 2))
        said = vocabulary.gather(2, labels.clamp(min=0)[:, :, None])[:, :, 0]
        said = said.masked_fill(labels < 0, MINUS)
        copied = torch.logsumexp(copy.masked_fill(~matches.transpose(1, 2), MINUS), 2)
        return torch.logaddexp(said, copied) - total

    def read(self, source: Tensor) -> list[tuple[Tensor, Tensor]]:
        """What each layer of the decoder looks at."""
        return [layer.read(source) for layer in self.decoder if isinstance(layer, DecoderLayer)]

    def keys(self, source: Tensor) -> Tensor:
        """What the pointer sees of the source."""
        seen: Tensor = self.key(source) if self.shape.copy else source
        return seen

    def words(self, spoken: Tensor) -> Tensor:
        """A vector a word, the mean of its pieces': (B, T, P) → (B, T, width)."""
        there = (spoken >= 0)[:, :, :, None]
        parts: Tensor = self.piece_embedding(spoken.clamp(min=0)) * there
        return parts.sum(2) / there.sum(2).clamp(min=1)

    def given(self, spoken: Tensor) -> Tensor:
        """What each place is given, and the end's: the word before it, (B, T + 1, width)."""
        words = self.words(spoken)
        return torch.cat([self.begin.expand(len(words), 1, -1), words], dim=1)

    def decode(
        self,
        read: Sequence[tuple[Tensor, Tensor]],
        mask: Tensor,
        given: Tensor,
        past: Sequence[Past] | None = None,
    ) -> Tensor:
        """What is known at each place, (B, T, width), of it and those before it.

        past: of each layer, what it has seen of the places before the first.
        """
        drop = self.shape.dropout if self.training else 0.0
        before = len(past[0]) if past else 0
        place = torch.arange(before + given.shape[1], device=given.device)
        x: Tensor = given + self.position_embedding(place[before:])
        x = F.dropout(self.decoder_norm(x), drop)
        later = torch.where(place[None, :] > place[before:, None], MINUS, 0.0).to(x.dtype)
        for i, layer in enumerate(self.decoder):
            x = layer(x, later[None, None], read[i], mask, past[i] if past else None)
        return x

    def speak(self, state: Tensor, keys: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Vocabulary logits (B, T, V) and the pointer's (B, T, S)."""
        vocabulary: Tensor = self.output(self.top(state))
        if not self.shape.copy:
            return vocabulary, torch.full(
                (*state.shape[:2], keys.shape[1]), MINUS, device=mask.device
            )
        return vocabulary, self.pointed_at(state, keys) + mask[:, 0]

    def shares(self, state: Tensor, keys: Tensor, mask: Tensor, symbols: Tensor) -> Tensor:
        """Log-probabilities of all symbols at each place, (B, T, V + S)."""
        return merged(*self.speak(state, keys, mask), symbols).clamp(min=1e-30).log()

    def write(self, source: Source, manner: Manner) -> list[list[Written]]:
        """Headlines for each sentence, best first."""
        from nacc.learning.beam import search

        return search(self, source, manner)
