"""A graph in 8 bits: weights of products, each output with its own step, and tables of vectors.

What products read is rounded in steps that are fixed beforehand, by how large it was where the
graph read some sentences: a sentence's answer does not depend on what is read along with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Feed = Mapping[str, NDArray[Any]]
Ranges = dict[str, tuple[float, float]]

OWN_STEPS = "output.weight"
"""The table whose rows are multiplied by: each has its own step."""
_MOST = 127
_PAIR = 128
"""Processors without VNNI add two products of 8 bits in 16, and cut off what does not fit: 255
times this does. Seven bits would be as safe, and coarser."""
_STEPS = 255


def ranges(graph: Path, feeds: Iterable[Feed]) -> Ranges:
    """The least and the largest value of all that the graph's products read of these inputs."""
    import onnx
    import onnxruntime
    from onnx import helper

    model = onnx.load(str(graph))
    names = list(dict.fromkeys(node.input[0] for node in _products(model.graph)))
    del model.graph.output[:]
    model.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    wanted = {given.name for given in session.get_inputs()}
    found: Ranges = dict.fromkeys(names, (0.0, 0.0))
    for feed in feeds:
        read = session.run(names, {name: feed[name] for name in wanted})
        for name, values in zip(names, read, strict=True):
            low, high = found[name]
            found[name] = min(low, float(values.min())), max(high, float(values.max()))
    return found


def quantize(full: Path, path: Path, read: Ranges) -> None:
    """Write the graph `full` to `path` in 8 bits; read: the `ranges` of what its products read."""
    import onnx
    from onnx import helper

    model = onnx.load(str(full))
    rounding = _Rounding(model.graph, read)
    rounding.products()
    rounding.tables()
    del model.graph.value_info[:]  # what is said of tensors that are of other kinds now
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
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


class _Rounding:
    """One graph on its way into 8 bits; what is put into it is named after what it stands for."""

    def __init__(self, graph: Any, read: Ranges) -> None:
        from onnx import numpy_helper

        self.graph = graph
        self.read = read
        self.arrays = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
        self.users: dict[str, list[Any]] = {}
        for node in graph.node:
            for name in node.input:
                self.users.setdefault(name, []).append(node)

    def products(self) -> None:
        for node in _products(self.graph):
            if node.input[1] in self.arrays:
                self._by_matrix(node)
            else:
                self._by_rows(node)

    def _by_matrix(self, node: Any) -> None:
        """A product with a matrix; the bias that is added to it goes into the same node."""
        read, name, given = node.input[0], node.input[1], node.output[0]
        self._read(read, node)
        matrix = self.arrays[name]
        self._put(name, matrix, safe_steps(matrix))
        inputs = [
            f"{read}_rounded",
            f"{name}_quantized",
            f"{read}_step",
            f"{name}_scale",
            f"{read}_zero",
        ]
        after = self.users.get(given, [])
        if len(after) == 1 and after[0].op_type == "Add":
            (bias,) = (each for each in after[0].input if each != given)
            if bias in self.arrays and self.arrays[bias].ndim == 1:
                inputs += ["", bias]
                given = after[0].output[0]
                self.graph.node.remove(after[0])
        self._replace(node, [("MatMulIntegerToFloat", inputs, given, {"domain": "com.microsoft"})])

    def _by_rows(self, node: Any) -> None:
        """A product with rows of a table, which is turned: steps go with the rows."""
        read, turned, given = str(node.input[0]), str(node.input[1]), str(node.output[0])
        self._read(read, node)
        turning = _maker(self.graph, turned)
        taking = _maker(self.graph, turning.input[0])
        table, which = taking.input
        self._put(table, self.arrays[table], safe_steps(self.arrays[table].T)[:, None])
        self._replace(taking, [("Gather", [f"{table}_quantized", which], taking.output[0], {})])
        steps, both, sums = f"{given}_steps", f"{given}_step", f"{given}_sums"
        self._replace(
            node,
            [
                ("Gather", [f"{table}_scale", which], f"{steps}_rows", {}),
                ("Transpose", [f"{steps}_rows"], steps, {"perm": [0, 2, 1]}),
                ("Mul", [steps, f"{read}_step"], both, {}),
                ("MatMulInteger", [f"{read}_rounded", turned, f"{read}_zero"], sums, {}),
                ("Cast", [sums], f"{sums}_value", {"to": 1}),
                ("Mul", [f"{sums}_value", both], given, {}),
            ],
        )

    def tables(self) -> None:
        """Tables that rows are taken from, where they are used for nothing else."""
        for name, table in self.arrays.items():
            users = [node for node in self.graph.node if name in node.input]
            if table.ndim != 2 or table.dtype != np.float32:
                continue
            if {node.op_type for node in users} != {"Gather"}:
                continue
            own = name.endswith(OWN_STEPS)
            least = np.finfo(np.float32).tiny
            steps = np.maximum(np.abs(table).max(0) / _MOST, least).astype(np.float32)
            self._put(name, table, safe_steps(table.T)[:, None] if own else steps)
            for node in users:
                which, given = node.input[1], node.output[0]
                rounded, step = f"{given}_rounded", f"{name}_scale"
                nodes = [
                    ("Gather", [f"{name}_quantized", which], rounded, {}),
                    ("Cast", [rounded], f"{given}_value", {"to": 1}),
                    ("Mul", [f"{given}_value", f"{given}_step" if own else step], given, {}),
                ]
                if own:
                    nodes.insert(1, ("Gather", [step, which], f"{given}_step", {}))
                self._replace(node, nodes)

    def _read(self, name: str, node: Any) -> None:
        """Round what a product reads, once for all that read it."""
        from onnx import helper, numpy_helper

        if f"{name}_step" in self.arrays:
            return
        low, high = self.read[name]
        step = np.float32(max(high - low, 1e-6) / _STEPS)
        zero = np.uint8(np.clip(np.rint(-low / step), 0, _STEPS))
        for part, value in (("step", step), ("zero", zero)):
            self.arrays[f"{name}_{part}"] = np.asarray(value)
            self.graph.initializer.append(
                numpy_helper.from_array(np.asarray(value), f"{name}_{part}")
            )
        rounding = helper.make_node(
            "QuantizeLinear",
            [name, f"{name}_step", f"{name}_zero"],
            [f"{name}_rounded"],
            f"{name}_rounded",
        )
        self.graph.node.insert(list(self.graph.node).index(node), rounding)

    def _replace(self, old: Any, new: Sequence[tuple[str, list[str], str, dict[str, Any]]]) -> None:
        """Put nodes (kind, what each reads, gives, and is told) where the old one stands."""
        from onnx import helper

        at = list(self.graph.node).index(old)
        self.graph.node.remove(old)
        for i, (kind, reads, gives, told) in enumerate(new):
            self.graph.node.insert(at + i, helper.make_node(kind, reads, [gives], gives, **told))

    def _put(self, name: str, array: NDArray[np.float32], steps: NDArray[np.float32]) -> None:
        """The array in these steps, in place of what the graph has under this name."""
        from onnx import numpy_helper

        new = {
            f"{name}_quantized": np.clip(np.rint(array / steps), -_MOST, _MOST).astype(np.int8),
            f"{name}_scale": steps,
        }
        for old in [i for i in self.graph.initializer if i.name in (name, *new)]:
            self.graph.initializer.remove(old)
        for key, part in new.items():
            self.graph.initializer.append(numpy_helper.from_array(part, key))


def _products(graph: Any) -> list[Any]:
    """The graph's products with matrices, and with rows of the table that has its own steps."""
    matrices = {i.name for i in graph.initializer if len(i.dims) == 2}
    found = []
    for node in graph.node:
        if node.op_type != "MatMul":
            continue
        turning = _maker(graph, node.input[1])
        taking = turning and _maker(graph, turning.input[0])
        rows = taking and taking.op_type == "Gather" and taking.input[0].endswith(OWN_STEPS)
        if node.input[1] in matrices or rows:
            found.append(node)
    return found


def _maker(graph: Any, name: str) -> Any:
    """The node that gives a tensor; None if it is given to the graph."""
    return next((node for node in graph.node if name in node.output), None)
