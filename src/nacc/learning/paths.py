"""Paths through linked slots: their sum, as a loss, and the best of them.

`links` (B, U, U) are probabilities, row u: which slot follows u. Slot BEGIN starts every path; END
follows itself and nothing else does. `table` (B, T, U) says how probable each step's word is at
each slot, in logs; steps after the last word can only stand at END. A path is BEGIN, then one slot
a step: with T one more than the words there are at most, every path has come to END.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

BEGIN, END = 0, 1
FIRST = 2
"""Where the slots that say words start."""
IMPOSSIBLE = -1e4
_TINY = 1e-30
_ALL_BUT_NEVER = 1e-20


class _LogLikelihood(torch.autograd.Function):
    """The forward recursion, normalised at each step; its gradient by the backward one.

    One matrix product a step each way, and a single one for all that concerns the links.
    """

    @staticmethod
    def forward(ctx: Any, links: Tensor, table: Tensor) -> Tensor:
        peak = table.amax(2, keepdim=True).clamp(min=IMPOSSIBLE)
        said = (table - peak).exp()
        at = torch.zeros_like(links[:, :1])
        at[:, :, BEGIN] = 1.0
        reached, sums = [at], []
        for t in range(table.shape[1]):
            at = torch.bmm(at, links) * said[:, t : t + 1]
            total = at.sum(2, keepdim=True)
            at = at / total.clamp(min=_TINY)
            reached.append(at)
            sums.append(total)
        scale = torch.cat(sums, dim=1)
        possible = (scale > _TINY).all(1)[:, 0] & (peak > IMPOSSIBLE / 2).all(1)[:, 0]
        value = (scale.clamp(min=_TINY).log() + peak).sum((1, 2))
        ctx.save_for_backward(links, said, torch.cat(reached, dim=1), scale, possible)
        return torch.where(possible, value, IMPOSSIBLE)

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, Tensor]:
        links, said, reached, scale, possible = ctx.saved_tensors
        weight = (upstream[0] * possible)[:, None, None]
        # What lies ahead of a slot is known up to a factor, so it is kept at most 1: where the
        # path has all but certainly not come, it could be larger than any number there is.
        came = reached[:, 1:] > _ALL_BUT_NEVER
        ahead = torch.ones_like(said[:, :1])
        after = []
        back = links.transpose(1, 2)
        for t in reversed(range(said.shape[1])):
            ahead = ahead * came[:, t : t + 1]
            ahead = ahead / ahead.amax(2, keepdim=True).clamp(min=_TINY)
            after.append(ahead)
            ahead = torch.bmm(said[:, t : t + 1] * ahead, back)
        beyond = torch.cat(after[::-1], dim=1)
        share = reached[:, 1:] * beyond
        whole = share.sum(2, keepdim=True).clamp(min=_ALL_BUT_NEVER)
        into = (said * beyond / scale.clamp(min=_TINY) / whole).clamp(max=1 / _TINY) * weight
        return torch.bmm(reached[:, :-1].transpose(1, 2), into), share / whole * weight


def log_likelihood(links: Tensor, table: Tensor) -> Tensor:
    """log of the sum over all paths, one value a pair; IMPOSSIBLE where there is none. fp32."""
    with torch.autocast(links.device.type, enabled=False):
        value: Tensor = _LogLikelihood.apply(links.float(), table.float())  # type: ignore[no-untyped-call]
    return value


@torch.no_grad()
def best_path(links: Tensor, table: Tensor) -> Tensor:
    """The slot of each step on the most probable path, (B, T)."""
    follow = links.clamp(min=_TINY).log()
    best = follow[:, BEGIN] + table[:, 0]
    came: list[Tensor] = []
    for t in range(1, table.shape[1]):
        value, before = (best[:, :, None] + follow).max(1)
        came.append(before)
        best = value + table[:, t]
    at = best.argmax(1, keepdim=True)
    path = [at]
    for before in reversed(came):
        at = before.gather(1, at)
        path.append(at)
    return torch.cat(path[::-1], dim=1)


def step_table(emission: Tensor, words: Tensor, slots: int) -> Tensor:
    """The words' emissions (B, S, T), over word slots, as a table (B, T + 1, slots) of steps.

    words: (B,) how many of the T there are.
    """
    batch, inner, steps = emission.shape
    table = emission.new_full((batch, steps + 1, slots), IMPOSSIBLE)
    table[:, :steps, FIRST : FIRST + inner] = emission.transpose(1, 2)
    past = torch.arange(steps + 1, device=words.device)[None, :] >= words[:, None]
    table = table.masked_fill(past[:, :, None], IMPOSSIBLE)
    table[:, :, END] = torch.where(past, 0.0, IMPOSSIBLE)
    return table
