"""`nacc reproduce`: the paper's tables and figures, ours beside its own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from nacc.errors import InvalidInput
from nacc.evaluation.paper import Setting
from nacc.evaluation.parts import PARTS, ReproductionSettings, reproduce_part
from nacc.evaluation.reproduction import Reproduction
from nacc.evaluation.row_models import (
    find_search_model,
    network_notes,
    open_networks,
    parse_beside,
    parse_networks,
    parse_outputs,
)
from nacc.evaluation.timing import machine

SEARCHED = ("table1", "table2", "case-study", "all")
"""What has rows of the search."""


def reproduce(
    what: Annotated[str, typer.Argument(help=f"{', '.join(PARTS)}, or all.")],
    *,
    data: Annotated[
        Path | None, typer.Option(help="The data folder. Default: $NACC_DATA, or shared/data.")
    ] = None,
    gigaword: Annotated[
        Path | None,
        typer.Option(help="Gigaword: a folder, an article file or a .tsv. Default: gigaword-dev."),
    ] = None,
    duc: Annotated[
        Path | None,
        typer.Option(help="DUC: a folder with input and references. Default: duc2003."),
    ] = None,
    report: Annotated[
        bool,
        typer.Option(
            "--report",
            help="Run the paper's own test sets, gigaword-test and duc2004, unless others are "
            "named: for the report, once, at the end.",
        ),
    ] = False,
    supervised: Annotated[
        Path | None,
        typer.Option(help="CTC model trained on headlines. Default: the packaged model, linked."),
    ] = None,
    unsupervised: Annotated[
        Path | None,
        typer.Option(help="Model trained on search outputs; without it, its rows are not run."),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="The network of a row: table1.1=DIR, or table1.9,table2.4=DIR; of a rival with "
            "its options, table1.1=DIR,style=wire,told=45. Repeatable."
        ),
    ] = None,
    row: Annotated[
        list[str] | None,
        typer.Option(
            help="A further row: supervised=SYSTEM or unsupervised=SYSTEM, any that nacc evaluate "
            "takes, e.g. supervised=linked:=default; in one table, table2.unsupervised=SYSTEM. "
            "Repeatable."
        ),
    ] = None,
    search_model: Annotated[
        Path | None,
        typer.Option(
            help="What search judges by. Default: trained on gigaword/train.tsv.zst of the data "
            "folder, its headlines unpaired, and kept in --out."
        ),
    ] = None,
    output: Annotated[
        list[str] | None,
        typer.Option(help="Another system's outputs for a row: table1.7=PATH. Repeatable."),
    ] = None,
    first: Annotated[int | None, typer.Option(help="Use only the first N pairs.")] = None,
    time_on: Annotated[int, typer.Option(help="Time each system on N sentences; 0: do not.")] = 100,
    sweep_on: Annotated[
        int, typer.Option(help="Sweep figures 3 and 4 over the first N pairs.")
    ] = 1000,
    blind: Annotated[
        bool, typer.Option("--blind", help="With table3: write a blind voting sheet and its key.")
    ] = False,
    votes: Annotated[
        list[Path] | None,
        typer.Option(help="With table3: filled-in voting sheets to count. Repeatable."),
    ] = None,
    study: Annotated[
        Path | None, typer.Option(help="With table3: a study of nacc study to count.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Where tables and figures are written.")] = Path(
        "reproduction"
    ),
) -> None:
    """Run what the paper ran and print ours beside the paper's figures."""
    if data is not None:
        os.environ["NACC_DATA"] = str(data)
    if what not in (*PARTS, "all"):
        raise InvalidInput(f"cannot reproduce {what!r}; known: {', '.join(PARTS)}, all")
    settings = ReproductionSettings(
        data={
            "gigaword": gigaword or Path("gigaword-test" if report else "gigaword-dev"),
            "duc": duc or Path("duc2004" if report else "duc2003"),
        },
        report=report,
        out=out,
        first=first,
        time_on=time_on,
        sweep_on=sweep_on,
        blind=blind,
        votes=tuple(votes or ()),
        study=study,
    )
    folders: dict[Setting, Path | None]
    folders = {"supervised": supervised, "unsupervised": unsupervised}
    outputs, of_rows = parse_outputs(output or ()), parse_networks(model or ())
    console = Console()
    with Console(stderr=True).status("starting") as status:
        reproduction = Reproduction(
            open_networks(folders),
            outputs,
            network_notes(folders),
            of_rows,
            find_search_model(search_model, out, status.update) if what in SEARCHED else None,
            parse_beside(row or ()),
            status.update,
        )
        for part in PARTS if what == "all" else (what,):
            for shown in reproduce_part(part, reproduction, settings):
                console.print(shown)
    console.print(f"written to {out}; {machine()}", style="dim", highlight=False)
