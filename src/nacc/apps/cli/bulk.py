"""`nacc bulk`: files of any size, on all cores or a cluster, again after a run that was killed."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from nacc.apps.cli import flags
from nacc.apps.cli.options import settled, with_options
from nacc.apps.cli.progress import Progress
from nacc.apps.cli.remarks import remark
from nacc.bulk.columns import NewColumns, details
from nacc.bulk.inputs import BULK_FORMATS, files
from nacc.bulk.job import Job
from nacc.bulk.parts import Counts, Step
from nacc.bulk.run import RECORD, Engine, Run
from nacc.bulk.unchanged import Unchanged
from nacc.data.output import STANDARD_OUTPUT
from nacc.data.rows import counted, encoding_named
from nacc.errors import InvalidInput
from nacc.options import Options
from nacc.parallel import cores
from nacc.runtime.folder import model_folder

TOLD = 10
"""How many rows are told of that have no place for what is wrong with them."""


@with_options()
def bulk(
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="IN",
            show_default=False,
            help="Files, folders and patterns: Parquet, CSV, TSV, JSON Lines, text.",
        ),
    ],
    *,
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="DIR", show_default=False, help="The folder to write to."
        ),
    ],
    maximum: flags.SeveralBudgets = None,
    preset: flags.Presets = None,
    unit: flags.Unit = None,
    font: flags.Font = None,
    size: flags.Size = None,
    options: Options,
    column: flags.Column = None,
    into: flags.Into = "summary",
    details_: flags.Details = None,
    errors: Annotated[
        str, typer.Option("--errors", metavar="NAME", help="The column of what went wrong.")
    ] = "error",
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            show_default=False,
            help=f"{', '.join(BULK_FORMATS[:-1])} or {BULK_FORMATS[-1]}. "
            "Default: by the files' endings.",
        ),
    ] = None,
    no_header: flags.NoHeader = False,
    encoding: flags.Encoding = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", show_default=False, help="Default: one a core, or one a GPU."
        ),
    ] = None,
    engine: Annotated[
        str, typer.Option(metavar="NAME", help="Who does the work: processes or ray.")
    ] = "processes",
    device: Annotated[
        str,
        typer.Option(metavar="NAME", help="What a worker has to itself: cpu, a core, or gpu."),
    ] = "cpu",
    address: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            show_default=False,
            help="The Ray cluster, or auto. Default: this machine.",
        ),
    ] = None,
    model: flags.Model = None,
) -> None:
    """Summarize files of any size: every row, with its other columns, into files of the same name.

    Plain text becomes CSV; other formats stay what they are. Each budget has a column, and a row
    that cannot be summarized says why in a column of its own. Memory does not grow with the files.
    Called again after it was stopped or killed, in whatever way, it goes on and ends with the same
    files, byte for byte.

    \b
    Examples:
      nacc bulk news.parquet --column lead --max 50 --out short
      nacc bulk leads/ archive.csv --column text --max 30 --max 60 --out short
      nacc bulk "wire/**/*.jsonl" --column body --for push --with confidence,note --out short
      nacc bulk /shared/news --max 50 --out /shared/short --engine ray --address auto

    \b
    Exit codes:
      0    done
      1    done, except for rows that have an error
      2    wrong usage, unreadable input or unwritable output
      130  interrupted; call it again to go on
    """
    if out == STANDARD_OUTPUT:
        raise InvalidInput("--out is a folder here: what goes to standard output is nacc fit's")
    if not errors:
        raise InvalidInput("--errors needs a name: the column that says why there is no summary")
    maximum = maximum or ([] if preset else [flags.USUAL])
    budgets = flags.budgets(maximum, preset or [], unit, font, size)
    asked = settled(options, model, budgets)
    written = (*maximum, *(preset or []))
    columns = NewColumns(into, written, asked.alternatives, details(details_), errors)
    job = Job(
        tuple(files(inputs, form, out)),
        out.resolve(),
        model_folder(model).resolve(),
        tuple(budgets),
        asked,
        columns.checked(),
        column,
        not no_header,
        encoding_named(encoding),
        device,
    )
    run = Run(job)
    with Watcher() as watcher:
        counts = run.go(_engine(engine, address, workers, device), watcher)
    _conclude(counts, run.unchanged(), errors)
    if counts.errors:
        raise typer.Exit(1)


def _conclude(counts: Counts, unchanged: Unchanged, errors: str) -> None:
    """Say how it went, and what is wrong with rows that have no place for it."""
    for file, line, why in unchanged.first[:TOLD]:
        remark(f"{file}:{line}: {why}")
    where = [f"see the column {errors!r}"] if counts.errors > unchanged.rows else []
    if unchanged.rows:
        where.append(f"{unchanged.rows:,} stayed as before, with no place to say why: see {RECORD}")
    told = counted(counts.rows, "row")
    if counts.errors:
        told += f", {counts.errors:,} without a summary: {'; '.join(where)}"
    remark(told)


class Watcher(ExitStack):
    """Shows how far a run is."""

    def begin(self, total: int, done: int, rows: int) -> None:
        if done:
            remark(f"going on after {counted(rows, 'row')}")
        self._bytes, self._rows = done, rows
        self._under_way: dict[str, Step] = {}
        progress = Progress(total, shown=True, what="row", at_once=True)
        self._progress = self.enter_context(progress)
        self._progress.begin(done, rows)

    def step(self, step: Step) -> None:
        self._under_way[step.part.name] = step
        size = sum(round(each.share * each.part.weight) for each in self._under_way.values())
        rows = sum(each.rows for each in self._under_way.values())
        self._progress.update(self._bytes + size, self._rows + rows)
        if step.counts is not None:
            del self._under_way[step.part.name]
            self._bytes += step.part.weight
            self._rows += step.rows


def _engine(name: str, address: str | None, workers: int | None, device: str) -> Engine:
    if device not in ("cpu", "gpu"):
        raise InvalidInput(f"unknown device {device!r}; known: cpu, gpu")
    if name == "ray":
        from nacc.bulk import ray_data

        return partial(ray_data.work, workers=workers or 0, address=address)
    if name != "processes":
        raise InvalidInput(f"unknown engine {name!r}; known: processes, ray")
    if address is not None:
        raise InvalidInput("--address goes with --engine ray")
    from nacc.bulk import processes

    return partial(processes.work, workers=workers or (cores() if device == "cpu" else 1))
