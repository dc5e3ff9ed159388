"""`nacc calibrate`: how sure a model may say it is."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from nacc.data.datasets import load, locate

USUAL_DATA = ("gigaword-dev", "reuters-dev", "web-dev")


def calibrate(
    model: Annotated[Path, typer.Argument(help="The model folder to write the table into.")],
    *,
    grades: Annotated[
        Path | None,
        typer.Option(
            help="A folder of sheets graded blind, as results/reading: key.json, a .tsv a grader. "
            "Without, ROUGE alone tells good from bad."
        ),
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            help="Take the graded headlines of this system only. Repeatable.", show_default=False
        ),
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option(
            help="Data sets, as for nacc evaluate. Repeatable. "
            f"Default: {', '.join(USUAL_DATA)}; none: grades alone.",
            show_default=False,
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--set", help="An option of the model, as for nacc evaluate. Repeatable."),
    ] = None,
    first: Annotated[int, typer.Option(help="Use N pairs of each data set, from all of it.")] = 300,
    out: Annotated[
        Path | None,
        typer.Option(help="Write confidence.json and .md and the figure (reliability) here."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Leave the model folder as it is.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Learn from graded headlines and from ROUGE how sure a model may say it is.

    Writes "confidence" into its config.json, and tells how far it can be trusted: of headlines
    that were left out of the learning, how many are as good as said, and how many of the bad ones
    each threshold (min_confidence) catches.
    """
    from nacc.evaluation import confidence, figures
    from nacc.evaluation.calibration import Calibrated
    from nacc.evaluation.survey import options_by_data
    from nacc.summarizer import Summarizer

    if out is not None:
        figures.need_matplotlib()
    wanted = [name for name in data or USUAL_DATA if name != "none"]
    paths = [path for name in wanted for path in locate(name)]
    asked = options_by_data(option or (), paths)
    opened = Summarizer.load(model)
    with Console(stderr=True).status("starting") as status:
        samples = [] if grades is None else confidence.graded(
            opened, grades, system or (), status.update
        )  # fmt: skip
        for path in paths:
            pairs = load(path).spread(first)
            samples += confidence.scored(opened, pairs, asked[path], status.update)
    found = Calibrated.of(samples)
    typer.echo(json_format.dumps(found.record(), indent=1) if json else found.markdown())
    if out is not None:
        found.write(out)
    if not dry_run:
        found.save(model)
        typer.echo(f'{model / "config.json"}: "confidence" written', err=True)
