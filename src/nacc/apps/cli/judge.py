"""`nacc judge`: a language model learns from graded answers to grade others."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def judge(
    model: Annotated[Path, typer.Argument(help="A language model: SmolLM2-135M as a GGUF file.")],
    graded: Annotated[
        Path, typer.Argument(help="A row an answer: source, budget, answer, grade (A, B, C, F).")
    ],
    answers: Annotated[
        list[Path] | None, typer.Argument(help="Files to grade: source, budget, answer.")
    ] = None,
    *,
    out: Annotated[Path, typer.Option(help="The folder to write files of the same names to.")],
    more: Annotated[
        list[Path] | None, typer.Option(help="More such files of graded answers.")
    ] = None,
    pairs: Annotated[
        Path | None, typer.Option(help="Headlines that it learns to write beside: .tsv of pairs.")
    ] = None,
    members: Annotated[
        int, typer.Option(min=1, help="Models that learn in another order each; their mean judges.")
    ] = 1,
    best: Annotated[
        list[Path] | None,
        typer.Option(help="A file of which pairs are written: each list's best, if it is an A."),
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="How often each graded answer comes.")] = 2,
    minutes: Annotated[float, typer.Option(min=0, help="How long each learns, at most.")] = 3.0,
    rate: Annotated[float, typer.Option(min=0, help="The highest learning rate.")] = 2e-4,
) -> None:
    """Have a language model learn from graded answers, and grade or choose others."""
    import torch

    from nacc.data.pairs import read_pairs
    from nacc.learning import gguf, judge
    from nacc.learning.grading import read_lists
    from nacc.learning.writer import Teaching, Writer

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    out.mkdir(parents=True, exist_ok=True)
    with Console(stderr=True).status(f"{model.name} learns") as status:

        def show(report: dict[str, float]) -> None:
            status.update(f"{model.name} learns, loss {report['loss']:.2f}: {report['done']:.0%}")

        one = judge.Judge([Writer.of(gguf.read(model)) for _ in range(members)], device)
        lists = chain.from_iterable(map(read_lists, (graded, *(more or []))))
        how = Teaching(
            batch_tokens=16_384,
            minutes=minutes,
            epochs=epochs,
            learning_rate=rate,
            compile=device.type == "cuda",
        )
        found = one.learn(lists, how, show, list(read_pairs(pairs)) if pairs else ())
    typer.echo(f"of the lists held out {found}")
    for path in (*(answers or []), *(best or [])):
        written = judge.as_pair if path in (best or []) else judge.as_rows
        count = 0
        with (out / path.name).open("w", encoding="utf-8") as file:
            for row in chain.from_iterable(map(written, one.judge(judge.read_answers(path)))):
                file.write("\t".join(row) + "\n")
                count += 1
        typer.echo(f"{out / path.name}: {count:,} rows")
