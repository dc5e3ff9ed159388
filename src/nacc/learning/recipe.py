"""A training run, as data: one TOML file says what is trained, on what, and how."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, get_type_hints

from nacc.errors import BadModel, InvalidInput
from nacc.learning.shape import Shape
from nacc.text.words import Style

SCHEDULES = ("linear", "inverse-sqrt")
PRECISIONS = ("bf16", "fp32")
STYLES = ("written", "tokenized")
FRESH = ("scratch", "minilm")
SMALLEST_VOCABULARY = 32  # a slot offers 20 words and must know the best one left out


@dataclass(frozen=True)
class Data:
    """Which pairs, and how often each file's pairs come in an epoch: once where not named."""

    files: tuple[str, ...] = ()
    repeat: dict[str, int] = field(default_factory=dict)
    style: Style = "written"
    vocabulary: int = 30_000
    min_count: int = 5
    voices: int = 0  # how many writers (the third column) the network is told apart; 0: none
    validation: tuple[str, ...] = ()


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
    """`start` is "minilm", "scratch" or a model to go on from: a folder's path, or the name of a
    packaged one ("default");
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
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise InvalidInput(f"cannot read recipe {path}: {error}") from error
        return cls.from_dict(values, str(path))

    @classmethod
    def from_dict(cls, values: dict[str, Any], where: str = "recipe") -> Recipe:
        parts: dict[str, type] = {"data": Data, "training": Training, "validation": Validation}
        values = dict(values)
        for name, part in parts.items():
            values[name] = _build(part, values.get(name, {}), f"{where} [{name}]")
        recipe: Recipe = _build(cls, values, where)
        for fault in _faults(recipe):
            raise InvalidInput(f"{where}: {fault}")
        return recipe

    @property
    def fresh(self) -> bool:
        """Does the run start a network of its own, rather than go on from a model folder?"""
        return self.start in FRESH

    def identity(self) -> dict[str, Any]:
        """What may not change between a checkpoint and the run that goes on from it."""
        return {
            "name": self.name,
            "start": self.start,
            "seed": self.seed,
            "model": self.model,
            "files": list(self.data.files),
            "repeat": self.data.repeat,
            "voices": self.data.voices,
            "batch_words": self.training.batch_words,
        }


def _build(part: type, values: Any, where: str) -> Any:
    if not isinstance(values, dict):
        raise InvalidInput(f"{where} must be a table of settings, got {values!r}")
    known = {f.name for f in fields(part)}
    unknown = sorted(set(values) - known)
    if unknown:
        raise InvalidInput(f"{where}: unknown setting {unknown[0]!r}; known: {sorted(known)}")
    kinds = get_type_hints(part)
    typed = {}
    for name, value in values.items():
        wanted, read = _KINDS.get(kinds[name], ("a table", lambda value: value))
        typed[name] = read(value)
        if typed[name] is None:
            raise InvalidInput(f"{where}: {name} must be {wanted}, got {value!r}")
    try:
        return part(**typed)
    except TypeError:
        raise InvalidInput(f'{where}: the run has no name; give it one: name = "..."') from None


def _plain(kind: type) -> Callable[[Any], Any]:
    return lambda value: value if type(value) is kind else None


def _number(value: Any) -> float | None:
    return float(value) if type(value) in (int, float) else None


def _two_numbers(value: Any) -> tuple[float, ...] | None:
    numbers = [_number(part) for part in value] if isinstance(value, list | tuple) else []
    found = tuple(number for number in numbers if number is not None)
    return found if len(numbers) == len(found) == 2 else None


def _names(value: Any) -> tuple[str, ...] | None:
    names = [value] if isinstance(value, str) else value
    good = isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)
    return tuple(names) if good else None


def _counts(value: Any) -> dict[str, int] | None:
    good = isinstance(value, dict) and all(type(count) is int for count in value.values())
    return dict(value) if good else None


_KINDS: dict[Any, tuple[str, Callable[[Any], Any]]] = {
    int: ("a whole number", _plain(int)),
    str: ("a string", _plain(str)),
    Style: ("a string", _plain(str)),
    bool: ("true or false", _plain(bool)),
    float: ("a number", _number),
    float | None: ("a number", _number),
    tuple[float, float]: ("two numbers", _two_numbers),
    tuple[str, ...]: ("a file name or a list of them", _names),
    dict[str, int]: ("a table of whole numbers", _counts),
    dict[str, Any]: ("a table", _plain(dict)),
}


def _faults(recipe: Recipe) -> Iterator[str]:
    """What no run could be made of, in the user's words."""
    data, training, validation = recipe.data, recipe.training, recipe.validation
    if not recipe.name or Path(recipe.name).name != recipe.name:
        yield f"name {recipe.name!r} must be a plain word: a folder is named after it"
    for name, value, choices in (
        ("style", data.style, STYLES),
        ("schedule", training.schedule, SCHEDULES),
        ("precision", training.precision, PRECISIONS),
    ):
        if value not in choices:
            yield f"{name} {value!r} must be {' or '.join(choices)}"
    yield from _repeat_faults(data)
    for part, least in _LEAST.items():
        for name, smallest in least.items():
            value = getattr(getattr(recipe, part), name)
            if value is not None and not value >= smallest:
                yield f"{name} must be at least {smallest}, got {value}"
    for name in ("hide", "average"):
        if not 0 <= getattr(training, name) < 1:
            yield f"{name} must be at least 0 and below 1, got {getattr(training, name)}"
    if not all(0 <= beta < 1 for beta in training.betas):
        yield f"betas must be at least 0 and below 1, got {training.betas}"
    if validation.at_least > validation.budget:
        yield f"at_least {validation.at_least} is more than the budget {validation.budget}"
    yield from _model_faults(recipe)


_LEAST: dict[str, dict[str, float]] = {
    "data": {"vocabulary": SMALLEST_VOCABULARY, "min_count": 1, "voices": 0},
    "training": {
        **dict.fromkeys(("updates", "batch_words", "checkpoint_every", "validate_every"), 1),
        **dict.fromkeys(("minutes", "warmup", "weight_decay"), 0),
        **dict.fromkeys(("learning_rate", "head_learning_rate", "clip"), 1e-12),
    },
    "validation": {"budget": 1, "at_least": 0, "sentences": 1},
}


def _repeat_faults(data: Data) -> Iterator[str]:
    groups = {group_name(name) for name in data.files}
    for name, times in data.repeat.items():
        if name not in groups:
            yield f"repeat names {name!r}, which is none of the files {sorted(groups)}"
        if times < 0:
            yield f"repeat of {name!r} must be at least 0, got {times}"


def _model_faults(recipe: Recipe) -> Iterator[str]:
    if not recipe.fresh:
        for name in sorted(recipe.model.keys() - {"decoder_layers", "dropout"}):
            yield f"[model] {name} cannot be set when going on from {recipe.start}, which has it"
        return
    for name in ("pieces", "words"):
        if name in recipe.model:
            yield f"[model] {name} follows from the data"
    try:
        words = 1 if recipe.model.get("extract") else 32
        shape = Shape.from_dict({**recipe.model, "pieces": 32, "words": words})
    except BadModel as error:
        yield f"[model] {error}"
    else:
        if recipe.start == "minilm":
            yield from _minilm_faults(shape)
        elif shape.extract:
            yield 'a model that extracts reads pieces, not its output words: start = "minilm"'


def _minilm_faults(shape: Shape) -> Iterator[str]:
    if shape.tied:
        yield "a tied output needs whole words as pieces, which minilm does not have"
    given = Shape(pieces=shape.pieces, words=shape.words)
    for name in ("width", "heads", "inner", "activation"):
        if getattr(shape, name) != getattr(given, name):
            yield f"{name} of minilm is {getattr(given, name)}, got {getattr(shape, name)}"
    for name in ("layers", "positions"):
        if getattr(shape, name) > getattr(given, name):
            yield f"minilm has {getattr(given, name)} {name}, got {getattr(shape, name)}"


def group_name(file: str) -> str:
    """What a data file's pairs are called in `repeat`: its name without folder and ending."""
    return Path(file).name.split(".tsv")[0]
