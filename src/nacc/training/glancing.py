"""Learning linked slots with a glance at the headline.

A first look, without gradient, finds the best path the network has for the headline as it is. The
more words it gets wrong there, the more of the headline's words are then shown to it in their
slots, and it learns to say the others (GLAT, Qian et al. 2021; Huang et al. 2022 for paths).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from nacc.models.linked import Linked, Shown
from nacc.models.paths import FIRST, IMPOSSIBLE, best_path, log_likelihood, step_table
from nacc.training.batches import Batch

_EQUAL = 1e-3  # a label is its slot's best entry if it is no less probable than that


@dataclass(frozen=True)
class Losses:
    """In nats a word, means over the pairs: of the paths, of the scorer, and how far the scorer's
    sums are from 1 (the mean square of their logarithms); how many pairs have no path, and the
    share of the words that was shown."""

    paths: Tensor
    scorer: Tensor
    drift: Tensor
    impossible: Tensor
    shown: Tensor


def losses(network: Linked, batch: Batch, glance: float) -> Losses:
    """`glance`: the share of the wrong words that is shown; 0 is a plain likelihood."""
    source = network.encode(batch.pieces, batch.slots, batch.lengths)
    said = batch.spoken[:, :, 0] >= 0
    words = said.sum(1)
    forced = torch.zeros_like(said)
    path = shown = None
    if glance:
        path, right = _first_look(network, source, batch, words)
        forced = choose(right, said, glance)
        shown = show(
            network.spell(batch.spoken), path, forced, network.shape.slots * source.shape[1]
        )
    state, links = network.link(source, batch.lengths, shown)
    emission = network.emit(state, source, batch.lengths, batch.labels, batch.matches)
    table = step_table(emission.labels, words, links.shape[1])
    if path is not None:
        table = force(table, path, forced)
    value = log_likelihood(links, table)
    possible = value > IMPOSSIBLE / 2
    each = torch.where(possible, -value, 0.0) / words
    paths = each.sum() / possible.sum().clamp(min=1)
    scorer, drift = _scored(network, source, batch, words)
    return Losses(
        *(paths, scorer, drift, (~possible).sum()), forced.sum() / words.sum().clamp(min=1)
    )


def _scored(network: Linked, source: Tensor, batch: Batch, words: Tensor) -> tuple[Tensor, Tensor]:
    if network.scorer is None:
        return source.new_zeros(()), source.new_zeros(())
    values, totals = network.score(source, batch.lengths, batch.labels, batch.matches, batch.spoken)
    counts = words + 1
    return (-values.sum(1) / counts).mean(), (totals.square().sum(1) / counts).mean()


@torch.no_grad()
def _first_look(
    network: Linked, source: Tensor, batch: Batch, words: Tensor
) -> tuple[Tensor, Tensor]:
    """The best path (B, T) and which of its words the network would say there."""
    state, links = network.link(source, batch.lengths)
    emission = network.emit(state, source, batch.lengths, batch.labels, batch.matches)
    path = best_path(links, step_table(emission.labels, words, links.shape[1]))[:, :-1]
    inner = (path - FIRST).clamp(0, state.shape[1] - 1)
    chosen = emission.labels.transpose(1, 2).gather(2, inner[:, :, None])[:, :, 0]
    return path, chosen >= emission.best.gather(1, inner) - _EQUAL


def choose(right: Tensor, said: Tensor, share: float) -> Tensor:
    """Which words to show, by chance: of a headline with half its words wrong, half of `share`."""
    wrong = (~right & said).sum(1) / said.sum(1).clamp(min=1)
    return said & (torch.rand(said.shape, device=said.device) < share * wrong[:, None])


def show(words: Tensor, path: Tensor, forced: Tensor, slots: int) -> Shown:
    """The chosen ones of the words (B, T, width), each in its slot of the path."""
    batch, steps, width = words.shape
    at = torch.where(forced, path - FIRST, slots)  # one slot too many takes those not shown
    which = torch.full((batch, slots + 1), -1, device=path.device)
    which.scatter_(1, at, torch.arange(steps, device=path.device).expand(batch, -1))
    which = which[:, :slots]
    index = which.clamp(min=0)[:, :, None].expand(-1, -1, width)
    return Shown(words.gather(1, index), which >= 0)


def force(table: Tensor, path: Tensor, forced: Tensor) -> Tensor:
    """A shown word stands at its slot for certain, and nowhere else."""
    here = torch.arange(table.shape[2], device=table.device) == path[:, :, None]
    fixed = torch.where(here, 0.0, IMPOSSIBLE)
    steps = torch.where(forced[:, :, None], fixed, table[:, :-1])
    return torch.cat([steps, table[:, -1:]], dim=1)
