"""A graph of a model folder, ready to run: ONNX Runtime on the CPU."""

from __future__ import annotations

from pathlib import Path

import onnxruntime

from nacc.errors import BadModel

_SLOWER = ["SkipLayerNormFusion"]
"""What ONNX Runtime would make of a graph to no gain: a sum and a norm as one node take more than
twice as long as the two."""


def session(path: Path, threads: int) -> onnxruntime.InferenceSession:
    """The graph at `path`, over so many cores, or BadModel."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    # Waiting threads that spin take the cores from whoever else works on the machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.intra_op_num_threads = threads
    # Arenas keep what the longest sentence took for good; without them nothing is slower.
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False
    try:
        return onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"], disabled_optimizers=_SLOWER
        )
    except Exception as error:  # ONNX Runtime raises its own kinds, all but undocumented
        raise BadModel(f"{path} cannot be run: {error}") from error
