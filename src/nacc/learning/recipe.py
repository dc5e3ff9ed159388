"""A training run, as data: one TOML file says what is trained, on what, and how."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, with_config

from nacc.errors import BadModel, InvalidInput
from nacc.learning.lessons import Lessons
from nacc.learning.settings import (
    Amount,
    Count,
    Counts,
    Files,
    Flag,
    Names,
    Nested,
    Parts,
    Rate,
    Share,
    Size,
    Text,
    TwoShares,
    Whole,
    checked,
)
from nacc.learning.shape import Shape
from nacc.text.words import Style

FRESH = ("scratch", "minilm")
SMALLEST_VOCABULARY = 32  # a slot offers 20 words and must know the best one left out


_known_only = with_config(ConfigDict(extra="forbid"))


@_known_only
@dataclass(frozen=True)
class Data:
    """Which pairs, and how often each file's pairs come in an epoch: once where not named.

    take:        of a file that is named, every so many-th row is read
    several:     files with several headlines for one source
    voice:       whose the headlines of a file are where its rows do not say
    styles:      names for voices that users choose by; "" is any voice
    added_words: how many words the vocabulary of the model gone on from is widened by
    """

    files: Files = ()
    repeat: Counts = field(default_factory=dict)
    take: Counts = field(default_factory=dict)
    several: Files = ()
    voice: Names = field(default_factory=dict)
    styles: Names = field(default_factory=dict)
    style: Style = "written"
    vocabulary: Annotated[Whole, Field(ge=SMALLEST_VOCABULARY)] = 30_000
    min_count: Size = 5
    added_words: Count = 0
    voices: Count = 0  # how many writers (the third column) are told apart; 0: none
    validation: Files = ()


@_known_only
@dataclass(frozen=True)
class Training:
    updates: Size = 1000
    minutes: Amount = 0.0  # where given, the schedule runs on the clock and ends the run
    batch_words: Size = 4096
    learning_rate: Rate = 5e-4
    head_learning_rate: Rate | None = None
    schedule: Literal["linear", "inverse-sqrt"] = "linear"
    warmup: Count = 500
    weight_decay: Amount = 0.01
    betas: TwoShares = (0.9, 0.98)
    clip: Rate = 1.0
    hide: Share = 0.0  # the share of source words the encoder is not shown
    glance: TwoShares = (0.5, 0.2)  # of wrong words shown to linked slots: first, and at the end
    average: Share = 0.0  # the decay of the running average of the weights that is kept; 0: none
    learn: Parts = ()  # the network's parts that learn, the others stay; none named: all
    scorer: Amount = 0.4  # how much the scorer's loss counts beside that of linked slots
    sampled: Count = 0  # seldom words that linked slots' sums are estimated by; 0: all are summed
    precision: Literal["bf16", "fp32"] = "bf16"
    compile: Flag = True
    checkpoint_every: Size = 500
    validate_every: Size = 1000


@_known_only
@dataclass(frozen=True)
class Lists:
    """Graded answers that linked slots and their scorer learn from beside the pairs: from the best
    to say them, from all in which order to put them.

    files:     as `nacc order` reads them, of answers asked for in `style`
    every:     each so many-th update is of lists, `size` of them
    best:      how much counts that the best are said …
    by_paths:  … in which order the paths put them all …
    by_scorer: … and the scorer
    """

    files: Files = ()
    style: Text = "clear"
    every: Size = 2
    size: Size = 128
    best: Amount = 1.0
    by_paths: Amount = 0.5
    by_scorer: Amount = 1.0


@_known_only
@dataclass(frozen=True)
class Validation:
    budget: Size = 50
    at_least: Count = 41
    sentences: Size = 1000


@_known_only
@dataclass(frozen=True)
class Recipe:
    """`start` is "minilm", "scratch" or a model to go on from: a folder's path, or the name of a
    packaged one ("default");
    `lessons` says which pairs are made of the data's, and how often each comes;
    `lists` which graded answers are learnt from besides;
    `model` holds the network's `Shape`, less the vocabulary sizes, which the data give."""

    name: Text
    start: Text = "scratch"
    seed: Whole = 1
    model: Nested = field(default_factory=dict)
    data: Data = field(default_factory=Data)
    lessons: Lessons | None = None
    lists: Lists | None = None
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
        recipe = checked(cls, values, InvalidInput, where)
        for fault in _faults(recipe):
            raise InvalidInput(f"{where}: {fault}")
        return recipe

    @property
    def fresh(self) -> bool:
        """Does the run start a network of its own, rather than go on from a model folder?"""
        return self.start in FRESH

    def identity(self) -> dict[str, Any]:
        """What may not change between a checkpoint and the run that goes on from it; as a
        checkpoint keeps it, so without tuples."""
        kept: dict[str, Any] = {
            "name": self.name,
            "start": self.start,
            "seed": self.seed,
            "model": self.model,
            "files": list(self.data.files),
            "repeat": self.data.repeat,
            **({"lessons": asdict(self.lessons)} if self.lessons else {}),
            **({"lists": asdict(self.lists)} if self.lists else {}),
            "voices": self.data.voices,
            "batch_words": self.training.batch_words,
        }
        return dict(json.loads(json.dumps(kept)))


def _faults(recipe: Recipe) -> Iterator[str]:
    """What no run could be made of though each setting is possible, in the user's words."""
    if not recipe.name or Path(recipe.name).name != recipe.name:
        yield f"name {recipe.name!r} must be a plain word: a folder is named after it"
    yield from _file_faults(recipe.data)
    validation = recipe.validation
    if validation.at_least > validation.budget:
        yield f"at_least {validation.at_least} is more than the budget {validation.budget}"
    yield from _model_faults(recipe)


def _file_faults(data: Data) -> Iterator[str]:
    groups = {group_name(name) for name in data.files}
    told = groups | {group_name(name) for name in data.validation}
    for setting, table in (("repeat", data.repeat), ("take", data.take), ("voice", data.voice)):
        for name in table:
            if name not in (told if setting == "voice" else groups):
                yield f"{setting} names {name!r}, which is none of the files {sorted(groups)}"
    for setting, counts, least in (("repeat", data.repeat, 0), ("take", data.take, 1)):
        for name, times in counts.items():
            if times < least:
                yield f"{setting} of {name!r} must be at least {least}, got {times}"


_ADDED = {
    *("decoder_layers", "dropout", "slots", "slot_layers", "link_heads"),
    *("extract", "rival", "tags"),
}
"""What may be set of a model that is gone on from."""


def _model_faults(recipe: Recipe) -> Iterator[str]:
    if not recipe.fresh:
        for name in sorted(recipe.model.keys() - _ADDED):
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
