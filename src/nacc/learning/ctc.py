"""CTC over the labels of each pair only.

The loss needs, per slot, the log-probabilities of ε and of the pair's own target words: a
(slots × batch × 1 + words) table rather than one as wide as the vocabulary. torch's CTC kernels run
the recursion; their gradient presumes a log-softmax over the table's own columns, which this table
does not have, so the gradient is put right here: d(−log P)/d(table) = −(posterior).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


class _NegativeLogLikelihood(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, table: Tensor, targets: Tensor, slots: list[int], words: list[int]
    ) -> Tensor:
        nll, log_alpha = torch.ops.aten._ctc_loss(table, targets, slots, words, 0, True)
        ctx.save_for_backward(table, targets, nll, log_alpha)
        ctx.lengths = slots, words
        return nll  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, None, None, None]:
        table, targets, nll, log_alpha = ctx.saved_tensors
        slots, words = ctx.lengths
        grad = upstream[0].contiguous()
        softmax_minus_posterior = torch.ops.aten._ctc_loss_backward(
            grad, table, targets, slots, words, nll, log_alpha, 0, True
        )
        inside = torch.arange(table.shape[0], device=table.device)[:, None] < torch.tensor(
            slots, device=table.device
        )
        probability = table.exp() * (grad * torch.isfinite(nll) * inside)[:, :, None]
        return softmax_minus_posterior - probability, None, None, None


def negative_log_likelihood(
    table: Tensor, targets: Tensor, slots: list[int], words: list[int]
) -> Tensor:
    """−log of the sum over all alignments, one value a pair; inf where none exists.

    table:   (slots, batch, 1 + words) log-probabilities, ε's in column 0
    targets: (batch, words) the column of each target word; equal words share a column
    """
    arguments = (table.float(), targets, slots, words)
    nll: Tensor = _NegativeLogLikelihood.apply(*arguments)  # type: ignore[no-untyped-call]
    return nll
