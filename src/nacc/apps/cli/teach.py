"""`nacc teach`: a language model learns to write headlines, and writes one for every source."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from nacc.apps.cli.choose import New, Processes, Words


def teach(
    model: Annotated[Path, typer.Argument(help="A language model: SmolLM2-135M as a GGUF file.")],
    rows: Annotated[
        Path, typer.Argument(help="Sources, some with a headline, as `nacc choose` writes them.")
    ],
    *,
    out: Annotated[Path, typer.Option(help="The file of pairs that is written.")],
    minutes: Annotated[float, typer.Option(min=0, help="How long it learns, at most.")] = 3.0,
    epochs: Annotated[int, typer.Option(min=1, help="How often each headline comes.")] = 1,
    cut: Annotated[
        int,
        typer.Option(
            min=0, help="Headlines whose first clause has at most so many characters teach it too."
        ),
    ] = 44,
    lists: Annotated[
        bool, typer.Option("--lists", help="Write all that will do, as lists for `nacc judge`.")
    ] = False,
    beams: Annotated[int, typer.Option(min=1, help="Headlines looked at for each source.")] = 4,
    new: New = 1,
    words: Words = "default",
    processes: Processes = 1,
) -> None:
    """Teach a language model to write headlines, and have it write one for every source."""
    import torch

    from nacc.learning import teach as teaching
    from nacc.learning.writer import Teaching
    from nacc.runtime.folder import model_folder

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    with Console(stderr=True).status(f"{model.name} learns") as status:

        def show(report: dict[str, float]) -> None:
            doing = "writes" if "written" in report else f"learns, loss {report.get('loss', 0):.2f}"
            status.update(f"{model.name} {doing}: {report['done']:.0%}")

        count = teaching.teach(
            model,
            rows,
            model_folder(words) / "words.txt",
            out,
            device,
            Teaching(minutes=minutes, epochs=epochs),
            teaching.Writing(beams=beams, new=new, lists=lists, cut=cut, processes=processes),
            show,
        )
    typer.echo(f"{out}: {count:,} {'answers' if lists else 'pairs'}")
