"""The kinds of network: nothing but this need ask which one a shape describes."""

from __future__ import annotations

from nacc.learning.autoregressive import Autoregressive
from nacc.learning.crf import Crf
from nacc.learning.linked import Linked
from nacc.learning.network import Network
from nacc.learning.parallel import Parallel, Tagged
from nacc.learning.shape import Shape

_RIVALS: dict[str, type[Network]] = {"crf": Crf, "bang": Parallel, "pos": Tagged}


def network_of(shape: Shape) -> Network:
    if shape.rival:
        return _RIVALS[shape.rival](shape)
    if shape.slots:
        return Linked(shape)
    return Autoregressive(shape) if shape.decoder_layers else Network(shape)
