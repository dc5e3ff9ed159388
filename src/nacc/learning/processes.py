"""One training process or several (torchrun): who this one is, and what they agree on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn

from nacc.errors import NaccError
from nacc.learning.network import Network


@dataclass(frozen=True)
class Processes:
    """This process's place among all; process 0 validates and writes."""

    rank: int
    world: int
    device: torch.device

    @classmethod
    def join(cls) -> Processes:
        """Find the others, as torchrun's environment says; without it, there are none."""
        world = int(os.environ.get("WORLD_SIZE", "1"))
        cuda = torch.cuda.is_available()
        local = int(os.environ.get("LOCAL_RANK", "0"))
        if cuda:
            torch.set_float32_matmul_precision("high")
            torch.cuda.set_device(local)
        if world > 1 and not dist.is_initialized():
            dist.init_process_group("nccl" if cuda else "gloo")
        device = torch.device("cuda", local) if cuda else torch.device("cpu")
        return cls(dist.get_rank() if world > 1 else 0, world, device)

    @property
    def first(self) -> bool:
        return self.rank == 0

    def agree(self, value: float) -> float:
        """Process 0's value, for all: clocks differ, and all must stop at the same update."""
        if self.world == 1:
            return value
        shared = torch.tensor(value, dtype=torch.float64, device=self.device)
        dist.broadcast(shared, 0)
        return float(shared)

    def add_up(self, parameters: Sequence[nn.Parameter]) -> None:
        """The sum of all processes' gradients, for each."""
        if self.world == 1:
            return
        grads = [torch.zeros_like(p) if p.grad is None else p.grad for p in parameters]
        flat = torch.cat([grad.flatten() for grad in grads])
        dist.all_reduce(flat)
        parts = torch.split(flat, [grad.numel() for grad in grads])
        for parameter, part in zip(parameters, parts, strict=True):
            parameter.grad = part.view_as(parameter)

    def check_equal(self, network: Network) -> None:
        """Raise if the processes' weights have drifted apart: each learned something else."""
        if self.world == 1:
            return
        sums = torch.stack([p.detach().double().sum() for p in network.parameters()])
        least, most = sums.clone(), sums.clone()
        dist.all_reduce(least, dist.ReduceOp.MIN)
        dist.all_reduce(most, dist.ReduceOp.MAX)
        if not torch.equal(least, most):
            raise NaccError("the processes' weights differ: gradients were not shared")

    def wait(self) -> None:
        if self.world > 1:
            dist.barrier()

    def leave(self) -> None:
        if dist.is_initialized():
            dist.barrier()
            dist.destroy_process_group()
