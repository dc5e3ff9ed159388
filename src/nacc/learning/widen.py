"""A network with room for more: other parts, and words that the one it starts from cannot say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from nacc.learning.network import Network
from nacc.runtime.conditions import Conditions, unused
from nacc.text.pieces import Pieces


def widen(network: Network, given: Network, pieces: Pieces, vocabulary: Sequence[str]) -> None:
    """Fill `network` with `given`'s weights. Words that only it has start as the mean of their
    pieces, as rare as the rarest tenth of the others; what only it has otherwise stays new."""
    state = dict(given.state_dict())
    weight, bias = state.pop("output.weight"), state.pop("output.bias")
    network.load_state_dict(state, strict=False)
    old = len(weight)
    with torch.no_grad():
        network.output.weight[:old] = weight
        network.output.bias[:old] = bias
        embedding = network.piece_embedding.weight
        for i, ids in enumerate(pieces.of(vocabulary[old:]), old):
            network.output.weight[i] = embedding[list(ids)].mean(0)
        network.output.bias[old:] = float(np.quantile(bias.numpy(), 0.1))


def reorder(network: Network, pieces: Pieces, former: Conditions, now: Conditions) -> None:
    """Where other lengths or voices are told apart than before, each starts as what it was: a
    length as the one its middle lay in, a new voice as any."""
    limits = np.array([0, *now.lengths, now.lengths[-1] + 16])
    middles = (limits[:-1] + limits[1:]) // 2
    was = dict(zip(now.length_number(middles), former.length_number(middles), strict=True))
    was |= {now.voice_number(voice): former.voice_number(voice) for voice in now.voices}
    rows = network.piece_embedding.weight
    to, since = ([pieces.id(unused(int(n))) for n in numbers] for numbers in (was, was.values()))
    with torch.no_grad():
        rows[to] = rows[since].clone()
