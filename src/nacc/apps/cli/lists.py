"""`nacc lists`: the best answers that a model has for each source."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def lists(
    sources: Annotated[Path, typer.Argument(help="One a line, or pairs: .txt, .tsv, .tsv.zst.")],
    *,
    out: Annotated[Path, typer.Option(help="A row an answer: source, budget, answer.")],
    model: Annotated[str, typer.Option(help="A model folder, or a packaged one.")] = "default",
    answers: Annotated[int, typer.Option(min=2, help="For each source, at most.")] = 14,
    processes: Annotated[int, typer.Option(min=1, help="That work at the same time.")] = 1,
) -> None:
    """Write the best answers that a model has for each source, for graders."""
    from nacc.data.lines import lines_of
    from nacc.learning import lists as listing
    from nacc.runtime.folder import model_folder

    texts = (line.split("\t")[0] for line in lines_of(sources))
    count = 0
    with out.open("w", encoding="utf-8") as file:
        for rows in listing.lists(model_folder(model), texts, answers, processes):
            file.writelines(f"{source}\t{budget}\t{answer}\n" for source, budget, answer in rows)
            count += bool(rows)
    typer.echo(f"{out}: {count:,} lists")
