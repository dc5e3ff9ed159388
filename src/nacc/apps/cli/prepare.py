"""`nacc prepare`: data files to a folder that trains."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table


def prepare(
    recipe: Annotated[Path, typer.Argument(help="A recipe: recipes/headlines.toml.")],
    *,
    data: Annotated[Path, typer.Option(help="The folder with the pairs the recipe names.")],
    out: Annotated[Path, typer.Option(help="Where the prepared folder is written.")],
    processes: Annotated[
        int, typer.Option(min=1, help="How many processes clean pairs; default: one a core.")
    ] = os.cpu_count() or 1,
) -> None:
    """Clean pairs, choose a vocabulary and pack both for training."""
    from nacc.learning import prepare as preparing
    from nacc.learning.recipe import Recipe

    wanted = Recipe.load(recipe)
    with Console(stderr=True).status(f"preparing {wanted.name} from {data}"):
        reasons = preparing.prepare(wanted, data, out, processes)
    table = Table("Pairs", "", title=str(out))
    for reason, count in reasons.most_common():
        table.add_row(f"{count:,}", reason)
    Console().print(table)
