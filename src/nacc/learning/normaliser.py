"""The sum over the output vocabulary that every probability is divided by.

The logits of a large batch are its largest tensor by far: they are made in parts of fewer than 2³¹
numbers, in the autocast type, kept as they are, and turned into their own gradient in place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor

_MOST = 2**31 - 1


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
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        rows, weight, total = ctx.saved_tensors
        sizes = [len(some) for some in ctx.logits]
        shares = _fast(_shares, rows.device)
        grad_rows, grad_weight = [], torch.zeros_like(weight, dtype=torch.float32)
        grad_bias = torch.zeros(len(weight), device=weight.device)
        parts = zip(*(torch.split(t, sizes) for t in (rows, total, upstream[0])), strict=True)
        for i, (some, sums, wanted) in enumerate(parts):
            share = shares(ctx.logits[i], sums, wanted)
            ctx.logits[i] = None
            grad_rows.append(share @ weight)
            grad_weight += share.T @ some
            grad_bias += share.sum(0, dtype=torch.float32)
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
