"""`nacc grades`: what the grades of blind sheets say of the systems behind them."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import Annotated

import typer

from nacc.evaluation import sheets
from nacc.evaluation.grades import FORM, Graded


def grades(
    sheet: Annotated[
        list[Path], typer.Argument(help="Filled-in sheets of one key, one for each grader.")
    ],
    *,
    key: Annotated[
        Path | None, typer.Option(help="Default: beside the first sheet, as nacc blind wrote it.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write grades.json and grades.md here.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Read grades back: counts of each system and budget, sign tests, how far graders agree."""
    opened = sheets.Key.read(key or sheets.key_of(sheet[0]))
    filled = [sheets.read(path, FORM, opened) for path in sheet]
    graded = Graded(opened, [[row["grade"] for row in rows] for rows in filled])
    record = json_format.dumps(graded.record(), indent=1)
    typer.echo(record if json else graded.markdown())
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        (out / "grades.json").write_text(record + "\n", "utf-8")
        (out / "grades.md").write_text(graded.markdown(), "utf-8")
