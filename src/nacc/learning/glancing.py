"""Learning linked slots with a glance at the headline.

A first look, without gradient, finds the best path the network has for the headline as it is. The
more words it gets wrong there, the more of the headline's words are then shown to it in their
slots, and it learns to say the others (GLAT, Qian et al. 2021; Huang et al. 2022 for paths).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from nacc.learning.paths import FIRST, IMPOSSIBLE


@dataclass(frozen=True)
class Shown:
    """Words of the headline put into slots: `words` (B, S, width), `where` (B, S) they are."""

    words: Tensor
    where: Tensor


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
