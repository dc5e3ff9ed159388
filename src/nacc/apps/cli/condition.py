"""`nacc condition`: settle a model trained with voices on one of them, and on a length."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nacc.errors import InvalidInput


def condition(
    model: Annotated[Path, typer.Argument(help="A model folder: runs/headlines/best.")],
    *,
    voice: Annotated[
        str | None, typer.Option(help="One of the voices told apart in training. Default: any.")
    ] = None,
    length: Annotated[
        int | None, typer.Option(help="Of the headlines, in characters. Default: any.")
    ] = None,
    style: Annotated[
        list[str] | None,
        typer.Option(
            help="NAME=VOICE: a name for a voice, to choose by; NAME= is any voice, NAME=A+B one "
            "between two."
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="The model folder to write.")],
) -> None:
    """Settle a model on whose headlines to write, and how long they are."""
    from nacc.learning import conditioning

    styles: dict[str, str | None] = {}
    for each in style or ():
        name, equals, whose = each.partition("=")
        if not (name and equals):
            raise InvalidInput(f"--style {each!r} must be NAME=VOICE")
        styles[name] = whose or None
    conditioning.condition(model, out, voice, length, styles)
    typer.echo(f"{out}: {model} as {voice or 'anyone'}, {length or 'any number of'} characters")
