"""`nacc join`: what is kept by the digests of its sources, beside the sources again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def join(
    kept: Annotated[Path, typer.Argument(help="Rows that begin with a source's digest.")],
    files: Annotated[list[Path], typer.Argument(help="Files of pairs with these sources.")],
    *,
    out: Annotated[Path, typer.Option(help="The file of rows that begin with a source.")],
    every: Annotated[
        int, typer.Option(min=0, help="Of every so many sources the last goes to --held-out.")
    ] = 0,
    held_out: Annotated[Path | None, typer.Option(help="Where those rows go.")] = None,
    towards: Annotated[
        float,
        typer.Option(
            min=0.0,
            max=1.0,
            help="Of graded answers: how much less one is worth that has nothing of its pair's "
            "headline than one that has all of it.",
        ),
    ] = 0.0,
) -> None:
    """Put what is kept by the digests of its sources beside the sources again."""
    from itertools import groupby

    from nacc.data.digests import joined
    from nacc.data.pairs import read_pairs
    from nacc.errors import InvalidInput

    if bool(every) != bool(held_out):
        raise InvalidInput("--every and --held-out go together")
    found = joined(kept, (pair for file in files for pair in read_pairs(file)))
    if towards:
        from nacc.learning.grading import nearer

        rows = nearer(found, towards)
    else:
        rows = (row for row, _ in found)
    written: dict[Path, list[str]] = {out: [], **({held_out: []} if held_out else {})}
    for number, (_, same) in enumerate(groupby(rows, key=lambda row: row.partition("\t")[0]), 1):
        written[held_out if held_out and number % every == 0 else out].extend(same)
    for path, lines in written.items():
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        typer.echo(f"{path}: {len(lines):,} rows")
