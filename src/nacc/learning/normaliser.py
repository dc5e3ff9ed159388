"""The sum over the output vocabulary that every probability is divided by.

The logits of a large batch are its largest tensor by far: they are made in parts of fewer than 2³¹
numbers, in the autocast type, kept as they are, and turned into their own gradient in place.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor

_MOST = 2**31 - 1
FREQUENT = 2000
"""The first words of a vocabulary, which come most often: their sum is never estimated."""


def _reduce(logits: Tensor) -> tuple[Tensor, Tensor]:
    wide = logits.float()
    return torch.logsumexp(wide, 1), wide.amax(1)


def _shares(logits: Tensor, total: Tensor, weight: Tensor) -> Tensor:
    return ((logits.float() - total[:, None]).exp() * weight[:, None]).to(logits.dtype)


_compiled: dict[Callable[..., Any], Callable[..., Any]] = {}


def _fast(function: Callable[..., Any], device: torch.device) -> Callable[..., Any]:
    """Compiled for a GPU, where reading the logits once or five times is all the difference."""
    if device.type != "cuda":
        return function
    if function not in _compiled:
        _compiled[function] = torch.compile(function, dynamic=True)
    return _compiled[function]


class _LogSumExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, rows: Tensor, weight: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        part = max(1, _MOST // len(weight))
        reduce = _fast(_reduce, rows.device)
        logits = [F.linear(some, weight, bias) for some in torch.split(rows, part)]
        totals, peaks = zip(*(reduce(some) for some in logits), strict=True)
        total = torch.cat(totals)
        if any(ctx.needs_input_grad):
            ctx.save_for_backward(rows, weight, total)
            ctx.logits = logits
        peak = torch.cat(peaks)
        ctx.mark_non_differentiable(peak)
        return total, peak

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, Tensor | None, Tensor | None]:
        rows, weight, total = ctx.saved_tensors
        sizes = [len(some) for some in ctx.logits]
        shares = _fast(_shares, rows.device)
        learns = any(ctx.needs_input_grad[1:])
        grad_rows, grad_weight = [], torch.zeros_like(weight, dtype=torch.float32)
        grad_bias = torch.zeros(len(weight), device=weight.device)
        parts = zip(*(torch.split(t, sizes) for t in (rows, total, upstream[0])), strict=True)
        for i, (some, sums, wanted) in enumerate(parts):
            share = shares(ctx.logits[i], sums, wanted)
            ctx.logits[i] = None
            grad_rows.append(share @ weight)
            if learns:
                grad_weight += share.T @ some
                grad_bias += share.sum(0, dtype=torch.float32)
        if not learns:
            return torch.cat(grad_rows), None, None
        return torch.cat(grad_rows), grad_weight.to(weight.dtype), grad_bias.to(weight.dtype)


def log_sum_exp(rows: Tensor, weight: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
    """log Σ exp(row · weight + bias) and the largest of these, of each row of (..., width)."""
    device = rows.device.type
    kind = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else rows.dtype
    with torch.autocast(device, enabled=False):
        total, peak = _LogSumExp.apply(  # type: ignore[no-untyped-call]
            rows.flatten(0, -2).to(kind), weight.to(kind), bias.to(kind)
        )
    return total.view(rows.shape[:-1]), peak.view(rows.shape[:-1])


def sample(weight: Tensor, bias: Tensor, said: Tensor, size: int) -> tuple[Tensor, Tensor]:
    """Rows of an output's weights, and their biases, whose sum stands for that of all: the first
    words and those that are said count for themselves, of the others so many for them all."""
    kept = torch.zeros(len(weight), dtype=torch.bool, device=weight.device)
    kept[:FREQUENT] = True
    kept[said] = True
    rest = (~kept).nonzero()[:, 0]
    drawn = rest[torch.randperm(len(rest), device=rest.device)[:size]]
    for_all = math.log(len(rest) / max(1, len(drawn))) if len(rest) else 0.0
    rows = torch.cat([kept.nonzero()[:, 0], drawn])
    more = bias.new_zeros(len(rows))
    more[len(rows) - len(drawn) :] = for_all
    return weight[rows], bias[rows] + more
