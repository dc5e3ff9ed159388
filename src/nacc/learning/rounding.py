"""A graph's weights in 8 bits: those of products, each output with its own step, and tables of
vectors, each channel with its own. What products read is rounded as it comes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MOST = 127
_PAIR = 128
"""Processors without VNNI add two products of 8 bits in 16, and cut off what does not fit: 255
times this does. Seven bits would be as safe, and coarser."""


def quantize(full: Path, path: Path) -> None:
    """Write the graph `full` to `path` in 8 bits."""
    import onnx
    from onnx import numpy_helper
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        str(full),
        str(path),
        weight_type=QuantType.QInt8,
        per_channel=True,
        op_types_to_quantize=["MatMul", "Gemm"],
        extra_options={"MatMulConstBOnly": True},
    )
    whole = {i.name: i for i in onnx.load(str(full)).graph.initializer}
    model = onnx.load(str(path))
    for node in model.graph.node:
        if node.op_type == "MatMulInteger" and node.input[1].endswith("_quantized"):
            name = node.input[1].removesuffix("_quantized")
            matrix = numpy_helper.to_array(whole[name])
            _put(model.graph, name, matrix, safe_steps(matrix))
    _round_tables(model.graph, whole)
    path.write_bytes(model.SerializeToString())


def safe_steps(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """The step of each column of (read, given), as small as can be where no value exceeds 8 bits
    and no two neighbours in a column, taken together, exceed `_PAIR`."""
    padded = np.pad(matrix, ((0, len(matrix) % 2), (0, 0)))
    pairs = padded.reshape(-1, 2, matrix.shape[1])
    up, down = (np.maximum(sign * pairs, 0).sum(1).max(0) for sign in (1, -1))
    # Both of a pair may be rounded up, each by half a step.
    steps = np.maximum(np.maximum(up, down) / (_PAIR - 1), np.abs(matrix).max(0) / _MOST)
    return np.asarray(np.maximum(steps, np.finfo(np.float32).tiny), dtype=np.float32)


def _round_tables(graph: Any, whole: dict[str, Any]) -> None:
    """Tables that rows are taken from, where they are used for nothing else."""
    from onnx import helper, numpy_helper

    nodes = list(graph.node)
    for name, tensor in whole.items():
        users = [node for node in nodes if name in node.input]
        if len(tensor.dims) != 2 or {node.op_type for node in users} != {"Gather"}:
            continue
        table = numpy_helper.to_array(tensor)
        if table.dtype != np.float32:
            continue
        steps = np.maximum(np.abs(table).max(0) / _MOST, np.finfo(np.float32).tiny)
        _put(graph, name, table, steps.astype(np.float32))
        for node in users:
            given = node.output[0]
            node.input[0], node.output[0] = f"{name}_quantized", f"{given}_quantized"
            read = [node.output[0], f"{name}_scale", f"{name}_zero_point"]
            after = helper.make_node("DequantizeLinear", read, [given], f"{given}_value", axis=-1)
            graph.node.insert(list(graph.node).index(node) + 1, after)


def _put(graph: Any, name: str, array: NDArray[np.float32], steps: NDArray[np.float32]) -> None:
    """The array's last axis in these steps, in place of what the graph has under these names."""
    from onnx import numpy_helper

    new = {
        f"{name}_quantized": np.clip(np.rint(array / steps), -_MOST, _MOST).astype(np.int8),
        f"{name}_scale": steps,
        f"{name}_zero_point": np.zeros(len(steps), np.int8),
    }
    for old in [i for i in graph.initializer if i.name in (name, *new)]:
        graph.initializer.remove(old)
    graph.initializer.extend(numpy_helper.from_array(part, key) for key, part in new.items())
