"""Which slot follows which: a mixture of softmaxes over all later slots and the end."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from nacc.learning.network import MINUS
from nacc.learning.paths import END, FIRST
from nacc.learning.shape import Shape

FAR = 64
"""Slots; beyond, one distance is as another."""


class Links(nn.Module):
    """Each head compares states and has a bias for the distance; a gate a slot mixes the heads, as
    probabilities, so that one head can be sure where others are not."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.link_heads
        self.query = nn.Linear(shape.width, shape.width)
        self.key = nn.Linear(shape.width, shape.width)
        self.gate = nn.Linear(shape.width, shape.link_heads)
        self.near = nn.Parameter(torch.zeros(shape.link_heads, FAR))
        self.stop = nn.Parameter(torch.zeros(shape.link_heads))

    def forward(self, state: Tensor, real: Tensor) -> Tensor:
        """state: (B, U, width); real: (B, U) which slots there are. (B, U, U), in fp32."""
        batch, slots, width = state.shape
        split = (batch, slots, self.heads, width // self.heads)
        q = self.query(state).view(split).transpose(1, 2)
        k = self.key(state).view(split).transpose(1, 2)
        scores = (q @ k.transpose(2, 3)).float() * (width // self.heads) ** -0.5
        place = torch.arange(slots, device=state.device)
        apart = place[None, :] - place[:, None]
        ends = (place == END)[None, :]
        steps = (apart.clamp(1, FAR) - 1).flatten().expand(self.heads, -1)
        near = self.near.gather(1, steps).view(self.heads, slots, slots)
        bias = torch.where(ends, self.stop[:, None, None], near)
        later = (apart > 0) & (place >= FIRST)[None, :] & (place != END)[:, None]
        allowed = (later[None] & real[:, None, :]) | ends
        scores = (scores + bias.float()).masked_fill(~allowed[:, None], MINUS)
        gate = torch.softmax(self.gate(state).float(), 2).transpose(1, 2)
        return (torch.softmax(scores, 3) * gate[..., None]).sum(1)
