"""What is measured: a model's ways of decoding, the baselines, and output files from anywhere.

A system is named on the command line: `lead`, `lead-cut`, `truncate`, `greedy`, `bucketed`,
`exact`, `coherent`; with options, `bucketed:bucket=8` or `exact:at_least=40`; or a file with one
output a line, `file:PATH` or `NAME=PATH`, `cut:NAME=PATH` to have it cut to the budget first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from nacc.data.datasets import read_lines
from nacc.errors import BudgetTooSmall, InvalidInput
from nacc.length import lead
from nacc.length.budget import Budget

METHODS = ("greedy", "bucketed", "exact", "coherent")
PLAIN = {"at_least": 0, "tidy": False}
"""The paper's problem: nothing is asked for but to stay within the budget."""
_UNLIMITED = Budget(10_000)
_CHUNK = 512  # sentences read between two signs of progress


@dataclass(frozen=True)
class Output:
    """What a system says; `full` is what it said before it was cut to the budget."""

    text: str
    full: str

    @classmethod
    def whole(cls, text: str) -> Output:
        return cls(text, text)


class Model(Protocol):
    """What is needed of `nacc.Summarizer`; `summarize` takes texts, or what `read` made of them."""

    def read(self, texts: Sequence[Any]) -> Sequence[Any]: ...
    def summarize(self, text: Any, **options: Any) -> Any: ...


class System(Protocol):
    """Sources in (or what its model read of them), outputs out; only a model's time is measured."""

    @property
    def name(self) -> str: ...
    @property
    def model(self) -> Model | None: ...
    def run(self, sources: Sequence[Any], budget: Budget) -> list[Output]: ...


class Readings:
    """What models have read: one forward pass over a sentence serves all its decodings."""

    def __init__(self) -> None:
        self._made: dict[tuple[Model, tuple[str, ...]], list[Any]] = {}

    def of(
        self,
        model: Model,
        sources: tuple[str, ...],
        progress: Callable[[str], None] = lambda doing: None,
    ) -> list[Any]:
        """The readings of the sources, made now or before."""
        for number, source in enumerate(sources, start=1):
            if not source.strip():
                raise InvalidInput(f"source {number} is empty: a model has nothing to read there")
        if (model, sources) not in self._made:
            made: list[Any] = []
            while len(made) < len(sources):
                progress(f"reading: {len(made)} of {len(sources)} sentences")
                made += model.read(sources[len(made) : len(made) + _CHUNK])
            self._made[model, sources] = made
        return self._made[model, sources]


@dataclass(frozen=True)
class Baseline:
    """A rule that needs the source only."""

    name: str
    rule: Callable[[str, Budget], str]
    model: None = None

    def run(self, sources: Sequence[str], budget: Budget) -> list[Output]:
        return [Output.whole(self.rule(source, budget)) for source in sources]


@dataclass(frozen=True)
class Decoding:
    """A model with one way of decoding under the budget."""

    name: str
    model: Model
    method: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def run(self, sources: Sequence[Any], budget: Budget) -> list[Output]:
        found = summaries(self, sources, budget)
        return [Output.whole("" if summary is None else summary.text) for summary in found]


@dataclass(frozen=True)
class Truncated:
    """A model's unconstrained greedy output, cut at the budget: the paper's "(truncate)" rows."""

    name: str
    model: Model

    def run(self, sources: Sequence[Any], budget: Budget) -> list[Output]:
        greedy = of_model("greedy", self.model)
        uncut = greedy.run(sources, _UNLIMITED)
        return [Output(lead.cut(output.text, budget), output.text) for output in uncut]


@dataclass(frozen=True)
class OutputFile:
    """One output a line, made by anything; it answers for its own data set only."""

    name: str
    lines: tuple[str, ...]
    cut: bool = False
    model: None = None

    def run(self, sources: Sequence[str], budget: Budget) -> list[Output]:
        if len(sources) != len(self.lines):
            raise InvalidInput(
                f"{self.name} has {len(self.lines)} outputs but there are {len(sources)} sources"
            )
        if self.cut:
            return [Output(lead.cut(line, budget), line) for line in self.lines]
        return [Output.whole(line) for line in self.lines]


BASELINES = {
    "lead": Baseline("lead", lead.lead),
    "lead-cut": Baseline("lead-cut", lead.cut),
}


def of_model(
    method: str, model: Model, name: str | None = None, options: Mapping[str, Any] | None = None
) -> System:
    """A model's decoding by its method's name, or its truncated greedy output.

    The paper's own ways have neither a floor under the length nor rules about the words; ours
    have the model's unless told.
    """
    if method == "truncate":
        return Truncated(name or method, model)
    defaults = PLAIN if method in ("greedy", "bucketed") else {}
    return Decoding(name or method, model, method, {**defaults, **(options or {})})


def parse(spec: str, load: Callable[[str | None], Model]) -> System:
    """The system a specification names; `load` opens a model folder (None: the packaged one)."""
    head, _, tail = spec.partition(":")
    if head == "cut" and tail:
        return _output_file(tail, cut=True)
    if head == "file" and tail:
        return _output_file(tail, cut=False)
    if spec in BASELINES:
        return BASELINES[spec]
    if head in METHODS or head == "truncate":
        options = _options(spec, tail)
        if "sentences" in options:
            raise InvalidInput(f"{spec!r}: every system reads the same, a source's first sentence")
        return of_model(head, load(options.pop("model", None)), spec, options)
    if "=" in spec:
        return _output_file(spec, cut=False)
    known = ", ".join((*BASELINES, "truncate", *METHODS))
    raise InvalidInput(f"unknown system {spec!r}; known: {known}, file:PATH, NAME=PATH")


def _output_file(spec: str, *, cut: bool) -> OutputFile:
    name, equals, path = spec.partition("=")
    file = Path(path if equals else spec)
    return OutputFile(name if equals else file.stem, tuple(read_lines(file)), cut)


def _options(spec: str, text: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key or not value:
            raise InvalidInput(f"{part!r} in {spec!r} must read option=value, e.g. bucket=8")
        options[key] = _value(value)
    return options


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def summaries(system: Decoding, sources: Sequence[Any], budget: Budget) -> list[Any]:
    """The model's `Summary` of every source; None where not even one word fits (ROUGE scores
    the empty text 0)."""
    options = dict(
        system.options,
        max_length=budget.amount,
        unit=str(budget.measure),
        method=system.method,
    )
    readings = system.model.read(sources)
    try:
        return list(system.model.summarize(readings, **options))
    except BudgetTooSmall:
        return [_summary_or_none(system.model, reading, options) for reading in readings]


def _summary_or_none(model: Model, reading: Any, options: Mapping[str, Any]) -> Any:
    try:
        [summary] = model.summarize([reading], **options)
    except BudgetTooSmall:
        return None
    return summary
