"""From an exported folder back to a network that can be trained on: the packaged models, say.

An ONNX graph keeps the names of biases and norms, not of the matrices: a matrix is known by the
bias added to its product. Eight-bit weights come back as the values the graph computes with, and
smoothed ones (`smoothing`) without what smoothing put into them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nacc.errors import BadModel
from nacc.learning.kinds import network_of
from nacc.learning.network import REACH, Network
from nacc.learning.shape import Shape

_PREFIX = "network."
_TIED = {"output.weight": "piece_embedding.weight", "piece_embedding.weight": "output.weight"}
_LEARNING = {"shown"}  # of use in training alone, so in no graph
_PRODUCTS = ("MatMul", "MatMulInteger", "MatMulIntegerToFloat")
_BIAS = 6  # where the last of these has it
_LISTS = "shortlist."  # made of the output's weights, for a graph alone
_FAR = 6  # nodes between a product and its bias, at most


def restore(folder: Path, shape: Shape) -> Network:
    """The network of `folder`'s graphs; BadModel if they are not ours."""
    network = network_of(shape)
    weights: dict[str, NDArray[np.float32]] = {}
    for path in (folder / "scorer.onnx", folder / "model.onnx"):
        if path.exists():
            weights |= _weights(_read(path))
    wanted = {k: v for k, v in network.state_dict().items() if k not in _LEARNING}
    try:
        state = {name: _fitting(name, like, weights) for name, like in wanted.items()}
    except KeyError as error:
        raise BadModel(f"{folder} holds no weights for {error}") from error
    network.load_state_dict(state, strict=False)
    return network


def _read(path: Path) -> Any:
    import onnx

    try:
        return onnx.load(str(path)).graph
    except Exception as error:  # protobuf and onnx raise their own kinds
        raise BadModel(f"{path} cannot be read: {error}") from error


def _fitting(name: str, like: Tensor, weights: dict[str, NDArray[np.float32]]) -> Tensor:
    found = weights[name if name in weights else _TIED.get(name, name)]
    if found.shape != tuple(like.shape):
        raise KeyError(name)
    return torch.from_numpy(np.array(found, dtype=np.float32))


def _weights(graph: Any) -> dict[str, NDArray[np.float32]]:
    """Every parameter by its name."""
    from onnx import numpy_helper

    arrays = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    users: dict[str, list[Any]] = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    weights: dict[str, NDArray[np.float32]] = {}
    for name, array in arrays.items():
        whole = name.removesuffix("_quantized")
        if array.ndim == 1 and array.shape == (2 * REACH + 1,):
            weights["distance"] = array
        elif array.ndim == 3 and array.shape[1:] == (1, 1):
            weights["links.stop"] = array[:, 0, 0]
        elif whole.startswith(_PREFIX) and not name.endswith(("_scale", "_zero_point")):
            weights[whole.removeprefix(_PREFIX)] = _value(whole, arrays)
    for node in graph.node:
        if node.op_type in _PRODUCTS and node.input[1] in arrays:
            if node.input[1].startswith(_LISTS):
                continue
            bias = "".join(node.input[_BIAS:]) or _bias_after(node, users, arrays)
            bias = bias or "output.bias"  # linked slots change that one
            matrix = _value(node.input[1].removesuffix("_quantized"), arrays)
            weights[bias.removeprefix(_PREFIX).removesuffix("bias") + "weight"] = matrix.T
    for name in [name for name in weights if name.endswith(".shrink")]:
        whole = name.removesuffix("shrink") + "weight"
        weights[whole] = weights[whole] * weights.pop(name)
    return weights


def _value(name: str, arrays: dict[str, Any]) -> NDArray[np.float32]:
    if name in arrays:
        return np.asarray(arrays[name], dtype=np.float32)
    steps = arrays[name + "_quantized"].astype(np.float32) - arrays.get(name + "_zero_point", 0)
    return np.asarray(steps * arrays[name + "_scale"], dtype=np.float32)


def _bias_after(node: Any, users: dict[str, list[Any]], arrays: dict[str, Any]) -> str:
    """The named vector that is added to what becomes of this node's product; "" if none is."""
    for _ in range(_FAR):
        following = [
            n for n in users.get(node.output[0], []) if n.op_type in ("Add", "Mul", "Cast")
        ]
        if not following:
            return ""
        node = following[0]
        for name in node.input:
            if node.op_type == "Add" and name in arrays and name.endswith(".bias"):
                return str(name)
    return ""
