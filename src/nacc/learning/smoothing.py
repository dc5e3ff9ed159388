"""Linear maps made ready for 8 bits: what they read is evened out, and they compute the same.

A product of 8 bits has one step for all that it reads. A few channels of a trained encoder, and a
few of its words, are many times as large as the others, which such a step all but rounds away.
Channels are therefore divided by a constant each, which moves into the weights (SmoothQuant, Xiao
et al. 2023), and words by their largest value, which the product is multiplied by again.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor, nn

from nacc.learning.network import Network
from nacc.runtime.inputs import InputEncoder
from nacc.text.words import split

SENTENCES = (
    "The ferry ran aground off the northern coast early on Sunday with 212 people on board, and "
    "rescuers took everyone to safety before nightfall, the coast guard said.",
    "Shares of the chip maker fell 7.5 percent to $41.20 in New York after it cut its forecast.",
    "Who will pay for the new bridge? Nobody at city hall seems to know, writes Anna Kovacs.",
    "the president 's spokesman said wednesday that talks with the ## rebel groups would resume .",
    "Arsenal beat Everton 3-1 at home; Okafor scored twice in the second half.",
    "You can now change the font size in the settings menu of the app (version 2.4 or later).",
    "A court in Nairobi has sentenced a former minister to nine years in prison for taking bribes "
    "from a road-building firm, in one of the country's largest corruption trials.",
    "Researchers at the University of Leeds have found that bees, unlike wasps, remember colours.",
)
"""What the sizes of channels are taken from: of news, of the web, written for this."""
_BY_CHANNEL = ("qkv", "inner")  # these read what a norm gave, and its weights are uneven
_BY_WORD = ("inner", "outer")
_SHARE = 0.6  # of a channel's unevenness, how much the weights take over
_TINY = 1e-6


class Smoothed(nn.Module):
    """What `linear` computes, by channels of even size, or by words, or both.

    largest: of each channel that it reads, the largest size seen; None leaves channels alone.
    """

    def __init__(self, linear: nn.Linear, largest: Tensor | None, by_word: bool) -> None:
        super().__init__()
        weight = linear.weight.detach()
        scale = None
        if largest is not None:
            most = weight.abs().amax(0).clamp(min=_TINY)
            scale = largest.clamp(min=_TINY) ** _SHARE / most ** (1 - _SHARE)
            weight = weight * scale
        self.shrink: Tensor | None
        self.register_buffer("shrink", None if scale is None else 1 / scale)
        self.weight = nn.Parameter(weight)
        self.bias = linear.bias
        self.by_word = by_word

    def forward(self, x: Tensor) -> Tensor:
        if self.shrink is not None:
            x = x * self.shrink
        if not self.by_word:
            return F.linear(x, self.weight, self.bias)
        size = x.abs().amax(-1, keepdim=True).clamp(min=_TINY)
        return F.linear(x / size, self.weight) * size + self.bias


@torch.no_grad()
def smooth(network: Network, encoder: InputEncoder) -> None:
    """Smooth the encoder's layers over pieces, by what they read where they read `SENTENCES`: the
    others have no such channels or words."""
    largest: dict[nn.Module, Tensor] = {}

    def look(linear: nn.Module, read: tuple[Tensor]) -> None:
        size = read[0].abs().flatten(0, -2).amax(0)
        largest[linear] = torch.maximum(size, largest.get(linear, size))

    names = dict.fromkeys(_BY_CHANNEL + _BY_WORD)
    linears = [(layer, name, getattr(layer, name)) for layer in network.layers for name in names]
    hooks = [linear.register_forward_pre_hook(look) for _, _, linear in linears]
    network.eval()
    for text in SENTENCES:  # one by one: padding is nothing that a layer reads
        keys = split(text).keys
        made = encoder.batch([keys[: encoder.fitting(keys)]])
        arrays = (made.pieces, made.slots, made.lengths)
        network.encode(*map(torch.from_numpy, arrays))
    for hook in hooks:
        hook.remove()
    for layer, name, linear in linears:
        seen = largest[linear] if name in _BY_CHANNEL else None
        setattr(layer, name, Smoothed(linear, seen, name in _BY_WORD))
