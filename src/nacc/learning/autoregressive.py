"""The same network with a decoder: it says one word after another, knowing what it has said.

Slower by far, and the better writer: the non-autoregressive model learns from its headlines, and
the paper compares itself with it. Encoder, output words and pointer are those of `Network`; ε ends
a headline.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor, nn

from nacc.learning.network import MINUS, Layer, Loss, Network, initialise, inside, mask_of
from nacc.learning.shape import Shape

if TYPE_CHECKING:
    from nacc.learning.batches import Batch

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
        self, x: Tensor, later: Tensor, read: tuple[Tensor, Tensor], mask: Tensor
    ) -> Tensor:
        """x: (B, T, width); later and mask: added to the attention scores, they hide the words
        not yet said and what is no word of the source."""
        batch, length, width = x.shape
        q = self.query(x).view(batch, length, self.heads, -1).transpose(1, 2)
        drop = self.dropout if self.training else 0.0
        seen = F.scaled_dot_product_attention(q, *read, attn_mask=mask, dropout_p=drop)
        mixed = self.mix(seen.transpose(1, 2).reshape(batch, length, width))
        looked: Tensor = self.layer(self.norm(x + F.dropout(mixed, drop)), later)
        return looked


class Autoregressive(Network):
    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
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
        state = self.decode(self.read(source), mask, self.words(spoken))
        vocabulary, copy = self.speak(state, source, mask)
        vocabulary = vocabulary.float()
        total = torch.logaddexp(torch.logsumexp(vocabulary, 2), torch.logsumexp(copy, 2))
        words = (spoken[:, :, 0] >= 0).sum(1, keepdim=True)
        place = torch.arange(labels.shape[1] + 1, device=labels.device)[None, :]
        labels = F.pad(labels, (0, 1), value=-1).masked_fill(place == words, END)
        said = vocabulary.gather(2, labels.clamp(min=0)[:, :, None])[:, :, 0]
        said = said.masked_fill(labels < 0, MINUS)
        there = F.pad(matches, (0, 1)).transpose(1, 2)
        copied = torch.logsumexp(copy.masked_fill(~there, MINUS), 2)
        values = torch.logaddexp(said, copied) - total
        return values.masked_fill(place > words, 0.0)

    def read(self, source: Tensor) -> list[tuple[Tensor, Tensor]]:
        """What each layer of the decoder looks at."""
        return [layer.read(source) for layer in self.decoder if isinstance(layer, DecoderLayer)]

    def words(self, spoken: Tensor) -> Tensor:
        """A vector a word, the mean of its pieces': (B, T, P) → (B, T, width)."""
        there = (spoken >= 0)[:, :, :, None]
        parts: Tensor = self.piece_embedding(spoken.clamp(min=0)) * there
        return parts.sum(2) / there.sum(2).clamp(min=1)

    def decode(self, read: Sequence[tuple[Tensor, Tensor]], mask: Tensor, words: Tensor) -> Tensor:
        """What is known before each word and before the end: (B, T + 1, width)."""
        drop = self.shape.dropout if self.training else 0.0
        x = torch.cat([self.begin.expand(len(words), 1, -1), words], dim=1)
        place = torch.arange(x.shape[1], device=x.device)
        x = F.dropout(self.decoder_norm(x + self.position_embedding(place)), drop)
        later = torch.where(place[None, :] > place[:, None], MINUS, 0.0).to(x.dtype)[None, None]
        for layer, source in zip(self.decoder, read, strict=True):
            x = layer(x, later, source, mask)
        return x

    def speak(self, state: Tensor, source: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Vocabulary logits (B, T, V) and the pointer's (B, T, S)."""
        return self.output(self.top(state)), self.point(state, source) + mask[:, 0]

    @torch.no_grad()
    def write(
        self,
        pieces: Tensor,
        slots: Tensor,
        lengths: Tensor,
        symbols: Tensor,
        spell: Callable[[Tensor], Tensor],
        again: Tensor,
        count: range,
    ) -> Tensor:
        """The most probable word, again and again: (B, words) symbols, ε from the end on.

        symbols: (B, S) of the source's words; spell: how symbols (B,) are spelled, (B, P);
        again: (V,) which words of the vocabulary may come twice; count: how many words there are.
        """
        source = self.encode(pieces, slots, lengths)
        mask = mask_of(inside(source, lengths), source.dtype)
        read = self.read(source)
        same = symbols[:, :, None] == symbols[:, None, :]
        known = symbols < len(again)
        said = torch.zeros((len(pieces), 0), dtype=torch.long, device=pieces.device)
        words = source[:, :0]
        done = torch.zeros(len(pieces), dtype=torch.bool, device=pieces.device)
        for length in range(count.stop - 1):
            state = self.decode(read, mask, words)[:, -1:]
            own, copy = (part[:, 0] for part in self.speak(state, source, mask))
            # A source word's share: that of every place it stands at, and the vocabulary's.
            copied = torch.logsumexp(torch.where(same, copy[:, None, :], MINUS), 2)
            listed = own.gather(1, symbols.clamp(max=len(again) - 1)).float()
            copied = torch.logaddexp(copied, listed.masked_fill(~known, MINUS)) + mask[:, 0, 0]
            barred = ~(again[said.clamp(max=len(again) - 1)] & (said < len(again)))
            barred[:, -1:] = True  # never one word twice in a row
            twice = (symbols[:, :, None] == said[:, None, :]) & barred[:, None, :]
            copied = copied.masked_fill(twice.any(2), MINUS)
            end = own[:, END].clone() if length >= count.start else MINUS
            own.scatter_(1, torch.where(barred & (said < len(again)), said, END), MINUS)
            own[:, END] = end
            value, word = own.max(1)
            better, place = copied.max(1)
            chosen = symbols.gather(1, place[:, None])[:, 0]
            best = torch.where(better > value, chosen, word).masked_fill(done, END)
            done = done | (best == END)
            said = torch.cat([said, best[:, None]], dim=1)
            if bool(done.all()):
                break
            words = torch.cat([words, self.words(spell(best)[:, None])], dim=1)
        return said
