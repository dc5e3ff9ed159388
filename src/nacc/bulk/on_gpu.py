"""A GPU in the place of a core: `nacc.gpu`, asked as `summaries` asks a Summarizer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nacc.errors import requires
from nacc.length.budget import Budget
from nacc.options import Settled

if TYPE_CHECKING:
    from nacc.summarizer import Result


class OnGpu:
    """The model on a GPU; it has processes of its own for what the CPU does."""

    def __init__(self, model: Path) -> None:
        requires("--device gpu", "gpu", "torch", "triton")
        self._gpu: Any = import_module("nacc.gpu.summarizer").GpuSummarizer.load(model)

    def each(
        self,
        texts: Iterable[str],
        budgets: Sequence[Budget],
        options: Settled,
        *,
        workers: int | None = None,
    ) -> Iterator[list[Result]]:
        """For each text, in order, what there is for each budget; the GPU takes one at a time."""
        all_of_them = list(texts)
        found = [list(self._gpu.each(all_of_them, budget, options)) for budget in budgets]
        yield from (list(results) for results in zip(*found, strict=True))
