"""`nacc export`: a trained model as one that runs without torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

CALIBRATED = 200  # sentences; more change nothing


def export(
    folder: Annotated[Path, typer.Argument(help="A trained model: RUN/best.")],
    *,
    out: Annotated[Path, typer.Option(help="The model folder to write.")],
    fp32: Annotated[
        bool, typer.Option("--fp32", help="Keep 32-bit weights instead of rounding to 8 bits.")
    ] = False,
    calibrate: Annotated[
        Path | None,
        typer.Option(
            help="Pairs (.tsv) of which some sources are read to choose 8 bits' steps by. "
            "Default: a few sentences of the program's own."
        ),
    ] = None,
    measure: Annotated[
        Path | None,
        typer.Option(help="Pairs (.tsv) on which to measure what the export loses."),
    ] = None,
    first: Annotated[int, typer.Option(min=1, help="With --measure: how many pairs.")] = 1000,
) -> None:
    """Write a model folder for the summarizer: ONNX, 8-bit unless told otherwise."""
    from itertools import islice

    from nacc.data.pairs import read_pairs
    from nacc.errors import InvalidInput
    from nacc.learning import export as exporting
    from nacc.learning.recipe import Validation
    from nacc.learning.smoothing import SENTENCES
    from nacc.learning.validation import Validator

    pairs = [] if measure is None else list(islice(read_pairs(measure), first))
    if measure is not None and not pairs:
        raise InvalidInput(f"{measure} holds no pair to measure on")
    texts: Sequence[str] = SENTENCES
    if calibrate is not None:
        texts = [source for source, _ in islice(read_pairs(calibrate), CALIBRATED)]
        if not texts:
            raise InvalidInput(f"{calibrate} holds no sentence to go by")
    with Console(stderr=True).status("exporting") as status:
        exporting.export(folder, out, int8=not fp32, texts=texts)
        if pairs:
            status.update(f"decoding {len(pairs)} sentences twice")
            scores = exporting.measure(folder, out, Validator(pairs, Validation()))
    console = Console()
    size = sum(path.stat().st_size for path in out.iterdir())
    console.print(f"{out}: {size / 1e6:.1f} MB", highlight=False)
    if pairs:
        title = f"{len(pairs)} pairs of {measure}, 41 to 50 characters"
        table = Table("", "ROUGE-1", "ROUGE-2", "ROUGE-L", title=title)
        for name, rouge in zip(("trained", "exported"), scores, strict=True):
            table.add_row(name, *(f"{value:.2f}" for value in rouge))
        lost = (a - b for a, b in zip(*scores, strict=True))
        table.add_row("lost", *(f"{value:.2f}" for value in lost))
        console.print(table)
