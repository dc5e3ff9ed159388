"""Several lists of answers scored in one pass: their trees side by side (`Scores`, `order`).

A node knows its own tree's nodes and its own source's words, and no others'.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nacc.runtime.inputs import PADDING

Feed = Mapping[str, NDArray[Any]]
"""What `Scores` is given of one list's tree, by name."""


def joined(feeds: Sequence[Feed]) -> dict[str, Tensor]:
    """What `Scores` is given of all of them, in their order."""
    nodes = [len(feed["depth"]) for feed in feeds]
    first = np.cumsum([0, *nodes[:-1]])
    wide = max(feed["pieces"].shape[1] for feed in feeds)
    sizes = zip(nodes, (len(feed["source"]) for feed in feeds), strict=True)
    return {
        "source": _row(feed["source"] for feed in feeds),
        "pieces": _row(_widened(feed["pieces"], wide) for feed in feeds),
        "depth": _row(feed["depth"] for feed in feeds),
        "ancestors": _beside([feed["ancestors"] for feed in feeds]),
        "parent": _row(feed["parent"] + n for feed, n in zip(feeds, first, strict=True)),
        "label": _row(feed["label"] for feed in feeds),
        "matches": _beside([feed["matches"] for feed in feeds]),
        "own": _beside([np.ones(size, np.bool_) for size in sizes]),
    }


def _widened(pieces: NDArray[Any], wide: int) -> NDArray[Any]:
    return np.pad(pieces, ((0, 0), (0, wide - pieces.shape[1])), constant_values=PADDING)


def _row(arrays: Any) -> Tensor:
    return torch.from_numpy(np.concatenate(list(arrays)))


def _beside(tables: Sequence[NDArray[np.bool_]]) -> Tensor:
    """Tables of yes and no along a diagonal, no everywhere else."""
    table = np.zeros(np.sum([each.shape for each in tables], 0), np.bool_)
    row = column = 0
    for each in tables:
        table[row : row + len(each), column : column + each.shape[1]] = each
        row, column = row + len(each), column + each.shape[1]
    return torch.from_numpy(table)
