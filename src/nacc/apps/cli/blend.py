"""`nacc blend`: a model between two."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def blend(
    first: Annotated[Path, typer.Argument(help="A model folder: runs/headlines/best.")],
    second: Annotated[Path, typer.Argument(help="One that went on from it: runs/default/best.")],
    *,
    share: Annotated[float, typer.Option(help="How much of the second, 0 to 1.")] = 0.5,
    whole: Annotated[
        list[str] | None,
        typer.Option(help="A part that is the second's alone: scorer. Repeatable."),
    ] = None,
    out: Annotated[Path, typer.Option(help="The model folder to write.")],
) -> None:
    """Take the weighted mean of two models' weights."""
    from nacc.learning import blend as blending

    blending.blend(first, second, out, share, whole or ())
    typer.echo(f"{out}: {1 - share:.0%} of {first}, {share:.0%} of {second}")
