"""A Transformer layer with kernels of our own between the products: `Layer.forward`, faster."""

from __future__ import annotations

from functools import partial

import torch
import triton
from torch import Tensor, nn

from nacc.gpu.kernels.layer import add_norm, attend
from nacc.learning.autoregressive import DecoderLayer
from nacc.learning.network import Layer

LONGEST = 256
"""Vectors of a sentence that are held at once; more are torch's."""
LEAST_HEAD = 16  # so wide a matrix has to be for a product, and a power of two for a kernel
ROWS = 4


def fuse(network: nn.Module) -> None:
    """Have the network's layers work so, from now on."""
    for layer in _layers(network):
        layer.forward = partial(forward, layer)  # type: ignore[method-assign]


def unfuse(network: nn.Module) -> None:
    for layer in _layers(network):
        vars(layer).pop("forward", None)


def _layers(network: nn.Module) -> list[Layer]:
    """Those that look at all of a sentence; a decoder's look at what was said before."""
    modules = list(network.modules())
    decoders = {module.layer for module in modules if isinstance(module, DecoderLayer)}
    return [each for each in modules if isinstance(each, Layer) and each not in decoders]


def forward(layer: Layer, x: Tensor, mask: Tensor) -> Tensor:
    """As Layer.forward, without dropout."""
    length, head = x.shape[1], x.shape[2] // layer.heads
    if length > LONGEST or head < LEAST_HEAD or head & (head - 1):
        return Layer.forward(layer, x, mask)
    seen = _attended(layer.qkv(x), mask, layer.heads)
    x = _normed(layer.attention_norm, x, layer.mix(seen))
    inner = layer.activation(layer.inner(x))
    return _normed(layer.output_norm, x, layer.outer(inner))


def _attended(qkv: Tensor, mask: Tensor, heads: int) -> Tensor:
    batch, length, wide = qkv.shape
    width, head = wide // 3, wide // 3 // heads
    out = qkv.new_empty((batch, length, width))
    most = max(triton.next_power_of_2(length), 16)
    queries = min(most, 128 if most <= 128 else 64)
    attend[(batch, heads, triton.cdiv(length, queries))](
        qkv, mask.reshape(batch, length).contiguous(), out, length, head**-0.5,
        heads, head, most, queries, num_warps=4 if most <= 64 else 8,
    )  # fmt: skip
    return out


def _normed(norm: nn.LayerNorm, x: Tensor, y: Tensor) -> Tensor:
    out, width = torch.empty_like(x), x.shape[-1]
    rows = x.numel() // width
    add_norm[(triton.cdiv(rows, ROWS),)](
        x, y, norm.weight, norm.bias, out, rows, norm.eps,
        width, triton.next_power_of_2(width), ROWS, num_warps=4,
    )  # fmt: skip
    return out
