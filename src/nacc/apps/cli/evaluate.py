"""`nacc evaluate`: how good and how fast systems are, on the user's own data."""

from __future__ import annotations

import json as json_format
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console, Group

from nacc.errors import InvalidInput
from nacc.length.budget import Budget

if TYPE_CHECKING:
    from nacc.data.datasets import Dataset
    from nacc.evaluation.report import Protocol, Row

DEFAULT_SYSTEMS = ["lead", "truncate", "bucketed", "exact", "coherent"]


def evaluate(
    *,
    data: Annotated[
        Path,
        typer.Option(help="A .tsv file, an article file beside its title file, or a DUC folder."),
    ],
    system: Annotated[
        list[str] | None,
        typer.Option(
            help="lead, lead-cut, truncate, greedy, bucketed, exact, coherent (options: "
            "exact:at_least=40), file:PATH or NAME=PATH; cut:NAME=PATH cuts it to the budget. "
            "Repeatable. Default: lead, truncate, bucketed, exact, coherent.",
            show_default=False,
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(help='E.g. "50" or "75 bytes". Default: 50; DUC: 75 bytes.'),
    ] = None,
    references: Annotated[
        list[Path] | None,
        typer.Option(help="References, one a line, when --data holds sources only. Repeatable."),
    ] = None,
    metric: Annotated[
        str | None, typer.Option(help="f1 or recall. Default: f1; several references: recall.")
    ] = None,
    byte_limit: Annotated[
        int | None,
        typer.Option(help="ROUGE-1.5.5's -b. Default: none; several references: 75; 0: none."),
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="The row to compare with. Default: the first.")
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="Model folder. Default: the packaged model.")
    ] = None,
    first: Annotated[int | None, typer.Option(help="Use only the first N pairs.")] = None,
    time_on: Annotated[int, typer.Option(help="Time each system on N sentences; 0: do not.")] = 100,
    repeats: Annotated[int, typer.Option(help="How often to repeat the timing.")] = 5,
    headlines: Annotated[
        list[Path] | None,
        typer.Option(help="Headlines (.tsv, .tsv.zst or text) for the fluency model. Repeatable."),
    ] = None,
    grammar: Annotated[
        bool, typer.Option("--grammar", help="Check grammar too (a few ms an output).")
    ] = False,
    show: Annotated[int, typer.Option(help="Show N random examples side by side.")] = 0,
    figure: Annotated[
        bool, typer.Option("--figure", help="Draw quality against speed into --out.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Write evaluation.json, .csv and .md (and more) here.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of resampling and of the examples.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Measure systems on a data set: the paper's table, and what it does not report."""
    from nacc.data.datasets import load
    from nacc.evaluation import report, systems, tables, timing

    if figure and out is None:
        raise InvalidInput("--figure needs --out DIR to draw into")
    pairs = load(data, references or ()).first(first)
    protocol = _protocol(pairs, budget, metric, byte_limit)
    with Console(stderr=True).status("starting") as status:
        protocol = replace(
            protocol,
            time_on=time_on,
            repeats=repeats,
            language_model=_language_model(headlines or [], status.update),
            grammar=grammar,
            seed=seed,
        )
        load_model = model_loader(model)
        chosen = [systems.parse(name, load_model) for name in system or DEFAULT_SYSTEMS]
        rows = report.evaluate(chosen, pairs, protocol, against=against, progress=status.update)
    machine = timing.machine()
    title = f"{pairs.name}: {len(pairs)} pairs, at most {protocol.budget}, ROUGE {protocol.metric}"
    console = Console()
    if json:
        found = {"title": title, "machine": asdict(machine), "rows": tables.records(rows)}
        typer.echo(json_format.dumps(found, indent=1))
    else:
        console.print(tables.terminal(rows, title))
        console.print(str(machine), style="dim", highlight=False)
    if out is not None:
        tables.write(out, rows, title, protocol, machine)
    if show:
        examples = _show(rows, pairs, protocol, show, out)
        if not json:
            console.print(examples)
    if figure and out is not None:
        from nacc.evaluation import figures

        figures.quality_and_speed(rows, out)


def model_loader(default: Path | None) -> Callable[[str | None], Any]:
    """Opens model folders, each once; None stands for the default."""

    @cache
    def opened(path: str | None) -> Any:
        from nacc.summarizer import Summarizer

        return Summarizer.load(path)

    return lambda path: opened(path or (str(default) if default else None))


def _protocol(
    pairs: Dataset, budget: str | None, metric: str | None, byte_limit: int | None
) -> Protocol:
    from nacc.evaluation.report import METRICS, Protocol

    protocol = Protocol.of(pairs, Budget.of(budget) if budget else None)
    if metric is not None:
        known = {name: name for name in METRICS}
        if metric not in known:
            raise InvalidInput(f"--metric {metric!r} must be one of {', '.join(METRICS)}")
        protocol = replace(protocol, metric=known[metric])
    if byte_limit is not None:
        protocol = replace(protocol, byte_limit=byte_limit or None)
    return protocol


def _language_model(headlines: list[Path], progress: Callable[[str], None]) -> Any:
    from nacc.data.datasets import read_headlines
    from nacc.evaluation.fluency import HeadlineModel

    if not headlines:
        return None
    progress("training the fluency model on " + ", ".join(path.name for path in headlines))
    return HeadlineModel(line for path in headlines for line in read_headlines(path))


def _show(
    rows: list[Row], pairs: Dataset, protocol: Protocol, count: int, out: Path | None
) -> Group:
    from nacc.evaluation import case_study

    places = case_study.choose(pairs, count, protocol.seed)
    if out is not None:
        page = case_study.as_html(rows, pairs, places, protocol.budget)
        (out / "examples.html").write_text(page, "utf-8")
    return case_study.terminal(rows, pairs, places, protocol.budget)
