"""What of a network learns, how fast, and the running average of it that is kept."""

from __future__ import annotations

import math
from collections.abc import Iterable

import torch
from torch import nn

from nacc.errors import InvalidInput
from nacc.learning.network import Network
from nacc.learning.recipe import Training


def part_of(parameter: str) -> str:
    """The network's own part that a parameter belongs to, both by name."""
    return parameter.partition(".")[0]


def check_parts(network: Network, parts: Iterable[str]) -> None:
    """Whether a network has such parts; InvalidInput if not."""
    known = {part_of(name) for name, _ in network.named_parameters()}
    for part in parts:
        if part not in known:
            raise InvalidInput(f"no part is named {part!r}; known: {', '.join(sorted(known))}")


def let_learn(network: Network, parts: tuple[str, ...]) -> None:
    """Only these parts learn, by the names of the network's own; all, where none is named."""
    check_parts(network, parts)
    for name, parameter in network.named_parameters():
        parameter.requires_grad_(not parts or part_of(name) in parts)


def optimizer_of(network: Network, options: Training) -> torch.optim.Optimizer:
    """AdamW; the new parts (output, pointer) may learn at a rate of their own."""
    encoder: list[nn.Parameter] = []
    head: list[nn.Parameter] = []
    for name, parameter in network.named_parameters():
        if not parameter.requires_grad:
            continue
        (encoder if name.startswith(network.trained) else head).append(parameter)
    rates = (options.learning_rate, options.head_learning_rate or options.learning_rate)
    groups = [{"params": p, "peak": r} for p, r in zip((encoder, head), rates, strict=True)]
    return torch.optim.AdamW(
        groups,
        lr=options.learning_rate,
        betas=options.betas,
        weight_decay=options.weight_decay,
        fused=next(network.parameters()).is_cuda,
    )


def schedule(options: Training, update: int, done: float) -> float:
    """The share of the peak learning rate, `done` of the run being behind us."""
    warm = min(1.0, (update + 1) / max(1, options.warmup))
    if options.schedule == "inverse-sqrt":
        return warm * math.sqrt(max(1, options.warmup) / max(1, options.warmup, update + 1))
    return min(warm, max(0.0, 1 - done))


@torch.no_grad()
def follow(average: Network, network: Network, decay: float, update: int) -> None:
    """Move the running average towards the network, faster while it is young."""
    if average is not network:
        pace = 1 - min(decay, update / (update + 10))
        pairs = zip(average.parameters(), network.parameters(), strict=True)
        here, there = zip(*((a, n) for a, n in pairs if n.requires_grad), strict=True)
        torch._foreach_lerp_(here, there, pace)
