"""Run by torchrun in place of `-m nacc`: the command, and then what each process has learned.

Given: the folder to write, how many updates there are, and the shape of a network where it is not
the smoke recipe's.
"""

import dataclasses
import json
import sys
from pathlib import Path

import torch

from nacc.apps.cli import main
from nacc.errors import NaccError
from nacc.learning import loop, smoke
from nacc.learning.checkpoint import save_tensors
from nacc.learning.recipe import Recipe

out, updates, shape = Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
plain = smoke.recipe


class Watched(loop.Trainer):
    def run(self, show: loop.Show) -> None:
        super().run(show)
        rank, weights = self.here.rank, dict(self.network.state_dict())
        save_tensors(out / f"rank{rank}.safetensors", weights, {})
        with torch.no_grad():
            self.network.output.bias[rank] += 1
        try:
            self.here.check_equal(self.network)
        except NaccError:
            (out / f"noticed{rank}").touch()


def recipe(updates: int) -> Recipe:
    given = plain(updates)
    return dataclasses.replace(given, model={**given.model, **shape})


loop.Trainer = Watched  # type: ignore[misc]
smoke.recipe = recipe  # type: ignore[assignment]
main(["train", "--smoke", "--updates", updates, "--out", str(out)])
