"""A rival: a chain over the slots (a CRF), after Su et al. (2021).

Slot i, the vector of the source's word i, says the headline's word i; two ends follow the last.
What a headline is worth is the sum of what its words are in their slots and of what each is after
the one before it, a product of two vectors of RANK numbers. The sum over all headlines is taken
over each slot's KEPT best words (as Sun et al. 2019 do). Beside the chain's loss stands that of
each slot alone, which also keeps it from saying its neighbours' words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor, nn

from nacc.learning.autoregressive import END
from nacc.learning.network import Layer, Loss, Network, inside, mask_of, merged
from nacc.learning.shape import Shape
from nacc.learning.writing import NEVER, Manner, Source, Written

if TYPE_CHECKING:
    from nacc.learning.batches import Batch

RANK = 32
KEPT = 64
ENDS = 2
NEAR = 3
"""How far away, in slots, a neighbour's word is kept out."""
_GONE = float("-inf")


class Chain(NamedTuple):
    """words: (B, U, K) each slot's candidates; values: (B, U, K) their log-probabilities there;
    links: (B, U − 1, K, K) what each is worth after each of the slot before; lengths: (B,) how
    many slots there are."""

    words: Tensor
    values: Tensor
    links: Tensor
    lengths: Tensor


def log_sum(chain: Chain) -> Tensor:
    """The logarithm of the sum over all ways through a chain, (B,)."""
    total = chain.values[:, 0]
    for i in range(1, chain.values.shape[1]):
        onward = torch.logsumexp(total[:, :, None] + chain.links[:, i - 1], 1) + chain.values[:, i]
        total = torch.where((i < chain.lengths)[:, None], onward, total)
    return torch.logsumexp(total, 1)


def best_words(chain: Chain) -> tuple[Tensor, Tensor]:
    """The best way through, as symbols (B, U), ends after the last slot; and its score (B,)."""
    total, back = chain.values[:, 0], []
    stay = torch.arange(chain.words.shape[2], device=total.device).expand_as(total)
    for i in range(1, chain.values.shape[1]):
        onward, came = (total[:, :, None] + chain.links[:, i - 1]).max(1)
        inside = (i < chain.lengths)[:, None]
        total = torch.where(inside, onward + chain.values[:, i], total)
        back.append(torch.where(inside, came, stay))
    score, at = total.max(1)
    path = [at]
    for came in reversed(back):
        path.append(came.gather(1, path[-1][:, None])[:, 0])
    chosen = torch.stack(path[::-1], 1)
    words = chain.words.gather(2, chosen[:, :, None])[:, :, 0]
    past = torch.arange(words.shape[1], device=words.device) >= chain.lengths[:, None]
    return words.masked_fill(past, END), score


def within(chain: Chain, weights: Tensor, room: int, least: int = 0) -> list[Written]:
    """The best way through whose words weigh `least` to `room` together, exactly: the same
    recursion with the weight said so far besides. Nothing follows an end, and something is said.
    Below `least`, the heaviest.

    weights: (B, U, K) of the candidates, 0 for the end.
    """
    batch, slots, kept = chain.words.shape
    device = chain.values.device
    ends, wide = chain.words == END, torch.arange(room + 1, device=device)

    def placed(totals: Tensor, i: int) -> Tensor:
        """(B, K, X): what had x weight before candidate c has x + weight(c) after it."""
        before = wide - weights[:, i, :, None]
        moved = totals.gather(2, before.clamp(0, room))
        return moved.masked_fill(before < 0, _GONE) + chain.values[:, i, :, None]

    start = torch.full((batch, kept, room + 1), _GONE, device=device)
    start[:, :, 0] = torch.where(ends[:, 0], _GONE, 0.0)
    total, back = placed(start, 0), []
    for i in range(1, slots):
        after_end = ends[:, i - 1, :, None] & ~ends[:, i, None, :]
        links = chain.links[:, i - 1].masked_fill(after_end, _GONE)
        onward, came = (total[:, :, None] + links[..., None]).max(1)
        onward = placed(onward, i)
        inside = (i < chain.lengths)[:, None, None]
        back.append(came)
        total = torch.where(inside, onward, total)
    return [_traced(chain, weights, back, total[row], row, least) for row in range(batch)]


def _traced(
    chain: Chain, weights: Tensor, back: list[Tensor], total: Tensor, row: int, least: int
) -> Written:
    """The words of the best end of one sentence's table (K, X)."""
    best, which = total.max(0)
    scores = best.tolist()
    reached = [x for x, score in enumerate(scores) if score > _GONE]
    if not reached:
        return Written((), _GONE)
    good = [x for x in reached if x >= least] or reached[-1:]
    x = max(good, key=lambda each: scores[each])
    at, said, score, weight = int(which[x]), [], scores[x], x
    for i in range(int(chain.lengths[row]) - 1, -1, -1):
        word = int(chain.words[row, i, at])
        said.append(word)
        x -= int(weights[row, i, at])
        if i:
            at = int(back[i - 1][row, at, x])
    words = said[::-1]
    return Written(tuple(w for w in words if w != END), score, weight)


class Crf(Network):
    trained: ClassVar = (*Network.trained, "word_layers")
    compiled: ClassVar = (Layer,)

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        del self.distance  # slots are places of the headline, not of the source
        # One vector more, for any word of the source that is not in the vocabulary.
        self.before = nn.Embedding(shape.words + 1, RANK)
        self.after = nn.Embedding(shape.words + 1, RANK)
        for part in (self.before, self.after):
            nn.init.normal_(part.weight, std=0.1)

    def inputs(self, batch: Batch, glance: float = 0.0) -> tuple[Any, ...]:
        return *super().inputs(batch), batch.symbols

    def forward(  # type: ignore[override]
        self,
        pieces: Tensor,
        slots: Tensor,
        lengths: Tensor,
        labels: Tensor,
        matches: Tensor,
        symbols: Tensor,
    ) -> Tensor:
        """Of each pair, in nats a word: the chain's loss, that of its slots alone, that of the
        neighbours; and whether its source has a slot for every word: (4, B)."""
        source = self.encode(pieces, slots, lengths)
        copied = matches.to(torch.uint8).argmax(1) + self.shape.words
        said = (labels >= 0) | matches.any(1)
        words = said.sum(1)
        wanted = torch.where(labels >= 0, labels, copied).masked_fill(~said, END)
        wanted = F.pad(wanted, (0, ENDS), value=END)[:, : source.shape[1]]
        table = self.table(source, lengths, symbols, wanted.shape[1])
        ends = torch.minimum(words + ENDS, lengths)
        chain = self.chain(table, ends, wanted)
        here = inside(wanted, ends)
        each = table.gather(2, wanted[:, :, None])[:, :, 0].clamp(min=1e-30).log() * here
        ids = wanted.clamp(max=self.shape.words)
        links = (self.before(ids[:, :-1]) * self.after(ids[:, 1:])).sum(2) * here[:, 1:]
        value = each.sum(1) + links.sum(1)
        fits = words <= lengths
        lost = torch.stack(
            [log_sum(chain) - value, -each.sum(1), self._neighbours(table, wanted, here)]
        )
        return torch.cat([lost / ends.clamp(min=1), fits.float()[None]])

    def _neighbours(self, table: Tensor, wanted: Tensor, here: Tensor) -> Tensor:
        """How probable slots find the words of the slots around them, where they differ."""
        place = torch.arange(wanted.shape[1], device=wanted.device)
        near = (place[:, None] - place[None, :]).abs() <= NEAR
        other = near & (wanted[:, :, None] != wanted[:, None, :])
        other = other & here[:, :, None] & here[:, None, :]
        theirs = table.gather(2, wanted[:, None, :].expand(-1, wanted.shape[1], -1))
        return -(torch.log1p(-theirs.clamp(max=1 - 1e-6)) * other).sum((1, 2))

    def loss(self, found: Tensor, batch: Batch) -> Loss:
        fits = found[3] > 0
        chain, slots, neighbours = (
            torch.where(fits, part, 0.0).sum() / fits.sum().clamp(min=1) for part in found[:3]
        )
        parts = {"chain": chain, "slots": slots, "neighbours": neighbours}
        return Loss(chain + slots + neighbours, (~fits).sum(), parts)

    def table(self, source: Tensor, lengths: Tensor, symbols: Tensor, slots: int) -> Tensor:
        """Probabilities of the symbols at the first slots, (B, U, V + S)."""
        state = source[:, :slots]
        mask = mask_of(inside(source, lengths), torch.float32)[:, 0]
        return merged(self.output(self.top(state)), self.point(state, source) + mask, symbols)

    def chain(self, table: Tensor, lengths: Tensor, wanted: Tensor | None = None) -> Chain:
        """Of each slot the best words, those that are wanted among them."""
        values, words = table.topk(min(KEPT, table.shape[2]), dim=2)
        if wanted is not None:
            there = (words == wanted[:, :, None]).any(2, keepdim=True)
            last = torch.where(there, words[:, :, -1:], wanted[:, :, None])
            words = torch.cat([words[:, :, :-1], last], dim=2)
            values = table.gather(2, words)
        ids = words.clamp(max=self.shape.words)
        with torch.autocast(table.device.type, enabled=False):
            links = self.before(ids[:, :-1]) @ self.after(ids[:, 1:]).transpose(2, 3)
        return Chain(words, values.clamp(min=1e-30).log(), links.float(), lengths)

    @torch.no_grad()
    def write(self, source: Source, manner: Manner) -> list[list[Written]]:
        """The best way through the first slots: up to the first end; or, with a room, within it."""
        encoded = self.encode(source.pieces, source.slots, source.lengths)
        slots = (source.lengths * manner.ratio).ceil().long().clamp(min=1)
        table = self.table(encoded, source.lengths, source.symbols, int(slots.max()))
        if source.weights is not None:
            table = table.masked_fill((source.weights >= NEVER)[:, None, :], 0.0)
        chain = self.chain(table, slots)
        if manner.room is not None and source.weights is not None:
            weights = source.weights[:, None, :].expand(-1, table.shape[1], -1)
            found = within(chain, weights.gather(2, chain.words), manner.room, manner.least)
            return [[one] for one in found]
        words, scores = best_words(chain)
        said = []
        for line, score in zip(words.tolist(), scores.tolist(), strict=True):
            end = line.index(END) if END in line else len(line)
            said.append([Written(tuple(line[:end]), score)])
        return said
