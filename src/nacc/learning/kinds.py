"""The kinds of network: nothing but this need ask which one a shape describes."""

from __future__ import annotations

from nacc.learning.autoregressive import Autoregressive
from nacc.learning.linked import Linked
from nacc.learning.network import Network
from nacc.learning.shape import Shape


def network_of(shape: Shape) -> Network:
    if shape.slots:
        return Linked(shape)
    return Autoregressive(shape) if shape.decoder_layers else Network(shape)
