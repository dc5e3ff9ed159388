"""A network's layers as ONNX Runtime computes them fastest: attention and GELU, a node each.

Only a graph is made of these: they have the layers' parameters, by the same names, and compute the
same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor, nn

from nacc.learning.autoregressive import DecoderLayer
from nacc.learning.linked import Linked
from nacc.learning.network import Layer, Network, Past

_PARTS = ("qkv", "mix", "attention_norm", "inner", "outer", "output_norm")
_LOOK = ("query", "source", "mix", "norm")


class FusedLayer(Layer):
    """What `Layer` computes."""

    def __init__(self, layer: Layer) -> None:
        nn.Module.__init__(self)  # it makes no parameters: it has the layer's
        self.heads = layer.heads
        self.activation = layer.activation
        _take(self, layer, _PARTS)

    def forward(self, x: Tensor, mask: Tensor, past: Past | None = None) -> Tensor:
        assert past is None, "a graph writes nothing word by word"
        q, k, v = self.qkv(x).chunk(3, 2)
        seen = attention(q, k, v, mask.expand(-1, -1, x.shape[1], -1), self.heads)
        x = self.attention_norm(x + self.mix(seen))
        inner = self.inner(x)
        inner = gelu(inner) if self.activation is F.gelu else self.activation(inner)
        found: Tensor = self.output_norm(x + self.outer(inner))
        return found


class FusedDecoderLayer(DecoderLayer):
    """What `DecoderLayer` computes."""

    def __init__(self, layer: DecoderLayer) -> None:
        nn.Module.__init__(self)
        self.heads = layer.heads
        _take(self, layer, _LOOK)
        self.layer = FusedLayer(layer.layer)

    def read(self, source: Tensor) -> tuple[Tensor, Tensor]:
        k, v = self.source(source).chunk(2, 2)
        return k, v

    def forward(
        self,
        x: Tensor,
        later: Tensor,
        read: tuple[Tensor, Tensor],
        mask: Tensor,
        past: Past | None = None,
    ) -> Tensor:
        seen = attention(self.query(x), *read, mask.expand(-1, -1, x.shape[1], -1), self.heads)
        looked: Tensor = self.layer(self.norm(x + self.mix(seen)), later, past)
        return looked


def fuse(network: Network) -> None:
    """Put fused layers in the place of the network's, which is of no use but for a graph then."""
    stacks = [network.layers, network.word_layers]
    if isinstance(network, Linked):
        stacks.append(network.slot_layers)
        if network.scorer is not None:
            for i, layer in enumerate(network.scorer.layers):
                assert isinstance(layer, DecoderLayer)
                network.scorer.layers[i] = FusedDecoderLayer(layer)
    for stack in stacks:
        for i, layer in enumerate(stack):
            assert isinstance(layer, Layer)
            stack[i] = FusedLayer(layer)


def attention(q: Tensor, k: Tensor, v: Tensor, bias: Tensor, heads: int) -> Tensor:
    """q: (B, T, width); k, v: (B, S, width); bias: (B or 1, 1, T, S), added to the scores."""
    return _node("MultiHeadAttention", (q, k, v, None, None, bias), q, num_heads=heads)


def gelu(x: Tensor) -> Tensor:
    return _node("Gelu", (x,), x)


def _node(name: str, inputs: Sequence[Tensor | None], like: Tensor, **about: Any) -> Tensor:
    """One of ONNX Runtime's own nodes, which gives a tensor like this one."""
    return torch.onnx.ops.symbolic(
        f"com.microsoft::{name}", inputs, about, dtype=like.dtype, shape=like.shape, version=1
    )


def _take(to: nn.Module, layer: nn.Module, names: Sequence[str]) -> None:
    for name in names:
        setattr(to, name, getattr(layer, name))
