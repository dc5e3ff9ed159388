"""Linked slots: every source word opens a few slots, and each slot says which may follow it.

A headline is a path through the slots from BEGIN to END, a word a slot: still one pass through the
network, but the words of a path know of each other by the links (DA-Transformer, Huang et al.
2022). Encoder, output words and pointer are those of `Network`, without ε.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor, nn

from nacc.learning.glancing import Shown
from nacc.learning.links import Links
from nacc.learning.network import MINUS, REACH, Layer, Network, initialise, inside, mask_of
from nacc.learning.normaliser import log_sum_exp, sample
from nacc.learning.paths import FIRST
from nacc.learning.shape import Shape
from nacc.learning.slot_words import best_words, edges, log_total, own_words

MOST_WORDS = 80
_ROOM = 8  # BEGIN, END and padding: attention is fastest on multiples of 8


@dataclass(frozen=True)
class Emission:
    """Log-probabilities of the labels at each slot, (B, S, T), and of each slot's best single
    entry, of the vocabulary or the pointer, (B, S)."""

    labels: Tensor
    best: Tensor


class Slots(Network):
    trained: ClassVar = (*Network.trained, "word_layers")
    compiled: ClassVar[tuple[type[nn.Module], ...]] = (Layer, Links)

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        width = shape.width
        self.offset = nn.Embedding(shape.slots, width)
        self.slot_position = nn.Embedding(shape.slots * MOST_WORDS, width)
        self.ends = nn.Embedding(FIRST, width)
        self.shown = nn.Parameter(torch.zeros(width))
        self.slot_norm = nn.LayerNorm(width, eps=1e-12)
        self.slot_layers = nn.ModuleList(Layer(shape) for _ in range(shape.slot_layers))
        self.links = Links(shape)
        for part in (self.offset, self.slot_position, self.ends, self.slot_layers, self.links):
            part.apply(initialise)
        self.sampled = 0
        """Of the seldom words, how many the sums of training are estimated by; 0: all count."""

    def link(
        self, source: Tensor, lengths: Tensor, shown: Shown | None = None
    ) -> tuple[Tensor, Tensor]:
        """From word vectors (B, S, width) to the states of their slots (B, r · S, width) and the
        links between BEGIN, END and these: (B, U, U)."""
        batch, words, width = source.shape
        slots = self.shape.slots * words
        drop = self.shape.dropout if self.training else 0.0
        opened = (source[:, :, None] + self.offset.weight).reshape(batch, slots, width)
        if shown is not None:
            given = shown.words + self.shown
            opened = torch.where(shown.where[:, :, None], given, opened)
        opened = opened + self.slot_position.weight[:slots]
        ends = self.ends.weight.expand(batch, -1, -1).to(opened.dtype)
        x = torch.cat([ends, opened], dim=1)
        if self.training:
            x = F.pad(x, (0, 0, 0, _ROOM - FIRST))
        x = F.dropout(self.slot_norm(x), drop)
        place = torch.arange(x.shape[1], device=x.device)
        real = (place < FIRST + self.shape.slots * lengths[:, None]) | (place < FIRST)
        mask = mask_of(real, x.dtype)
        for layer in self.slot_layers:
            x = layer(x, mask)
        return x[:, FIRST : FIRST + slots], self.links(x, real)

    def pointed(self, state: Tensor, source: Tensor, lengths: Tensor) -> Tensor:
        """How much each slot would have each source word said, (B, r · S, S)."""
        copy = self.point(state, source)
        here = torch.arange(state.shape[1], device=state.device) // self.shape.slots
        there = torch.arange(source.shape[1], device=state.device)
        apart = (there[None, :] - here[:, None]).clamp(-REACH, REACH) + REACH
        copy = copy + self.distance.gather(0, apart.flatten()).view(apart.shape)
        return copy.masked_fill(~inside(source, lengths)[:, None, :], MINUS)

    def emit(
        self,
        state: Tensor,
        source: Tensor,
        lengths: Tensor,
        labels: Tensor,
        matches: Tensor,
        of: Tensor | None = None,
    ) -> Emission:
        """labels: (B, T) vocabulary ids, −1 where a label is not in the vocabulary;
        matches: (B, S, T) whether source word s is label t; of: (B,) the source of each, where
        one has several."""
        top = self.top(state)
        table, bias = self.output.weight, self._bias()
        if self.training and self.sampled:
            table, bias = sample(table, bias, labels[labels > 0], self.sampled)
        total, peak = log_sum_exp(top, table, bias)
        copy = self.pointed(state, source, lengths)
        said = self._said(each(top, of), labels, each(copy, of), matches)
        total = each(torch.logaddexp(total, torch.logsumexp(copy, 2)), of)
        best = each(torch.maximum(peak, copy.amax(2)), of)
        return Emission(said - total[:, :, None], best - total)

    def _bias(self) -> Tensor:
        """The output's, but ε is never said: links leave out what is not."""
        return F.pad(self.output.bias[1:], (1, 0), value=MINUS)

    def _said(self, top: Tensor, labels: Tensor, copy: Tensor, matches: Tensor) -> Tensor:
        """Each label's share at each slot before it is divided by the sum, in logs, fp32."""
        with torch.autocast(top.device.type, enabled=False):
            known = F.embedding(labels.clamp(min=0), self.output.weight)
            said = top.float() @ known.transpose(1, 2)
            said = said + self.output.bias[labels.clamp(min=0)][:, None, :]
            said = said.masked_fill((labels <= 0)[:, None, :], MINUS)
            peak = copy.amax(dim=2, keepdim=True)
            share = (copy - peak).exp() @ matches.to(copy.dtype)
            copied = torch.where(share > 0, share.clamp(min=1e-30).log() + peak, MINUS)
            return torch.logaddexp(said, copied)

    def candidates(
        self, pieces: Tensor, slots: Tensor, lengths: Tensor, symbols: Tensor, top_k: int
    ) -> tuple[Tensor, ...]:
        """The lattice's raw parts: the top_k + 1 best words of each slot (B, r · S, K + 1), their
        log-probabilities, those of the links (B, 1 + r · S, r · S + 1), from BEGIN and each slot,
        to each slot and the end; and the word vectors (B, S, width), for the scorer."""
        source = self.encode(pieces, slots, lengths)
        state, links = self.link(source, lengths)
        vocabulary = F.linear(self.top(state), self.output.weight, self._bias()).float()
        copy = self.pointed(state, source, lengths)
        own, _ = self._own(vocabulary, copy, symbols)
        values, words = vocabulary.topk(top_k + 1, dim=2)
        total = log_total(vocabulary, values[:, :, :1], words[:, :, :1])
        total = torch.logaddexp(total, torch.logsumexp(copy, 2, True))
        words, best = best_words(values, words, own, symbols, top_k)
        return words, best - total, edges(links, state.shape[1]), source

    def _own(self, vocabulary: Tensor, copy: Tensor, symbols: Tensor) -> tuple[Tensor, Tensor]:
        """What each slot says of the source's words, in logs, and their symbols: (B, U, S)."""
        wide, words = symbols[:, None, :].expand_as(copy), vocabulary.shape[2]
        listed = vocabulary.gather(2, wide.clamp(max=words - 1))
        return own_words(listed, copy, symbols, words), wide


def each(sources: Tensor, of: Tensor | None) -> Tensor:
    """What is known of each source, for each of its headlines."""
    return sources if of is None else sources.index_select(0, of)
