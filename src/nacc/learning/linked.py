"""Linked slots as they learn: from pairs, by the sum over all paths that say the headline, and from
graded answers in which order to put them; and a `Scorer`, which can be added to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor, nn

from nacc.learning.autoregressive import DecoderLayer
from nacc.learning.glancing import choose, force, show
from nacc.learning.grading import Graded, order_loss
from nacc.learning.network import MINUS, Loss, inside, mask_of
from nacc.learning.normaliser import log_sum_exp
from nacc.learning.paths import FIRST, IMPOSSIBLE, best_path, log_likelihood, step_table
from nacc.learning.scorer import Scorer
from nacc.learning.shape import Shape
from nacc.learning.slots import Slots, each

if TYPE_CHECKING:
    from nacc.learning.batches import Batch

DRIFT = 0.05
"""How much it counts that the scorer's sums are not 1, squared in logs: kept near it, they need
not be computed to compare answers."""
_EQUAL = 1e-3  # a label is its slot's best entry if it is no less probable than that


@dataclass(frozen=True)
class Counts:
    """How much counts, beside the paths' loss, that of the scorer; and of graded answers that the
    best are said, and in which order the paths put them, and the scorer (`grading`)."""

    scorer: float = 0.4
    best: float = 1.0
    by_paths: float = 0.5
    by_scorer: float = 1.0


class Linked(Slots):
    compiled: ClassVar = (*Slots.compiled, DecoderLayer)

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self.scorer = Scorer(shape) if shape.decoder_layers else None
        self.counts = Counts()

    def inputs(self, batch: Batch, glance: float = 0.0) -> tuple[Any, ...]:
        graded = batch.graded
        if graded is None:
            return *super().inputs(batch), batch.spoken, glance
        sources = (part[graded.first] for part in (batch.pieces, batch.slots, batch.lengths))
        return *sources, batch.labels, batch.matches, batch.spoken, 0.0, graded

    def loss(self, found: Tensor, batch: Batch) -> Loss:
        """What `forward` gave, weighed."""
        counts = self.counts
        if batch.graded is not None:
            best, impossible, by_paths, by_scorer = found
            total = counts.best * best
            total = total + counts.by_paths * by_paths + counts.by_scorer * by_scorer
            parts = {"best": best, "order by paths": by_paths, "order by scorer": by_scorer}
            return Loss(total, impossible, parts)
        paths, scorer, drift, impossible, shown = found
        parts = {"paths": paths, "scorer": scorer, "drift": drift, "shown": shown}
        return Loss(paths + counts.scorer * (scorer + DRIFT * drift), impossible, parts)

    def forward(  # type: ignore[override]
        self,
        pieces: Tensor,
        slots: Tensor,
        lengths: Tensor,
        labels: Tensor,
        matches: Tensor,
        spoken: Tensor,
        glance: float,
        graded: Graded | None = None,
    ) -> Tensor:
        """Five numbers of a batch. In nats a word, means over the pairs: the loss of the paths,
        that of the scorer, and how far the scorer's sums are from 1 (the mean square of their
        logarithms); how many pairs have no path; and the share of the words that was shown.

        spoken: (B, T, P) the labels as pieces, −1 where there is none. glance: the share of the
        wrong words that is shown in training. graded: the labels are graded answers, of several to
        a source; four numbers then: the paths' loss of the best, how many have no path, and how far
        the order of paths and of scorer is from the grades'.
        """
        if graded is not None:
            both = self.values(pieces, slots, lengths, labels, matches, spoken, graded)
            return _ordered(*both, (spoken[:, :, 0] >= 0).sum(1), graded)
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
        paths, lost = _likely(log_likelihood(links, table), words, torch.ones_like(words))
        scorer = drift = paths.new_zeros(())
        if self.scorer is not None and (_learns(self.scorer) or not self.training):
            values, totals = self.score(*about, spoken)
            scorer = (-values.sum(1) / (words + 1)).mean()
            drift = (totals.square().sum(1) / (words + 1)).mean()
        share = forced.sum() / words.sum().clamp(min=1)
        return torch.stack([paths, scorer, drift, lost, share])

    def values(
        self,
        pieces: Tensor,
        slots: Tensor,
        lengths: Tensor,
        labels: Tensor,
        matches: Tensor,
        spoken: Tensor,
        graded: Graded,
    ) -> tuple[Tensor, Tensor]:
        """What each answer is given by the paths, all together, and by the scorer: (R,) both. A
        source is read once, however many answers it has."""
        source = self.encode(pieces, slots, lengths)
        about = (source, lengths, labels, matches)
        words = (spoken[:, :, 0] >= 0).sum(1)
        state, links = self.link(source, lengths)
        emission = self.emit(state, *about, graded.of)
        table = step_table(emission.labels, words, links.shape[1])
        paths = log_likelihood(each(links, graded.of), table)
        if self.scorer is None:
            return paths, torch.zeros_like(paths)
        return paths, self.score(*about, spoken, graded.of, divide=False)[0].sum(1)

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

    def score(
        self,
        source: Tensor,
        lengths: Tensor,
        labels: Tensor,
        matches: Tensor,
        spoken: Tensor,
        of: Tensor | None = None,
        divide: bool = True,
    ) -> tuple[Tensor, Tensor]:
        """The scorer's log-probability of each label after those before it, then of the end, 0
        past it; and the logarithm of what each was divided by: both (B, T + 1).

        Training keeps these sums near 1: without `divide` they are taken to be, and the output
        vocabulary, which is most of the cost, is not looked at.
        """
        assert self.scorer is not None
        mask = each(mask_of(inside(source, lengths), source.dtype), of)
        source = each(source, of)
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


def _likely(value: Tensor, words: Tensor, counts: Tensor) -> tuple[Tensor, Tensor]:
    """The mean loss, in nats a word, of what has a path, by how much each counts; and how many have
    none."""
    possible = value > IMPOSSIBLE / 2
    counts = counts * possible
    loss = (torch.where(possible, -value, 0.0) / words * counts).sum() / counts.sum().clamp(min=1)
    return loss, (~possible).sum().float()


def _ordered(paths: Tensor, scorer: Tensor, words: Tensor, graded: Graded) -> Tensor:
    possible = paths > IMPOSSIBLE / 2
    orders = (order_loss(scores, possible, graded) for scores in (paths, scorer))
    return torch.stack([*_likely(paths, words, graded.best), *orders])


def _learns(part: nn.Module) -> bool:
    return any(parameter.requires_grad for parameter in part.parameters())
