"""From what linked slots say of the vocabulary and of the source to the raw parts of a lattice."""

from __future__ import annotations

import torch
from torch import Tensor

from nacc.learning.network import MINUS
from nacc.learning.paths import BEGIN, END, FIRST


def own_words(listed: Tensor, copy: Tensor, symbols: Tensor, words: int) -> Tensor:
    """What each slot says of the source's words, in logs: (B, U, S). A word counts where it stands
    first, with all of its copies and its entry in the vocabulary of so many words (`listed`, which
    is anything where there is none)."""
    same = symbols[:, :, None] == symbols[:, None, :]
    first = same.to(torch.uint8).argmax(2) == torch.arange(symbols.shape[1], device=symbols.device)
    peak = copy.amax(2, keepdim=True)
    shares = (copy - peak).exp() @ same.to(copy.dtype)
    copied = shares.clamp(min=1e-30).log() + peak
    own = torch.logaddexp(listed.masked_fill((symbols >= words)[:, None, :], MINUS), copied)
    return own.masked_fill(~first[:, None, :], 2 * MINUS)


def best_words(
    values: Tensor, words: Tensor, own: Tensor, symbols: Tensor, top_k: int
) -> tuple[Tensor, Tensor]:
    """The top_k + 1 best of each slot's best entries (B, U, K + 1) and the source's words: which,
    and what they are worth.

    A word of the source is worth no less than its vocabulary entry: of the others, those among the
    best are among the best entries.
    """
    twice = (words[..., None] == symbols[:, None, None, :]).any(3)
    values = torch.cat([values.masked_fill(twice, 2 * MINUS), own], dim=2)
    words = torch.cat([words, symbols[:, None, :].expand_as(own)], dim=2)
    best, at = values.topk(top_k + 1, dim=2)
    return words.gather(2, at).int(), best


def log_total(values: Tensor, best: Tensor, at: Tensor) -> Tensor:
    """log Σ exp over the last axis, by way of a softmax, which ONNX Runtime is faster at.

    best, at: the largest of each row and where it stands, (…, 1).
    """
    return best - torch.softmax(values, 2).gather(2, at).log()


def edges(links: Tensor, slots: int) -> Tensor:
    """The logs of the links from BEGIN and each slot to each slot and the end."""
    last = FIRST + slots
    rows = torch.cat([links[:, BEGIN : BEGIN + 1], links[:, FIRST:last]], dim=1)
    found = torch.cat([rows[:, :, FIRST:last], rows[:, :, END : END + 1]], dim=2)
    return found.clamp(min=1e-30).log()
