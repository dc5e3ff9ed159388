"""`nacc blind`: a sheet of systems' headlines to be graded by somebody who cannot tell whose."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from nacc.evaluation.systems import system_names
from nacc.length.budget import Budget


def blind(
    *,
    sources: Annotated[
        Path, typer.Option(help="One source a line, its kind and a tab before it if you like.")
    ],
    system: Annotated[
        list[str],
        typer.Option(
            help=f"As for nacc evaluate: {', '.join(system_names())}, NAME=PATH, NAME:=SYSTEM; "
            "{budget} in a path stands for the amount. Repeatable."
        ),
    ],
    out: Annotated[Path, typer.Option(help="The sheet; its key is written beside it.")],
    budget: Annotated[
        list[str] | None,
        typer.Option(help="Repeatable. Default: 30, 50 and 75.", show_default=False),
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="Model folder. Default: the packaged model.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--set", help="An option of --model, NAME=VALUE. Repeatable."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the shuffle.")] = 0,
) -> None:
    """Make a sheet to grade blind: every headline once, shuffled, and the key to it.

    Fill in the column "grade" with A (runs as it is), B (a small flaw), C (broken) or F (says what
    the source does not); then nacc grades reads it.
    """
    from nacc.evaluation import grades, runs, sheets

    budgets = [Budget.of(each) for each in budget or ("30", "50", "75")]
    texts = runs.read_sources(sources)
    with Console(stderr=True).status("starting") as status:
        said = runs.run_at(system, texts, budgets, model, option or (), tell=status.update)
    rows = grades.blind_rows(texts, said, seed)
    key = sheets.write(out, grades.FORM, rows)
    typer.echo(f"{len(rows)} headlines of {len(texts)} sources to grade in {out}; the key: {key}")
