"""`nacc distil`: a distilling teacher's headlines in place of the human ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def distil(
    teacher: Annotated[
        Path, typer.Argument(help="An autoregressive model: runs/distilling-teacher/best.")
    ],
    *,
    data: Annotated[Path, typer.Option(help="A folder that `nacc prepare` wrote.")],
    out: Annotated[Path, typer.Option(help="Where the folder with its headlines is written.")],
    limit: Annotated[
        int | None, typer.Option(min=1, help="Write so many headlines, not one for every source.")
    ] = None,
) -> None:
    """Have a distilling teacher write the headlines that a faster model learns from."""
    import torch

    from nacc.learning import distil as distilling

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    with Console(stderr=True).status(f"{teacher} writes") as status:
        count = distilling.distil(
            teacher,
            data,
            out,
            device,
            limit=limit,
            show=lambda done, total: status.update(f"{teacher} writes: {done:,} of {total:,}"),
        )
    typer.echo(f"{out}: {count:,} headlines")
