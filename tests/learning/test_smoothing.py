"""Smoothing: a network made ready for 8 bits computes what it did, and 8 bits lose less of it."""

import numpy as np
import pytest
import torch

from nacc.learning.linked import Linked
from nacc.learning.rounding import safe_steps
from nacc.learning.shape import Shape
from nacc.learning.smoothing import Smoothed, smooth
from nacc.learning.tokenizer import word_tokenizer
from nacc.runtime.inputs import InputEncoder
from nacc.text.pieces import Pieces

WORDS = ["<blank>", *(f"w{chr(97 + i)}" for i in range(26))]
SENTENCES = [["wa", "zebra", "wb", "wa", "wc"], ["yak", "wh"], ["wd"]]


@pytest.fixture
def encoder(tmp_path) -> InputEncoder:
    word_tokenizer(WORDS).save(tmp_path / "tokenizer.json")
    return InputEncoder(Pieces.load(tmp_path / "tokenizer.json"), WORDS, 64, 80)


@pytest.fixture
def network() -> Linked:
    torch.manual_seed(3)
    made = Linked(
        Shape(
            pieces=len(WORDS), words=len(WORDS), width=16, layers=2, heads=2, inner=32,
            positions=64, word_layers=1, slots=2, slot_layers=1, link_heads=4,
        )
    )  # fmt: skip
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=0.4)
    with torch.no_grad():  # two channels many times as large as the others, as training makes them
        made.embedding_norm.weight[3] = made.layers[0].output_norm.weight[5] = 40.0
    return made.eval()


def rounded(x: torch.Tensor) -> torch.Tensor:
    """As a graph of 8 bits reads it: one step for all."""
    low, high = min(float(x.min()), 0.0), max(float(x.max()), 0.0)
    step = (high - low) / 255
    return torch.round(x / step) * step


@torch.no_grad()
def test_a_smoothed_network_gives_the_same(network, encoder):
    made = encoder.batch(SENTENCES)
    arrays = (made.pieces, made.slots, made.lengths, made.symbols)
    tensors = tuple(map(torch.from_numpy, arrays))
    wanted = network.candidates(*tensors, 5)
    smooth(network, encoder)
    assert sum(isinstance(part, Smoothed) for part in network.modules()) == 6
    found = network.candidates(*tensors, 5)
    assert torch.equal(found[0], wanted[0])
    for one, other in zip(found[1:], wanted[1:], strict=True):
        assert (one.exp() - other.exp()).abs().max() < 1e-4


@torch.no_grad()
def test_a_smoothed_product_loses_less_to_eight_bits():
    torch.manual_seed(4)
    linear = torch.nn.Linear(32, 16)
    x = torch.randn(1, 20, 32)
    x[:, :, 7] *= 50  # a channel
    x[:, 3] *= 20  # a word
    wanted = linear(x)
    plain = (torch.nn.functional.linear(rounded(x), linear.weight, linear.bias) - wanted).abs()
    map_ = Smoothed(linear, x.abs().amax((0, 1)), by_word=True)
    assert (map_(x) - wanted).abs().max() < 1e-3
    y = x * map_.shrink
    size = y.abs().amax(-1, keepdim=True)
    even = rounded(y / size) * size
    smoothed = (torch.nn.functional.linear(even, map_.weight, map_.bias) - wanted).abs()
    assert smoothed.median() < plain.median() / 5


def test_no_two_neighbours_overflow_sixteen_bits():
    matrix = np.random.default_rng(5).normal(size=(385, 40)).astype(np.float32)
    matrix[:2, 0], matrix[2:4, 1] = (30, 0), 30  # alone, and in company
    steps = safe_steps(matrix)
    whole = np.rint(matrix / steps).astype(int)
    pairs = np.pad(whole, ((0, 1), (0, 0))).reshape(-1, 2, 40)
    for part in (np.maximum(pairs, 0), np.minimum(pairs, 0)):
        assert np.abs(255 * part.sum(1)).max() <= 32767
    assert whole[0, 0] == 127 and whole[2, 1] == whole[3, 1] == 64
    assert (np.abs(whole).max(0) > 70).mean() > 0.9  # where seven bits would stop at 64
