"""From a trained model folder to one that runs without torch: ONNX, top-K inside the graph."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import warnings
from pathlib import Path

import torch
from torch import Tensor, nn

from nacc.models.network import Network
from nacc.runtime.inputs import InputEncoder
from nacc.training.checkpoint import load_model
from nacc.training.pairs import MAX_SOURCE_WORDS

OPSET = 18


class _Graph(nn.Module):
    def __init__(self, network: Network, top_k: int) -> None:
        super().__init__()
        self.network = network
        self.top_k = top_k

    def forward(
        self, pieces: Tensor, slots: Tensor, lengths: Tensor, symbols: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        return self.network.candidates(pieces, slots, lengths, symbols, self.top_k)


def export(folder: Path, out: Path, *, int8: bool = True, top_k: int = 20) -> Path:
    """Write `out`: model.onnx, config.json, tokenizer.json, words.txt and SHA-256 sums."""
    given = load_model(folder)
    out.mkdir(parents=True, exist_ok=True)
    graph = out / "model.onnx"
    full = out / "model.fp32.tmp" if int8 else graph
    _write_graph(given.network, InputEncoder(given.pieces, given.vocabulary, 512, 512), full, top_k)
    if int8:
        _quantize(full, graph)
        full.unlink()
    for name in ("words.txt", "tokenizer.json"):
        if (folder / name).resolve() != (out / name).resolve():
            shutil.copy(folder / name, out / name)
    shape = given.network.shape
    config = {
        "format": "nacc-model-1",
        "top_k": top_k,
        "positions": shape.positions,
        "max_words": min(MAX_SOURCE_WORDS, shape.positions),
        "precision": "int8" if int8 else "fp32",
        "shape": shape.to_dict(),
        "sha256": {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(out.glob("*"))
            if path.name in ("model.onnx", "words.txt", "tokenizer.json", "bigrams.npz")
        },
    }
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    return graph


def _write_graph(network: Network, encoder: InputEncoder, path: Path, top_k: int) -> None:
    sample = encoder.batch([["a", "small", "example", "."], ["another"]])
    arrays = (sample.pieces, sample.slots, sample.lengths, sample.symbols)
    batch, length, slots = (torch.export.Dim(n) for n in ("batch", "length", "slots"))
    shapes = ({0: batch, 1: length}, {0: batch, 1: slots}, {0: batch}, {0: batch, 1: slots})
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _Graph(network.eval(), top_k),
            tuple(torch.from_numpy(a) for a in arrays),
            str(path),
            input_names=["pieces", "slots", "lengths", "symbols"],
            output_names=["words", "values", "blank"],
            dynamic_shapes=shapes,
            opset_version=OPSET,
            dynamo=True,
            external_data=False,
            verbose=False,
        )


def _quantize(full: Path, path: Path) -> None:
    """Weights to 8 bits, each output channel with its own scale; activations as they come."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        str(full),
        str(path),
        weight_type=QuantType.QInt8,
        per_channel=True,
        op_types_to_quantize=["MatMul", "Gemm", "Gather"],
        extra_options={"MatMulConstBOnly": True},
    )
