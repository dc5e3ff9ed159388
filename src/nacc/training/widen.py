"""A vocabulary with room for words of another kind of text, and a network that can say them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from nacc.models.network import Network
from nacc.text.pieces import Pieces
from nacc.training.corpus import Corpus
from nacc.training.prepare import added_words


def widened(vocabulary: list[str], corpus: Corpus, size: int, min_count: int) -> list[str]:
    """The vocabulary, then the words that the corpus's targets add most often to their sources."""
    known = set(vocabulary)
    more = added_words(corpus, min_count, size + len(vocabulary))
    return [*vocabulary, *[word for word in more if word not in known][: size - len(vocabulary)]]


def widen(network: Network, given: Network, pieces: Pieces, vocabulary: Sequence[str]) -> None:
    """Fill `network` with `given`'s weights. Words that only it has start as the mean of their
    pieces, as rare as the rarest tenth of the others; what only it has otherwise stays new."""
    state = given.state_dict()
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
