"""Model folders and resumable checkpoints: safetensors and JSON, written whole or not at all."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from nacc.errors import BadModel
from nacc.models.network import Network, Shape
from nacc.text.pieces import Pieces
from nacc.text.words import key

FORMAT = "nacc-checkpoint-1"


@dataclass(frozen=True)
class ModelFolder:
    """What the training side reads of a model folder."""

    network: Network
    pieces: Pieces
    vocabulary: list[str]  # word keys; 0 is ε


def read_vocabulary(path: Path) -> list[str]:
    try:
        return [key(word) for word in path.read_text(encoding="utf-8").splitlines()]
    except OSError as error:
        raise BadModel(f"no vocabulary: {error}") from error


def save_model(network: Network, folder: Path) -> None:
    """config.json and model.safetensors; the vocabulary and tokenizer lie there already."""
    config = {"format": FORMAT, "shape": network.shape.to_dict()}
    _write(folder / "config.json", json.dumps(config, indent=1).encode())
    state = {k: v.detach().cpu().contiguous() for k, v in _state(network).items()}
    save_tensors(folder / "model.safetensors", state, {"format": FORMAT})


def load_model(folder: Path) -> ModelFolder:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        shape = Shape.from_dict(config["shape"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadModel(f"{folder} is not a model folder: {error}") from error
    network = Network(shape)
    _fill(network, _read(folder / "model.safetensors"), folder)
    pieces = Pieces.load(folder / "tokenizer.json")
    return ModelFolder(network, pieces, read_vocabulary(folder / "words.txt"))


def _state(network: Network) -> dict[str, Tensor]:
    """The network's tensors, one that is shared only once."""
    state = dict(network.state_dict())
    if network.shape.tied:
        del state["output.weight"]
    return state


def _fill(network: Network, state: dict[str, Tensor], where: Path) -> None:
    if network.shape.tied:
        state = {**state, "output.weight": state.get("piece_embedding.weight", torch.empty(0))}
    try:
        network.load_state_dict({k: v.float() for k, v in state.items()})
    except RuntimeError as error:
        raise BadModel(f"{where} holds another network: {error}") from error


def save_checkpoint(
    path: Path,
    network: Network,
    average: Network,
    optimizer: torch.optim.Optimizer,
    progress: dict[str, Any],
) -> None:
    """Everything needed to go on as if nothing had happened."""
    tensors = {f"model.{k}": v for k, v in _state(network).items()}
    if average is not network:
        tensors |= {f"average.{k}": v for k, v in _state(average).items()}
    for name, parameter in network.named_parameters():
        for part in ("exp_avg", "exp_avg_sq"):
            if parameter in optimizer.state:
                tensors[f"{part}.{name}"] = optimizer.state[parameter][part]
    tensors["random.cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors["random.cuda"] = torch.cuda.get_rng_state()
    detached = {k: v.detach().cpu().contiguous() for k, v in tensors.items()}
    save_tensors(path, detached, {"format": FORMAT, "progress": json.dumps(progress)})


def load_checkpoint(
    path: Path, network: Network, average: Network, optimizer: torch.optim.Optimizer
) -> dict[str, Any]:
    """Restore a checkpoint of this very network; gives the progress it was saved with."""
    try:
        with safe_open(str(path), "pt") as file:
            metadata = file.metadata() or {}
    except (OSError, SafetensorError) as error:
        raise BadModel(f"{path} is damaged or not a checkpoint: {error}") from error
    if metadata.get("format") != FORMAT or "progress" not in metadata:
        raise BadModel(f"{path} was not written by this trainer (expected format {FORMAT})")
    tensors = _read(path)
    for name, part in {"model": network, "average": average}.items():
        state = {k.partition(".")[2]: v for k, v in tensors.items() if k.startswith(name + ".")}
        if part is not network or name == "model":
            _fill(part, state, path)
    progress: dict[str, Any] = json.loads(metadata["progress"])
    for name, parameter in network.named_parameters():
        if f"exp_avg.{name}" in tensors:
            optimizer.state[parameter] = {
                "step": torch.tensor(float(progress["update"])),
                "exp_avg": tensors[f"exp_avg.{name}"].to(parameter),
                "exp_avg_sq": tensors[f"exp_avg_sq.{name}"].to(parameter),
            }
    torch.set_rng_state(tensors["random.cpu"])
    if "random.cuda" in tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(tensors["random.cuda"])
    return progress


def _read(path: Path) -> dict[str, Tensor]:
    try:
        tensors: dict[str, Tensor] = load_file(path)
    except (OSError, SafetensorError) as error:
        raise BadModel(f"{path} is damaged or not safetensors: {error}") from error
    return tensors


def save_tensors(path: Path, tensors: dict[str, Tensor], metadata: dict[str, str]) -> None:
    temporary = path.with_name(path.name + ".tmp")
    save_file(tensors, temporary, metadata)
    os.replace(temporary, path)


def _write(path: Path, content: bytes) -> None:
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_bytes(content)
    os.replace(temporary, path)
