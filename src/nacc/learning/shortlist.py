"""The words a sentence may be answered with, a few of the vocabulary: the others are not looked at.

Most of the vocabulary is likely in no slot of a sentence, and to multiply by all of it a third of
a lattice's cost. Neighbouring slots say similar things: their means, a few, are multiplied by the
vocabulary first, in fewer dimensions, and the words that are likely in one of them make the list.
Of the words that are left out each slot knows the sum, as its mean has it: probabilities stay those
of the whole vocabulary.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

POOLED = 4
"""Slots a mean."""
RANK = 128
"""Dimensions in which means and words are compared."""
LISTED = 1024
"""Words on the list."""
_EVEN = 0.01  # how much vectors unlike those seen are reckoned with


class Shortlist(nn.Module):
    """table: the output's weights, (words, width); bias: (words,); tops: some of the vectors that
    are multiplied by it, (N, width)."""

    down: Tensor
    words: Tensor
    bias: Tensor

    def __init__(self, table: Tensor, bias: Tensor, tops: Tensor) -> None:
        super().__init__()
        down, words = halves(table, tops, min(RANK, table.shape[1]))
        self.register_buffer("down", down)
        self.register_buffer("words", words)
        self.register_buffer("bias", bias)
        self.size = min(LISTED, len(table))

    def forward(self, top: Tensor, real: Tensor) -> tuple[Tensor, Tensor]:
        """The list (B, N), and the sum over the words that are not on it, of each slot, in logs
        (B, U, 1). top: (B, U, width), what the output sees; real: (B, U), which slots there are."""
        group = torch.arange(top.shape[1], device=top.device) // POOLED
        groups = torch.arange((top.shape[1] + POOLED - 1) // POOLED, device=top.device)
        member = (groups[:, None] == group[None, :])[None] & real[:, None, :]
        count = member.sum(2, keepdim=True)
        means = (member.to(top.dtype) @ top) / count.clamp(min=1)
        means = torch.where(count == 0, means[:, :1], means)  # of padding: adds nothing to the list
        logits = (means @ self.down) @ self.words + self.bias
        shares = torch.softmax(logits, 2)
        listed = shares.amax(1).topk(self.size, dim=1, sorted=False).indices
        kept = shares.gather(2, listed[:, None, :].expand(-1, shares.shape[1], -1)).sum(2)
        total = logits.amax(2) - shares.amax(2).log()
        rest = total + (1 - kept).clamp(min=1e-6).log()
        return listed, rest.index_select(1, group)[:, :, None]


def halves(table: Tensor, tops: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """Two matrices, (width, rank) and (rank, words), whose product comes nearest to what the
    table's transpose gives for such vectors."""
    x = tops.double()
    moments = x.T @ x / len(x)
    moments += _EVEN * moments.diagonal().mean() * torch.eye(len(moments), dtype=x.dtype)
    sizes, axes = torch.linalg.eigh(moments)
    weighed = (axes * sizes.sqrt()).T @ table.double().T
    _, best = torch.linalg.eigh(weighed @ weighed.T)  # width is small, words are many
    best = best[:, -rank:]
    return ((axes / sizes.sqrt()) @ best).float(), (best.T @ weighed).float()
