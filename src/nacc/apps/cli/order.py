"""`nacc order`: a model's scorer learns from graded answers which to put first."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def order(
    model: Annotated[str, typer.Argument(help="A model folder with a scorer, or a packaged one.")],
    graded: Annotated[
        Path, typer.Argument(help="A row an answer: source, budget, answer, grade (A, B, C, F).")
    ],
    *,
    out: Annotated[Path, typer.Option(help="The model folder to write.")],
    more: Annotated[
        list[Path] | None,
        typer.Option(help="More such files to learn from, by which nothing is measured."),
    ] = None,
    style: Annotated[str, typer.Option(help="In which the answers were asked for.")] = "clear",
    epochs: Annotated[int, typer.Option(min=1, help="How often each list comes.")] = 1,
    rate: Annotated[float, typer.Option(min=0, help="The highest learning rate.")] = 6e-5,
) -> None:
    """Teach a model's scorer by graded answers which of several to put first."""
    from nacc.learning.grading import Choice
    from nacc.learning.order import Ordering, order, save
    from nacc.learning.processes import Processes
    from nacc.runtime.folder import model_folder

    here = Processes.join()
    console = Console(stderr=True)
    with console.status("reading the lists") as status:

        def show(done: float, found: Choice) -> None:
            if here.first:
                console.print(f"{done:.0%} done; of the lists held out {found}")
            status.update(f"learning: {done:.0%}")

        folder = model_folder(model)
        how = Ordering(epochs=epochs, learning_rate=rate)
        taught, before, after = order(folder, graded, style, how, show, more or ())
    if here.first:
        save(taught, folder, out)
        typer.echo(f"{out}: of the lists held out {before} before, {after} now")
    here.leave()
