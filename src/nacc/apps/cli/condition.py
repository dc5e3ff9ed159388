"""`nacc condition`: settle a model trained with voices on one of them, and on a length."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def condition(
    model: Annotated[Path, typer.Argument(help="A model folder: runs/headlines/best.")],
    *,
    voice: Annotated[
        str | None, typer.Option(help="One of the voices told apart in training. Default: any.")
    ] = None,
    length: Annotated[
        int | None, typer.Option(help="Of the headlines, in characters. Default: any.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The model folder to write.")],
) -> None:
    """Settle a model on whose headlines to write, and how long they are."""
    from nacc.learning import conditioning

    conditioning.condition(model, out, voice, length)
    typer.echo(f"{out}: {model} as {voice or 'anyone'}, {length or 'any number of'} characters")
