"""`nacc best`: graded answers that run as they are, as pairs to learn from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def best(
    graded: Annotated[
        list[Path],
        typer.Argument(help="A row an answer: source, budget, answer, grade (A, B, C, F)."),
    ],
    *,
    out: Annotated[Path, typer.Option(help="The file of pairs that is written.")],
    most: Annotated[int, typer.Option(min=1, help="Of each list, at most.")] = 3,
) -> None:
    """Write the answers that were graded A, for the slots to learn from."""
    from nacc.learning.grading import read_lists

    count = 0
    with out.open("w", encoding="utf-8") as file:
        for path in graded:
            for source, _, answers in read_lists(path):
                good = [answer for answer, grade in answers if grade == "A"][:most]
                file.writelines(f"{source}\t{answer}\n" for answer in good)
                count += len(good)
    typer.echo(f"{out}: {count:,} pairs")
