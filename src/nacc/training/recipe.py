"""A training run, as data: one TOML file says what is trained, on what, and how."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from nacc.errors import InvalidInput


@dataclass(frozen=True)
class Data:
    """Which pairs, and how often each file's pairs come in an epoch (1 where not named)."""

    files: tuple[str, ...] = ()
    repeat: dict[str, int] = field(default_factory=dict)
    style: str = "written"
    vocabulary: int = 30_000
    min_count: int = 5
    validation: str = ""


@dataclass(frozen=True)
class Training:
    updates: int = 1000
    minutes: float = 0.0  # where given, the schedule runs on the clock and ends the run
    batch_words: int = 4096
    learning_rate: float = 5e-4
    head_learning_rate: float | None = None
    schedule: str = "linear"
    warmup: int = 500
    weight_decay: float = 0.01
    betas: tuple[float, float] = (0.9, 0.98)
    clip: float = 1.0
    hide: float = 0.0  # the share of source words the encoder is not shown
    average: float = 0.0  # the decay of the running average of the weights that is kept; 0: none
    precision: str = "bf16"
    compile: bool = True
    checkpoint_every: int = 500
    validate_every: int = 1000


@dataclass(frozen=True)
class Validation:
    budget: int = 50
    at_least: int = 41
    sentences: int = 1000


@dataclass(frozen=True)
class Recipe:
    """`start` is "minilm", "scratch" or the path of a model folder to go on from;
    `model` holds the network's `Shape`, less the vocabulary sizes, which the data give."""

    name: str
    start: str = "scratch"
    seed: int = 1
    model: dict[str, Any] = field(default_factory=dict)
    data: Data = field(default_factory=Data)
    training: Training = field(default_factory=Training)
    validation: Validation = field(default_factory=Validation)

    @classmethod
    def load(cls, path: Path) -> Recipe:
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, tomllib.TOMLDecodeError) as error:
            raise InvalidInput(f"cannot read recipe {path}: {error}") from error
        return cls.from_dict(values, str(path))

    @classmethod
    def from_dict(cls, values: dict[str, Any], where: str = "recipe") -> Recipe:
        parts: dict[str, type] = {"data": Data, "training": Training, "validation": Validation}
        values = dict(values)
        for name, part in parts.items():
            values[name] = _build(part, values.get(name, {}), f"{where} [{name}]")
        recipe: Recipe = _build(cls, values, where)
        if recipe.training.schedule not in ("linear", "inverse-sqrt"):
            raise InvalidInput(f"{where}: schedule must be linear or inverse-sqrt")
        if recipe.training.precision not in ("bf16", "fp32"):
            raise InvalidInput(f"{where}: precision must be bf16 or fp32")
        return recipe


def _build(part: type, values: dict[str, Any], where: str) -> Any:
    known = {f.name for f in fields(part)}
    unknown = sorted(set(values) - known)
    if unknown:
        raise InvalidInput(f"{where}: unknown setting {unknown[0]!r}; known: {sorted(known)}")
    tuples = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
    try:
        return part(**tuples)
    except TypeError as error:
        raise InvalidInput(f"{where}: {error}") from error
