"""From a trained model folder to one that runs without torch: ONNX, top-K inside the graph."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from nacc.data.pairs import MAX_SOURCE_WORDS
from nacc.errors import BadModel
from nacc.lattice.words import WordLattice
from nacc.learning.checkpoint import load_model
from nacc.learning.metrics import Rouges
from nacc.learning.network import Network
from nacc.learning.validation import TOP_K, Sentences, Validator, lattices_of
from nacc.runtime.engine import Engine
from nacc.runtime.folder import FORMAT
from nacc.runtime.inputs import InputEncoder

OPSET = 18
_SUMMED = ("model.onnx", "words.txt", "tokenizer.json", "bigrams.npz")


class _Graph(nn.Module):
    def __init__(self, network: Network, top_k: int) -> None:
        super().__init__()
        self.network = network
        self.top_k = top_k

    def forward(
        self, pieces: Tensor, slots: Tensor, lengths: Tensor, symbols: Tensor
    ) -> tuple[Tensor, ...]:
        return self.network.candidates(pieces, slots, lengths, symbols, self.top_k)


def export(folder: Path, out: Path, *, int8: bool = True, top_k: int = TOP_K) -> Path:
    """Write `out`: model.onnx, config.json, tokenizer.json, words.txt and SHA-256 sums."""
    given = load_model(folder)
    shape = given.network.shape
    if shape.decoder_layers:
        raise BadModel(f"{folder} is autoregressive: it has no lattice to decode")
    top_k = 1 if shape.extract else top_k
    if not shape.extract and shape.words < top_k + 2:
        raise BadModel(f"{folder} knows {shape.words} words; top_k = {top_k} needs {top_k + 2}")
    out.mkdir(parents=True, exist_ok=True)
    graph = out / "model.onnx"
    full = out / "model.fp32.tmp" if int8 else graph
    sample = InputEncoder(given.pieces, given.vocabulary, shape.positions, MAX_SOURCE_WORDS)
    with _quiet():
        _write_graph(given.network, sample, full, top_k)
        if int8:
            _quantize(full, graph)
            full.unlink()
    for name in ("words.txt", "tokenizer.json"):
        if (folder / name).resolve() != (out / name).resolve():
            shutil.copy(folder / name, out / name)
    config = {
        "format": FORMAT,
        "top_k": top_k,
        "positions": shape.positions,
        "max_words": min(MAX_SOURCE_WORDS, shape.positions),
        "precision": "int8" if int8 else "fp32",
        "shape": shape.to_dict(),
        **_kept(out / "config.json"),
        "sha256": {
            name: hashlib.sha256((out / name).read_bytes()).hexdigest()
            for name in _SUMMED
            if (out / name).exists()
        },
    }
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    return graph


def _kept(path: Path) -> dict[str, Any]:
    """What a config.json already there says beyond the network: its generation defaults."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {name: found[name] for name in ("generation",) if name in found}


def measure(folder: Path, out: Path, validator: Validator) -> tuple[Rouges, Rouges]:
    """ROUGE of the trained network and of its export, by the same decoding of the same pairs."""
    given = load_model(folder)
    engine = Engine(out)
    network = partial(lattices_of, given.network, engine.encoder, device=torch.device("cpu"))

    def exported(sentences: Sentences) -> list[WordLattice]:
        return engine.lattices([keys[: engine.encoder.fitting(keys)] for keys in sentences])

    return validator.score(network), validator.score(exported)


@contextmanager
def _quiet() -> Iterator[None]:
    """The exporters speak of their own affairs, which a user can do nothing about."""
    levels = {name: logging.getLogger(name).level for name in ("torch.onnx", None)}
    for name in levels:
        logging.getLogger(name).setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


def _write_graph(network: Network, encoder: InputEncoder, path: Path, top_k: int) -> None:
    sample = encoder.batch([["a", "small", "example", "."], ["another"]])
    arrays = (sample.pieces, sample.slots, sample.lengths, sample.symbols)
    batch, length, slots = (torch.export.Dim(n) for n in ("batch", "length", "slots"))
    shapes = ({0: batch, 1: length}, {0: batch, 1: slots}, {0: batch}, {0: batch, 1: slots})
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
        reduce_range=True,  # seven bits: processors without VNNI cannot overflow
        op_types_to_quantize=["MatMul", "Gemm", "Gather"],
        extra_options={"MatMulConstBOnly": True},
    )
