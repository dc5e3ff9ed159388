"""Linked slots: every source word opens a few slots, and each slot says which may follow it.

A headline is a path through the slots from BEGIN to END, a word a slot: still one pass through the
network, but the words of a path know of each other by the links (DA-Transformer, Huang et al.
2022). Encoder, output words and pointer are those of `Network`, without ε; a `Scorer` can be added.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor, nn

from nacc.learning.autoregressive import DecoderLayer
from nacc.learning.glancing import Shown, choose, force, show
from nacc.learning.links import Links
from nacc.learning.network import MINUS, REACH, Layer, Loss, Network, initialise, inside, mask_of
from nacc.learning.normaliser import log_sum_exp, sample
from nacc.learning.paths import (
    FIRST,
    IMPOSSIBLE,
    best_path,
    log_likelihood,
    step_table,
)
from nacc.learning.scorer import Scorer
from nacc.learning.shape import Shape
from nacc.learning.slot_words import best_words, edges, log_total, own_words

if TYPE_CHECKING:
    from nacc.learning.batches import Batch

MOST_WORDS = 80
SCORER = 0.4
"""How much the scorer's loss counts beside that of the paths."""
DRIFT = 0.05
"""How much it counts that the scorer's sums are not 1, squared in logs: kept near it, they need
not be computed to compare answers."""
_ROOM = 8  # BEGIN, END and padding: attention is fastest on multiples of 8
_EQUAL = 1e-3  # a label is its slot's best entry if it is no less probable than that


@dataclass(frozen=True)
class Emission:
    """Log-probabilities of the labels at each slot, (B, S, T), and of each slot's best single
    entry, of the vocabulary or the pointer, (B, S)."""

    labels: Tensor
    best: Tensor


class Linked(Network):
    trained: ClassVar = (*Network.trained, "word_layers")
    compiled: ClassVar = (Layer, Links, DecoderLayer)

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
        self.scorer = Scorer(shape) if shape.decoder_layers else None
        self.sampled = 0
        """Of the seldom words, how many the sums of training are estimated by; 0: all count."""

    def inputs(self, batch: Batch, glance: float = 0.0) -> tuple[Any, ...]:
        return *super().inputs(batch), batch.spoken, glance

    def loss(self, found: Tensor, batch: Batch) -> Loss:
        """The paths' loss and the scorer's, weighed; found: what `forward` gave."""
        paths, scorer, drift, impossible, shown = found
        parts = {"paths": paths, "scorer": scorer, "drift": drift, "shown": shown}
        return Loss(paths + SCORER * (scorer + DRIFT * drift), impossible, parts)

    def forward(  # type: ignore[override]
        self,
        pieces: Tensor,
        slots: Tensor,
        lengths: Tensor,
        labels: Tensor,
        matches: Tensor,
        spoken: Tensor,
        glance: float,
    ) -> Tensor:
        """Five numbers of a batch. In nats a word, means over the pairs: the loss of the paths,
        that of the scorer, and how far the scorer's sums are from 1 (the mean square of their
        logarithms); how many pairs have no path; and the share of the words that was shown.

        spoken: (B, T, P) the labels as pieces, −1 where there is none. glance: the share of the
        wrong words that is shown in training.
        """
        source = self.encode(pieces, slots, lengths)
        said = spoken[:, :, 0] >= 0
        words = said.sum(1)
        about = (source, lengths, labels, matches)
        forced = torch.zeros_like(said)
        path = shown = None
        if self.training and glance:
            path, right = self._first_look(*about, words)
            torch.clear_autocast_cache()  # weights cast without gradient may have been kept
            forced = choose(right, said, glance)
            shown = show(self.spell(spoken), path, forced, self.shape.slots * source.shape[1])
        state, links = self.link(source, lengths, shown)
        emission = self.emit(state, *about)
        table = step_table(emission.labels, words, links.shape[1])
        if path is not None:
            table = force(table, path, forced)
        value = log_likelihood(links, table)
        possible = value > IMPOSSIBLE / 2
        each = torch.where(possible, -value, 0.0) / words
        paths = each.sum() / possible.sum().clamp(min=1)
        scorer = drift = paths.new_zeros(())
        if self.scorer is not None and (_learns(self.scorer) or not self.training):
            values, totals = self.score(*about, spoken)
            scorer = (-values.sum(1) / (words + 1)).mean()
            drift = (totals.square().sum(1) / (words + 1)).mean()
        share = forced.sum() / words.sum().clamp(min=1)
        return torch.stack([paths, scorer, drift, (~possible).sum().float(), share])

    @torch.no_grad()
    def _first_look(
        self, source: Tensor, lengths: Tensor, labels: Tensor, matches: Tensor, words: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The best path (B, T) and which of its words the network would say there."""
        state, links = self.link(source, lengths)
        emission = self.emit(state, source, lengths, labels, matches)
        path = best_path(links, step_table(emission.labels, words, links.shape[1]))[:, :-1]
        inner = (path - FIRST).clamp(0, state.shape[1] - 1)
        chosen = emission.labels.transpose(1, 2).gather(2, inner[:, :, None])[:, :, 0]
        return path, chosen >= emission.best.gather(1, inner) - _EQUAL

    def spell(self, spoken: Tensor) -> Tensor:
        """A vector a word, the mean of its pieces': (B, T, P) → (B, T, width)."""
        there = (spoken >= 0)[..., None]
        parts: Tensor = self.piece_embedding(spoken.clamp(min=0)) * there
        return parts.sum(2) / there.sum(2).clamp(min=1)

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
        self, state: Tensor, source: Tensor, lengths: Tensor, labels: Tensor, matches: Tensor
    ) -> Emission:
        """labels: (B, T) vocabulary ids, −1 where a label is not in the vocabulary;
        matches: (B, S, T) whether source word s is label t."""
        top = self.top(state)
        table, bias = self.output.weight, self._bias()
        if self.training and self.sampled:
            table, bias = sample(table, bias, labels[labels > 0], self.sampled)
        total, peak = log_sum_exp(top, table, bias)
        copy = self.pointed(state, source, lengths)
        said = self._said(top, labels, copy, matches)
        total = torch.logaddexp(total, torch.logsumexp(copy, 2))
        best = torch.maximum(peak, copy.amax(2))
        return Emission(said - total[:, :, None], best - total)

    def score(
        self,
        source: Tensor,
        lengths: Tensor,
        labels: Tensor,
        matches: Tensor,
        spoken: Tensor,
        divide: bool = True,
    ) -> tuple[Tensor, Tensor]:
        """The scorer's log-probability of each label after those before it, then of the end, 0
        past it; and the logarithm of what each was divided by: both (B, T + 1).

        Training keeps these sums near 1: without `divide` they are taken to be, and the output
        vocabulary, which is most of the cost, is not looked at.
        """
        assert self.scorer is not None
        mask = mask_of(inside(source, lengths), source.dtype)
        top, copy = self.scorer(self.spell(spoken), source, mask)
        words = (spoken[:, :, 0] >= 0).sum(1, keepdim=True)
        place = torch.arange(labels.shape[1] + 1, device=labels.device)[None, :]
        labels = F.pad(labels, (0, 1), value=-1).masked_fill(place == words, 0)
        total = torch.zeros_like(copy[:, :, 0])
        if divide:
            total, _ = log_sum_exp(top, self.output.weight, self.output.bias)
            total = torch.logaddexp(total, torch.logsumexp(copy, 2))
        # Each place has one label of its own: a product and a sum, not a table of T by T.
        with torch.autocast(top.device.type, enabled=False):
            known = F.embedding(labels.clamp(min=0), self.output.weight)
            said = (top.float() * known).sum(2) + self.output.bias[labels.clamp(min=0)]
        said = said.masked_fill(labels < 0, MINUS)
        there = F.pad(matches, (0, 1)).transpose(1, 2)
        copied = torch.logsumexp(copy.masked_fill(~there, MINUS), 2)
        values = torch.logaddexp(said, copied) - total
        past = place > words
        return values.masked_fill(past, 0.0), total.masked_fill(past, 0.0)

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


def _learns(part: nn.Module) -> bool:
    return any(parameter.requires_grad for parameter in part.parameters())
