"""Model folders and resumable checkpoints: safetensors and JSON, written whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from nacc.errors import BadModel
from nacc.learning.kinds import network_of
from nacc.learning.network import Network
from nacc.learning.restore import restore
from nacc.learning.shape import Shape
from nacc.text.pieces import Pieces
from nacc.text.words import key

FORMAT = "nacc-checkpoint-1"
_MOMENTS = ("exp_avg", "exp_avg_sq")


@dataclass(frozen=True)
class ModelFolder:
    """What the training side reads of a model folder."""

    network: Network
    pieces: Pieces
    vocabulary: list[str]  # word keys; 0 is ε


@dataclass
class RunState:
    """How far a run has come: everything that chance and the plan of batches depend on."""

    recipe: dict[str, Any]
    update: int = 0
    epoch: int = 0
    batch: int = 0
    best: float = -1.0
    unaligned: int = 0
    seconds: float = 0.0

    @classmethod
    def from_json(cls, text: str, where: Path) -> RunState:
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError) as error:
            raise BadModel(f"{where} holds no training progress: {error}") from error


def read_vocabulary(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadModel(f"no vocabulary: {error}") from error
    return [key(word) for word in text.removesuffix("\n").split("\n")]


def read_shape(folder: Path) -> Shape:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        return Shape.from_dict(config["shape"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadModel(f"{folder} is not a model folder: {error}") from error


def save_model(network: Network, folder: Path) -> None:
    """config.json and model.safetensors; the vocabulary and tokenizer lie there already."""
    config = {"format": FORMAT, "shape": network.shape.to_dict()}
    text = json.dumps(config, indent=1) + "\n"
    temporary = folder / "config.json.tmp"
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(folder / "config.json")
    save_tensors(folder / "model.safetensors", _state(network), {"format": FORMAT})


def load_model(folder: Path) -> ModelFolder:
    """A trained model; or an exported one, with the weights its graph computes with."""
    shape = read_shape(folder)
    if (folder / "model.onnx").exists() and not (folder / "model.safetensors").exists():
        network = restore(folder, shape)
    else:
        network = network_of(shape)
        _fill(network, _read(folder / "model.safetensors"), folder)
    pieces = Pieces.load(folder / "tokenizer.json")
    vocabulary = read_vocabulary(folder / "words.txt")
    if (len(pieces), len(vocabulary)) != (shape.pieces, shape.words):
        raise BadModel(
            f"{folder}: the network has {shape.pieces} pieces and {shape.words} words, "
            f"tokenizer.json {len(pieces)} and words.txt {len(vocabulary)}"
        )
    return ModelFolder(network, pieces, vocabulary)


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
    state: RunState,
) -> None:
    """Everything needed to go on as if nothing had happened."""
    tensors = {f"model.{k}": v for k, v in _state(network).items()}
    if average is not network:
        tensors |= {f"average.{k}": v for k, v in _state(average).items()}
    for name, parameter in _learning(network):
        for part in (*_MOMENTS, "step"):  # not all learn at every update
            tensors[f"{part}.{name}"] = optimizer.state[parameter][part]
    save_tensors(path, tensors, {"format": FORMAT, "progress": json.dumps(vars(state))})


def load_checkpoint(
    path: Path, network: Network, average: Network, optimizer: torch.optim.Optimizer
) -> RunState:
    """Restore a checkpoint of this very network; gives the state it was saved with."""
    try:
        with safe_open(str(path), "pt") as file:
            metadata = file.metadata() or {}
    except (OSError, SafetensorError) as error:
        raise BadModel(f"{path} is damaged or not a checkpoint: {error}") from error
    if metadata.get("format") != FORMAT or "progress" not in metadata:
        raise BadModel(f"{path} was not written by this trainer (expected format {FORMAT})")
    state = RunState.from_json(metadata["progress"], path)
    tensors = _read(path)
    _fill(network, _part(tensors, "model"), path)
    if average is not network:
        _fill(average, _part(tensors, "average"), path)
    fused = bool(optimizer.defaults.get("fused"))  # counts its steps where the weights are
    for name, parameter in _learning(network):
        moments = {part: tensors.get(f"{part}.{name}", torch.empty(0)) for part in _MOMENTS}
        if any(moment.shape != parameter.shape for moment in moments.values()):
            raise BadModel(f"{path} does not hold the optimizer's state of {name}")
        steps = float(tensors.get(f"step.{name}", state.update))
        optimizer.state[parameter] = {
            "step": torch.tensor(steps, device=parameter.device if fused else "cpu"),
            **{part: moment.to(parameter) for part, moment in moments.items()},
        }
    return state


def _learning(network: Network) -> Iterator[tuple[str, nn.Parameter]]:
    """The parameters that the optimizer moves, by name."""
    return (
        (n, parameter) for n, parameter in network.named_parameters() if parameter.requires_grad
    )


def _part(tensors: dict[str, Tensor], name: str) -> dict[str, Tensor]:
    return {k.removeprefix(name + "."): v for k, v in tensors.items() if k.startswith(name + ".")}


def _read(path: Path) -> dict[str, Tensor]:
    try:
        tensors: dict[str, Tensor] = load_file(path)
    except (OSError, SafetensorError) as error:
        raise BadModel(f"{path} is damaged or not safetensors: {error}") from error
    return tensors


def save_tensors(path: Path, tensors: dict[str, Tensor], metadata: dict[str, str]) -> None:
    """A killed process leaves the old file or the new one, never half of one."""
    temporary = path.with_name(path.name + ".tmp")
    detached = {k: v.detach().cpu().contiguous() for k, v in tensors.items()}
    save_file(detached, temporary, metadata)
    temporary.chmod(0o644)  # safetensors writes files that only their owner can read
    with temporary.open("rb") as file:
        os.fsync(file.fileno())
    temporary.replace(path)
