"""The network on a device: arrays of pieces in, candidates and links of every slot out.

In bf16 on a GPU, with the output vocabulary in fp16, which is as fast and rounds its logarithms
eight times finer, and with kernels of our own between the products, which round less often than
torch's; in fp32 elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor

from nacc.errors import BadModel
from nacc.gpu.fused import fuse, unfuse
from nacc.gpu.kernels.select import select
from nacc.learning.checkpoint import load_model
from nacc.learning.linked import Linked
from nacc.learning.network import MINUS
from nacc.learning.paths import BEGIN, END, FIRST


@dataclass(frozen=True, eq=False)
class Outputs:
    """The raw parts of B lattices: see NetworkOutput.

    words:  (B, U, K + 1) int32 symbols, best first; values: their log-probabilities, fp32.
    links:  (B, U + 1, U + 1) log-probabilities, fp32.
    """

    words: Tensor
    values: Tensor
    links: Tensor


class DeviceNetwork:
    """fp32: on a GPU too, to compare with."""

    def __init__(
        self, network: Linked, top_k: int, device: torch.device, *, fp32: bool = False
    ) -> None:
        self.device = device
        self.slots = network.shape.slots
        self.words = network.shape.words
        self.top_k = top_k
        fast = device.type == "cuda" and not fp32
        output, bias = network.output.weight, network._bias()
        kind = torch.float16 if fast else torch.float32
        self._output = output.detach().to(device, kind)
        self._bias = bias.detach().to(device, kind)
        self.network = network.to(device, torch.bfloat16 if fast else torch.float32).eval()
        if fast:
            self.fuse()

    @classmethod
    def load(
        cls, folder: Path, top_k: int, device: torch.device, *, fp32: bool = False
    ) -> DeviceNetwork:
        """From a model folder, its weights dequantised, or from one that training left."""
        network = load_model(folder).network
        if not isinstance(network, Linked):
            raise BadModel(f"{folder} has no linked slots: nothing else is decoded on a GPU")
        return cls(network, top_k, device, fp32=fp32)

    def fuse(self, fused: bool = True) -> None:
        """Whether the layers have kernels of our own between their products, or torch's."""
        (fuse if fused else unfuse)(self.network)

    def compile(self) -> None:
        """Have torch fuse what stands between the products: a quarter of a minute, once a
        process, and slower than ours."""
        self.fuse(False)
        for module in self.network.modules():
            if isinstance(module, Linked.compiled):
                module.compile(dynamic=True)

    @torch.no_grad()
    def __call__(self, pieces: Tensor, slots: Tensor, lengths: Tensor, symbols: Tensor) -> Outputs:
        """As Linked.candidates, with the selection by kernels of our own."""
        network, best = self.network, self.top_k + 1
        source = network.encode(pieces, slots, lengths)
        state, links = network.link(source, lengths)
        batch, count, _ = state.shape
        top = network.top(state).to(self._output.dtype)
        vocabulary = F.linear(top, self._output, self._bias).view(batch * count, -1)
        values, words, total = select(vocabulary, best)
        copy = network.pointed(state, source, lengths)
        own, taken = network._own(vocabulary.view(batch, count, -1), copy, symbols)
        values, words = values.view(batch, count, best), words.view(batch, count, best)
        sums = torch.logaddexp(total.view(batch, count), torch.logsumexp(copy, 2))
        twice = (words[..., None] == symbols[:, None, None, :]).any(3)
        values = torch.cat([values.masked_fill(twice, 2 * MINUS), own.float()], dim=2)
        words = torch.cat([words, taken.int()], dim=2)
        values, at, _ = select(values.view(batch * count, -1), best)
        chosen = words.view(batch * count, -1).gather(1, at.long()).view(batch, count, best)
        values = values.view(batch, count, best) - sums[:, :, None]
        return Outputs(chosen.contiguous(), values.contiguous(), _edges(links, count))


def _edges(links: Tensor, slots: int) -> Tensor:
    """From BEGIN and each slot, to each slot and the end, in logs."""
    last = FIRST + slots
    rows = torch.cat([links[:, BEGIN : BEGIN + 1], links[:, FIRST:last]], dim=1)
    edges = torch.cat([rows[:, :, FIRST:last], rows[:, :, END : END + 1]], dim=2)
    return edges.clamp(min=1e-30).log().contiguous()
