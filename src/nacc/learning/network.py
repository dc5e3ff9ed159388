"""The network: a Transformer encoder with one prediction slot per source word.

One class serves both the paper's model (whole words in, tied output) and the default one (word
pieces in, one slot a word, output words plus the source's own): they differ in `Shape` only.
Symbols 0..V-1 are the output vocabulary, 0 being ε; symbol V+i is the source word at position i.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor, nn

from nacc.learning.ctc import negative_log_likelihood
from nacc.learning.shape import Shape

if TYPE_CHECKING:
    from nacc.learning.batches import Batch

REACH = 8  # how far the pointer's own sense of distance goes, in words
MINUS = -1e4  # stands for −∞ where bf16 and ONNX must carry it


class Past:
    """The keys and values of what a layer has seen: (B, heads, N, width of a head)."""

    def __init__(self) -> None:
        self._seen: tuple[Tensor, Tensor] | None = None

    def __len__(self) -> int:
        return 0 if self._seen is None else self._seen[0].shape[2]

    def add(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """All keys and values, with these after them."""
        if self._seen is not None:
            k, v = torch.cat([self._seen[0], k], dim=2), torch.cat([self._seen[1], v], dim=2)
        self._seen = k, v
        return self._seen

    def keep(self, rows: Tensor) -> None:
        """Only these rows go on, in this order."""
        if self._seen is not None:
            self._seen = self._seen[0][rows], self._seen[1][rows]


class Layer(nn.Module):
    """Self-attention and a feed-forward part, each normalised after its residual sum."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        self.dropout = shape.dropout
        self.activation = F.gelu if shape.activation == "gelu" else F.relu
        self.qkv = nn.Linear(width, 3 * width)
        self.mix = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, eps=1e-12)
        self.inner = nn.Linear(width, shape.inner)
        self.outer = nn.Linear(shape.inner, width)
        self.output_norm = nn.LayerNorm(width, eps=1e-12)

    def forward(self, x: Tensor, mask: Tensor, past: Past | None = None) -> Tensor:
        """x: (B, N, width); mask: (B, 1, 1, N), added to the attention scores; past: what came
        before x, and is looked at too."""
        batch, length, width = x.shape
        heads = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = heads.permute(2, 0, 3, 1, 4)
        if past is not None:
            k, v = past.add(k, v)
        drop = self.dropout if self.training else 0.0
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=drop)
        mixed = self.mix(seen.transpose(1, 2).reshape(batch, length, width))
        x = self.attention_norm(x + F.dropout(mixed, drop))
        inner = self.outer(self.activation(self.inner(x)))
        return self.output_norm(x + F.dropout(inner, drop))  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Loss:
    """`total` is what is learnt from, in nats a target word; `unaligned` counts the pairs that it
    leaves out, as nothing the network can say gives them; `parts` are reported besides."""

    total: Tensor
    unaligned: Tensor
    parts: Mapping[str, Tensor] = field(default_factory=dict)

    def detach(self, **more: Tensor) -> Loss:
        """For the report, with more parts."""
        parts = {name: part.detach() for name, part in {**self.parts, **more}.items()}
        return Loss(self.total.detach(), self.unaligned.detach(), parts)


class Network(nn.Module):
    """A kind of network is a subclass: what it takes of a batch, what it gives, and its loss."""

    trained: ClassVar[tuple[str, ...]] = (
        *("piece_embedding", "position_embedding", "embedding_norm", "layers"),
    )
    """The parts that a run seldom starts anew; the others may learn at a rate of their own."""
    compiled: ClassVar[tuple[type[nn.Module], ...]] = ()
    """The parts that are compiled one by one; without any, the network is, as a whole."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        width = shape.width
        self.piece_embedding = nn.Embedding(shape.pieces, width)
        self.position_embedding = nn.Embedding(shape.positions, width)
        self.embedding_norm = nn.LayerNorm(width, eps=1e-12)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.word_layers = nn.ModuleList(Layer(shape) for _ in range(shape.word_layers))
        self.transform = nn.Linear(width, width)
        self.transform_norm = nn.LayerNorm(width, eps=1e-12)
        self.output = nn.Linear(width, shape.words)
        if shape.copy:
            self.query = nn.Linear(width, width)
            self.key = nn.Linear(width, width)
            self.distance = nn.Parameter(torch.zeros(2 * REACH + 1))
        self.apply(initialise)
        if shape.tied:
            self.output.weight = self.piece_embedding.weight

    def encode(self, pieces: Tensor, slots: Tensor, lengths: Tensor) -> Tensor:
        """pieces: (B, P), padded with −1; slots: (B, S), where each word's first piece stands;
        lengths: (B,) words. Gives one vector a word: (B, S, width)."""
        drop = self.shape.dropout if self.training else 0.0
        real = pieces >= 0
        positions = torch.arange(pieces.shape[1], device=pieces.device)
        x: Tensor = self.piece_embedding(pieces.clamp(min=0))
        x = x + self.position_embedding(positions)
        x = F.dropout(self.embedding_norm(x), drop)
        mask = mask_of(real, x.dtype)
        for layer in self.layers:
            x = layer(x, mask)
        x = x.gather(1, slots[:, :, None].expand(-1, -1, x.shape[2]))
        if self.shape.word_layers:
            mask = mask_of(inside(slots, lengths), x.dtype)
            for layer in self.word_layers:
                x = layer(x, mask)
        return x

    def top(self, hidden: Tensor) -> Tensor:
        """What the output sees of a state."""
        seen: Tensor = self.transform_norm(F.gelu(self.transform(hidden)))
        return seen

    def point(self, state: Tensor, source: Tensor) -> Tensor:
        """How much each state (B, T, width) would have each source word (B, S, width) said."""
        return self.pointed_at(state, self.key(source))

    def pointed_at(self, state: Tensor, keys: Tensor) -> Tensor:
        """The same, by what the pointer sees of the source."""
        pointed: Tensor = (self.query(state) * state.shape[2] ** -0.5) @ keys.transpose(1, 2)
        return pointed.float()

    def logits(self, hidden: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
        """What the output sees (B, S, width), vocabulary logits, and the pointer's (B, S, S)."""
        top = self.top(hidden)
        vocabulary: Tensor = self.output(top)
        if not self.shape.copy:
            return top, vocabulary, None
        copy = self.point(hidden, hidden)
        place = torch.arange(hidden.shape[1], device=hidden.device)
        apart = (place[None, :] - place[:, None]).clamp(-REACH, REACH) + REACH
        copy = copy + self.distance[apart]
        hidden_from = ~inside(copy[:, 0], lengths)[:, None, :]
        if self.shape.extract:
            hidden_from = hidden_from | (place[None, :] != place[:, None])
        return top, vocabulary, copy.masked_fill(hidden_from, MINUS)

    def inputs(self, batch: Batch, glance: float = 0.0) -> tuple[Any, ...]:
        """What `forward` takes of a batch; glance: how much of the headline may be shown to it, of
        use to linked slots alone."""
        return batch.pieces, batch.slots, batch.lengths, batch.labels, batch.matches

    def loss(self, table: Tensor, batch: Batch) -> Loss:
        """The mean over the pairs that have an alignment; table: what `forward` gave."""
        words = torch.tensor(batch.target_lengths, device=table.device).clamp(min=1)
        nll = negative_log_likelihood(
            table, batch.targets, batch.source_lengths, batch.target_lengths
        )
        aligned = ~(nll >= -MINUS / 2)  # beyond: a label that no slot can say; NaN is no excuse
        each = torch.where(aligned, nll, 0.0) / words
        return Loss(each.sum() / aligned.sum().clamp(min=1), (~aligned).sum())

    def forward(
        self,
        pieces: Tensor,
        slots: Tensor,
        lengths: Tensor,
        labels: Tensor,
        matches: Tensor,
    ) -> Tensor:
        """Log-probabilities of ε and of each label, (S, B, 1 + T): what CTC needs.

        labels:  (B, T) vocabulary ids, −1 where a label is not in the vocabulary
        matches: (B, S, T) whether source word s is label t
        """
        hidden = self.encode(pieces, slots, lengths)
        top, vocabulary, copy = self.logits(hidden, lengths)
        total = torch.logsumexp(vocabulary.float(), dim=2)
        known = F.embedding(labels.clamp(min=0), self.output.weight)
        said = (top.float() @ known.float().transpose(1, 2)) + self.output.bias[
            labels.clamp(min=0)
        ].float()[:, None, :]
        said = said.masked_fill((labels < 0)[:, None, :], MINUS)
        if copy is not None:
            total = torch.logaddexp(total, torch.logsumexp(copy, dim=2))
            peak = copy.amax(dim=2, keepdim=True)
            share = (copy - peak).exp() @ matches.to(copy.dtype)
            copied = torch.where(share > 0, share.clamp(min=1e-30).log() + peak, MINUS)
            said = torch.logaddexp(said, copied)
        blank = vocabulary[:, :, :1].float()
        table = torch.cat([blank, said], dim=2) - total[:, :, None]
        return table.transpose(0, 1)

    def probabilities(
        self, pieces: Tensor, slots: Tensor, lengths: Tensor, symbols: Tensor
    ) -> Tensor:
        """P_s(symbol), (B, S, V + S): a word's vocabulary share plus that of its copies.

        symbols: (B, S) the symbol of each source word, its vocabulary id or V + first position.
        """
        hidden = self.encode(pieces, slots, lengths)
        _, vocabulary, copy = self.logits(hidden, lengths)
        if copy is None:
            return F.softmax(vocabulary.float(), dim=2)
        return merged(vocabulary, copy, symbols)

    def candidates(
        self, pieces: Tensor, slots: Tensor, lengths: Tensor, symbols: Tensor, top_k: int
    ) -> tuple[Tensor, ...]:
        """The lattice's raw parts: the top_k + 1 best words, their log-probabilities, and ε's."""
        table = self.probabilities(pieces, slots, lengths, symbols)
        blank = table[:, :, 0].clamp(min=1e-30).log()
        if self.shape.extract:  # a slot's own word, and nothing is left out
            own = table[:, :, 1:].sum(dim=2)
            shares = torch.stack([own, torch.zeros_like(own)], dim=2)
            words = torch.stack([symbols, torch.zeros_like(symbols)], dim=2)
        else:
            shares, words = table[:, :, 1:].topk(top_k + 1, dim=2)
            words = words + 1
        return words.int(), shares.clamp(min=1e-30).log(), blank


def merged(vocabulary: Tensor, copy: Tensor, symbols: Tensor) -> Tensor:
    """Probabilities of symbols, (B, T, V + S), from the vocabulary's logits and the pointer's: a
    word's share is its own and that of every place in the source that holds it."""
    words = vocabulary.shape[2]
    shares = F.softmax(torch.cat([vocabulary.float(), copy], dim=2), dim=2)
    copied = shares[:, :, words:]
    table = torch.cat([shares[:, :, :words], torch.zeros_like(copied)], dim=2)
    return table.scatter_add(2, symbols[:, None, :].expand_as(copied), copied)


def initialise(module: nn.Module) -> None:
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear):
        nn.init.zeros_(module.bias)


def inside(like: Tensor, lengths: Tensor) -> Tensor:
    return torch.arange(like.shape[1], device=like.device)[None, :] < lengths[:, None]


def mask_of(real: Tensor, dtype: torch.dtype) -> Tensor:
    return torch.where(real, 0.0, MINUS).to(dtype)[:, None, None, :]
