"""`nacc contrast`: does a headline keep a negation, a condition, a doubt, and who did what."""

from __future__ import annotations

import json as json_format
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from nacc.evaluation.systems import AS_IT_IS
from nacc.length.budget import Budget


def contrast(
    cases: Annotated[Path, typer.Argument(help="The cases, as in benchmarks/contrast.tsv.")],
    *,
    system: Annotated[
        list[str] | None,
        typer.Option(
            help="As for nacc evaluate; {budget} in a path stands for the amount. Repeatable. "
            f"Default: {AS_IT_IS}, the model as it is.",
            show_default=False,
        ),
    ] = None,
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
    out: Annotated[
        Path | None, typer.Option(help="Write contrast.json and contrast.md here.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Check what systems say of sentences in pairs: the share that is kept, and first failures."""
    from nacc.evaluation import contrast as checks
    from nacc.evaluation.runs import run_at
    from nacc.evaluation.timing import machine

    given = checks.read_cases(cases)
    budgets = [Budget.of(each) for each in budget or ("30", "50", "75")]
    systems, texts = system or [AS_IT_IS], [case.text for case in given]
    with Console(stderr=True).status("starting") as status:
        said = run_at(systems, texts, budgets, model, option or (), tell=status.update)
    found = checks.judge(given, said)
    record = {"machine": asdict(machine()), "rows": checks.records(found)}
    text = json_format.dumps(record, indent=1, ensure_ascii=False)
    typer.echo(text if json else checks.markdown(found))
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        (out / "contrast.json").write_text(text + "\n", "utf-8")
        (out / "contrast.md").write_text(f"{checks.markdown(found)}\n{machine()}\n", "utf-8")
