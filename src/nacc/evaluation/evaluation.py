"""One evaluation, from what is asked for to what is shown and written: `nacc evaluate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Group

from nacc.data.datasets import Dataset, load, read_headlines
from nacc.errors import InvalidInput
from nacc.evaluation import case_study, figures, tables
from nacc.evaluation.fluency import HeadlineModel
from nacc.evaluation.report import (
    ROUGE_METRICS,
    EvaluationProtocol,
    ReportRow,
    evaluate_systems,
)
from nacc.evaluation.systems import OpenModel, Tell, parse_system, silent, usual_systems
from nacc.evaluation.timing import Machine, machine
from nacc.length.budget import Budget

if TYPE_CHECKING:
    from nacc.summarizer import Summarizer


@dataclass(frozen=True, kw_only=True)
class EvaluationSettings:
    """What to measure on what, and how; None: as the protocol for the data says.

    systems:    as `parse_system` reads them; none: what is usual for the model.
    against:    the one that others are compared with.
    byte_limit: of ROUGE; 0 for none.
    headlines:  files to train the fluency model on; none: no perplexity.
    options:    of all systems that name no model of their own; what they name comes first.
    """

    data: Path | str
    references: Sequence[Path] = ()
    first: int | None = None
    systems: Sequence[str] = ()
    model: Path | None = None
    against: str | None = None
    budget: Budget | None = None
    metric: str | None = None
    byte_limit: int | None = None
    time_on: int = 100
    repeats: int = 5
    headlines: Sequence[Path] = ()
    grammar: bool = False
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def protocol(self, data: Dataset) -> EvaluationProtocol:
        """The paper's for such data, but for what is asked for."""
        usual = EvaluationProtocol.of(data, self.budget)
        metrics = {None: usual.metric} | {name: name for name in ROUGE_METRICS}
        if self.metric not in metrics:
            raise InvalidInput(f"metric {self.metric!r} must be one of {', '.join(ROUGE_METRICS)}")
        return replace(
            usual,
            metric=metrics[self.metric],
            byte_limit=usual.byte_limit if self.byte_limit is None else self.byte_limit or None,
            time_on=self.time_on,
            repeats=self.repeats,
            grammar=self.grammar,
            seed=self.seed,
        )


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What was found: a row a system."""

    data: Dataset
    protocol: EvaluationProtocol
    rows: Sequence[ReportRow]
    machine: Machine

    @classmethod
    def of(
        cls,
        settings: EvaluationSettings,
        tell: Tell = silent,
        open_model: OpenModel | None = None,
    ) -> Evaluation:
        """Measure what the settings ask for; `open_model` keeps models that are open already."""
        data = load(settings.data, settings.references).first(settings.first)
        protocol = settings.protocol(data)
        if settings.headlines:
            tell("training the fluency model on " + ", ".join(p.name for p in settings.headlines))
            lines = (line for path in settings.headlines for line in read_headlines(path))
            protocol = replace(protocol, language_model=HeadlineModel(lines))
        opened = open_model or model_opener(settings.model)
        specs = settings.systems or usual_systems(opened(None))
        systems = [parse_system(spec, opened, settings.options) for spec in specs]
        rows = evaluate_systems(systems, data, protocol, against=settings.against, tell=tell)
        return cls(data, protocol, rows, machine())

    @property
    def title(self) -> str:
        budget, metric = self.protocol.budget, self.protocol.metric
        return f"{self.data.name}: {len(self.data)} pairs, at most {budget}, ROUGE {metric}"

    def terminal(self) -> Group:
        return tables.terminal_tables(self.rows, self.title)

    def record(self) -> dict[str, Any]:
        """All figures, for JSON."""
        rows = tables.records(self.rows)
        return {"title": self.title, "machine": asdict(self.machine), "rows": rows}

    def write(self, folder: Path) -> list[Path]:
        """Write evaluation.json, .csv and .md: figures only, no text of the data."""
        return tables.write(folder, self.rows, self.title, self.protocol, self.machine)

    def examples(self, count: int, folder: Path | None = None) -> Group:
        """Outputs side by side; with a folder, a page of them too."""
        places = case_study.choose(self.data, count, self.protocol.seed)
        what = (self.rows, self.data, places, self.protocol.budget)
        if folder is not None:
            page = case_study.html_examples(*what)
            (folder / "examples.html").write_text(page, "utf-8")
        return case_study.terminal_examples(*what)

    def draw(self, folder: Path) -> list[Path]:
        """Quality against speed."""
        return figures.quality_and_speed(self.rows, folder)


def model_opener(default: Path | None) -> OpenModel:
    """Opens models, each once; None stands for the default."""

    @cache
    def opened(path: str | None) -> Summarizer:
        from nacc.summarizer import Summarizer

        return Summarizer.load(path)

    return lambda path: opened(path or (str(default) if default else None))
