"""What is measured: a model's ways of decoding, the baselines, and output files from anywhere.

A system is named on the command line: `lead`, `lead-cut`, `default` (the model as its folder says)
or any registered method of decoding; with options, `bucketed:bucket=8` or `default:model=DIR`; or
a file with one output a line, `file:PATH` or `NAME=PATH`, `cut:NAME=PATH` to have it cut to the
budget first; or what other papers do: `rival:model=RUN/best` (see `rivals`), `dat-lenc:words=8`
(see `dat_lenc`). `NAME:=` in front gives any of them a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from nacc.data.datasets import read_lines
from nacc.decoding.registry import decoder, methods
from nacc.errors import BudgetTooSmall, InvalidInput, NaccError
from nacc.length.budget import LARGEST, Budget
from nacc.length.lead import cut, lead
from nacc.options import Options
from nacc.parallel import spread

if TYPE_CHECKING:
    from nacc.fitting.reading import Reading
    from nacc.summarizer import Summarizer
    from nacc.summary import Summary

    Source = str | Reading

PAPER_METHODS = ("truncate", "bucketed")
OUR_METHODS = ("exact", "coherent")  # what the paper does not have, on the same models
DEFAULT_SYSTEMS = ("lead", *PAPER_METHODS, *OUR_METHODS)
AS_IT_IS = "default"
"""The system that asks the model for nothing: what a user of it gets."""
RIVAL, DAT_LENC = "rival", "dat-lenc"
"""Systems of other papers: networks that write, and other searches on linked slots."""
PLAIN = Options(at_least=0, tidy=False)
"""The paper's problem: nothing is asked for but to stay within the budget."""
_TOLD_EVERY = 500  # sentences read between two signs of progress

Tell = Callable[[str], None]
"""Told what is being done, while it is done."""
OpenModel = Callable[[str | None], "Summarizer"]
"""Opens the model of a name or a path; None: the one that is meant where none is named."""


def silent(doing: str) -> None:
    """Tells nobody."""


@dataclass(frozen=True)
class Output:
    """What a system says; `full` is what it said before it was cut to the budget."""

    text: str
    full: str

    @classmethod
    def whole(cls, text: str) -> Output:
        return cls(text, text)


class System(Protocol):
    """Sources in, outputs out."""

    @property
    def name(self) -> str: ...
    def run(self, sources: Sequence[Any], budget: Budget) -> list[Output]: ...


@runtime_checkable
class Timed(System, Protocol):
    """A system that is worth timing."""

    def summaries(self, sources: Sequence[Any], budget: Budget) -> Sequence[object]: ...


@dataclass(frozen=True)
class Baseline:
    """A rule that needs the source only."""

    name: str
    rule: Callable[[str, Budget], str]

    def run(self, sources: Sequence[str], budget: Budget) -> list[Output]:
        return [Output.whole(self.rule(source, budget)) for source in sources]


@dataclass(frozen=True)
class OutputFile:
    """One output a line, made by anything; it answers for its own data set only."""

    name: str
    lines: tuple[str, ...]
    to_cut: bool = False

    def run(self, sources: Sequence[str], budget: Budget) -> list[Output]:
        if len(sources) != len(self.lines):
            raise InvalidInput(
                f"{self.name} has {len(self.lines)} outputs but there are {len(sources)} sources"
            )
        if self.to_cut:
            return [Output(cut(line, budget), line) for line in self.lines]
        return [Output.whole(line) for line in self.lines]


@dataclass(frozen=True)
class Decoding:
    """A model with one way of decoding; it takes texts, or what its model has read of them.

    anew: whether it has to see the texts, since it decides for itself what to read, and how.
    """

    name: str
    model: Summarizer
    options: Options
    anew: bool = False

    def __post_init__(self) -> None:
        self.model.settled(self.options)  # what cannot be had is refused at once

    @classmethod
    def by(
        cls, method: str, model: Summarizer, options: Options | None = None, name: str | None = None
    ) -> Decoding:
        """A method that keeps no rules (the paper's do not) is run on the plain problem; one that
        does has the model's rules and floor. Options that are given come first."""
        asked = options or Options()
        asked = replace(asked, sentences="first")  # which is what `Readings` have read
        if asked.rewrite is None:  # what fits is to be decoded too, else it is no method's
            asked = replace(asked, rewrite="always")
        if not decoder(method).keeps_rules:
            at_least = PLAIN.at_least if asked.at_least is None else asked.at_least
            tidy = PLAIN.tidy if asked.tidy is None else asked.tidy
            asked = replace(asked, at_least=at_least, tidy=tidy)
        return cls(name or method, model, replace(asked, method=method))

    @classmethod
    def as_it_is(cls, model: Summarizer, options: Options, name: str = AS_IT_IS) -> Decoding:
        """The model's own method and rules, but for what is asked for."""
        method = model.settled(options).method
        return cls(name, model, replace(options, method=method), anew=True)

    @property
    def method(self) -> str:
        assert self.options.method is not None
        return self.options.method

    def run(self, sources: Sequence[Source], budget: Budget) -> list[Output]:
        if decoder(self.method).whole_words:
            return [Output.whole(_text_of(summary)) for summary in self.summaries(sources, budget)]
        everything = Budget(LARGEST, budget.measure)
        found = self._each(sources, budget, everything)
        return [Output(_text_of(summary), _text_of(uncut)) for summary, uncut in found]

    def summaries(self, sources: Sequence[Source], budget: Budget) -> list[Summary | None]:
        """The model's summary of every source; None where not even one word fits."""
        return [summary for [summary] in self._each(sources, budget)]

    def _each(self, sources: Sequence[Source], *budgets: Budget) -> Iterator[list[Summary | None]]:
        for results in self.model.each(sources, budgets, self.options):
            yield [_summary_or_none(result) for result in results]


def _summary_or_none(result: Summary | NaccError) -> Summary | None:
    if isinstance(result, BudgetTooSmall):
        return None
    if isinstance(result, NaccError):
        raise result
    return result


def _text_of(summary: Summary | None) -> str:
    """ROUGE scores the empty text 0."""
    return "" if summary is None else summary.text


class Readings:
    """What models have read: one forward pass over a sentence serves all its decodings."""

    def __init__(self) -> None:
        self._made: dict[tuple[Summarizer, tuple[str, ...]], list[Reading]] = {}

    def of(self, model: Summarizer, sources: tuple[str, ...], tell: Tell = silent) -> list[Reading]:
        """The readings of the sources, made now or before."""
        for number, source in enumerate(sources, start=1):
            if not source.strip():
                raise InvalidInput(f"source {number} is empty: a model has nothing to read there")
        if (model, sources) not in self._made:
            made: list[Reading] = []
            first = partial(model.read, options=Options(sentences="first"))
            for reading in spread(first, sources, lot=model.engine.batch):
                if len(made) % _TOLD_EVERY == 0:
                    tell(f"reading: {len(made)} of {len(sources)} sentences")
                made.append(reading)
            self._made[model, sources] = made
        return self._made[model, sources]


BASELINES = {"lead": Baseline("lead", lead), "lead-cut": Baseline("lead-cut", cut)}


def runs_on(method: str, model: Summarizer) -> bool:
    """Whether the model's lattices have what the method decodes: ε, or links instead."""
    linked = bool(model.engine.config.get("shape", {}).get("slots"))
    return ("blank" if linked else "links") not in decoder(method).needs


def usual_systems(model: Summarizer) -> tuple[str, ...]:
    """What to measure of a model when nothing is named."""
    able = all(runs_on(each, model) for each in (*PAPER_METHODS, *OUR_METHODS))
    return DEFAULT_SYSTEMS if able else ("lead", AS_IT_IS)


def system_names() -> tuple[str, ...]:
    """The systems that need no file: the baselines, the model as it is, and every registered
    method of decoding."""
    return *BASELINES, AS_IT_IS, *methods()


def parse_system(
    spec: str, open_model: OpenModel, common: Mapping[str, Any] | None = None
) -> System:
    """The system a specification names. `common` are options for all that run the model that is
    meant where none is named: another may not have the same styles. Its own come before them."""
    label, labelled, rest = spec.partition(":=")
    if not labelled:
        label, rest = "", spec
    head, _, tail = rest.partition(":")
    if head in ("cut", "file") and tail:
        return _output_file(tail, label, to_cut=head == "cut")
    if rest in BASELINES:
        return replace(BASELINES[rest], name=label or rest)
    if head == AS_IT_IS or head in methods():
        given = _given_options(rest, tail)
        if "model" not in given:
            given = {**(common or {}), **given}
        model = open_model(given.pop("model", None))
        if head == AS_IT_IS:
            return Decoding.as_it_is(model, Options.of(given), label or rest)
        if "sentences" in given:
            raise InvalidInput(f"{spec!r}: every method reads the same, a source's first sentence")
        return Decoding.by(head, model, Options.of(given), label or rest)
    if head in (RIVAL, DAT_LENC):
        from nacc.evaluation.rivals import other

        return other(head, _given_options(rest, tail), label or rest, open_model)
    if "=" in rest:
        return _output_file(rest, label, to_cut=False)
    raise InvalidInput(
        f"unknown system {spec!r}; known: {', '.join(system_names())}, {RIVAL}:model=DIR, "
        f"{DAT_LENC}:words=N, file:PATH, NAME=PATH"
    )


def _output_file(spec: str, label: str, *, to_cut: bool) -> OutputFile:
    name, equals, path = spec.partition("=")
    file = Path(path if equals else spec)
    name = label or (name if equals else file.stem)
    return OutputFile(name, tuple(read_lines(file)), to_cut)


def _given_options(spec: str, text: str) -> dict[str, Any]:
    given = dict(option_given(part, spec) for part in filter(None, text.split(",")))
    if "method" in given:
        raise InvalidInput(f"{spec!r}: the method is what stands before the colon")
    return given


def option_given(part: str, spec: str) -> tuple[str, Any]:
    """Name and value of an option as it is written in a specification."""
    name, equals, value = part.partition("=")
    if not equals or not name or not value:
        raise InvalidInput(f"{part!r} in {spec!r} must read option=value, e.g. bucket=8")
    return name, value if name == "model" else _option_value(value)


def _option_value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
