"""Graphs that keep their large tensors in one file beside them, each that is equal only once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_LARGE = 1024  # bytes; what is smaller may be wanted before a graph runs
_ALIGNED = 4096  # so that the file can be mapped into memory as it is


def share(graphs: Sequence[Path], weights: Path) -> None:
    """Move the tensors of the graphs into `weights`, in the same folder; any there are replaced."""
    import onnx

    places: dict[bytes, int] = {}
    with weights.open("wb") as file:
        for path in graphs:
            model = onnx.load(str(path))
            for tensor in model.graph.initializer:
                data = tensor.raw_data
                if len(data) < _LARGE:
                    continue
                mark = hashlib.sha256(data).digest()
                if mark not in places:
                    file.write(b"\0" * (-file.tell() % _ALIGNED))
                    places[mark] = file.tell()
                    file.write(data)
                _point(tensor, weights.name, places[mark], len(data))
            path.write_bytes(model.SerializeToString())


def _point(tensor: Any, name: str, offset: int, length: int) -> None:
    tensor.ClearField("raw_data")
    tensor.data_location = 1  # EXTERNAL
    for key, value in (("location", name), ("offset", offset), ("length", length)):
        entry = tensor.external_data.add()
        entry.key, entry.value = key, str(value)
