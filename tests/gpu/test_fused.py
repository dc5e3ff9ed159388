"""Layers with kernels of our own say what torch's say."""

from __future__ import annotations

import pytest
import torch

from nacc.gpu.fused import LONGEST, fuse, unfuse
from nacc.learning.autoregressive import DecoderLayer
from nacc.learning.network import Layer, mask_of
from nacc.learning.shape import Shape


def shape(heads):
    return Shape(pieces=2, words=2, width=48, heads=heads, inner=64, layers=1, positions=8)


def layer(heads):
    torch.manual_seed(heads)
    made = Layer(shape(heads))
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return made.eval()


@pytest.mark.parametrize(("length", "heads"), [(5, 3), (66, 3), (140, 3), (5, 6)])
def test_a_layer_is_the_same_with_our_kernels(length, heads):
    ours, x = layer(heads), torch.randn(2, length, 48)
    real = torch.arange(length)[None, :] < torch.tensor([[length], [length // 2]])
    mask = mask_of(real, x.dtype)
    with torch.no_grad():
        theirs = ours(x, mask)
        fuse(ours)
        found = ours(x, mask)
        unfuse(ours)
        again = ours(x, mask)
    assert torch.allclose(found, theirs, atol=1e-5)
    assert torch.equal(again, theirs)


def test_a_sentence_longer_than_is_held_at_once_is_torchs():
    ours, x = layer(3), torch.randn(1, LONGEST + 1, 48)
    mask = mask_of(torch.ones(1, LONGEST + 1, dtype=torch.bool), x.dtype)
    with torch.no_grad():
        theirs = ours(x, mask)
        fuse(ours)
        assert torch.equal(ours(x, mask), theirs)


def test_a_decoders_layers_are_left_alone():
    torch.manual_seed(0)
    decoder, x, source = DecoderLayer(shape(3)).eval(), torch.randn(2, 5, 48), torch.randn(2, 7, 48)
    later = torch.full((5, 5), -1e4).triu(1)
    given = (x, later, decoder.read(source), torch.zeros(2, 1, 1, 7))
    with torch.no_grad():
        theirs = decoder(*given)
        fuse(decoder)
        assert torch.equal(decoder(*given), theirs)
