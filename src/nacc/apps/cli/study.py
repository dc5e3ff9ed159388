"""`nacc study`: people say which of two systems' headlines is better (the paper's table 3)."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from nacc.errors import InvalidInput
from nacc.length.budget import Budget

if TYPE_CHECKING:
    from nacc.evaluation.study import Pair, Study


def study(
    file: Annotated[
        Path | None, typer.Argument(help="The study, an SQLite file; without it, what one needs.")
    ] = None,
    *,
    sheet: Annotated[
        Path | None,
        typer.Option(help="New, from a sheet of nacc blind or nacc reproduce table3 --blind."),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="With --sheet: the two systems to compare, or their names. Twice."),
    ] = None,
    sources: Annotated[Path | None, typer.Option(help="New, on these: a source a line.")] = None,
    system: Annotated[
        list[str] | None, typer.Option(help="With --sources, as for nacc evaluate. Twice or more.")
    ] = None,
    budget: Annotated[
        list[str] | None, typer.Option(help="With --sources. Repeatable. Default: 50.")
    ] = None,
    count: Annotated[int, typer.Option(help="With --sources: draw so many of them.")] = 150,
    each: Annotated[int, typer.Option(help="New: pairs a judge is asked; 0: all.")] = 0,
    check_every: Annotated[
        int, typer.Option(help="New: one turn in so many is an attention check; 0: none.")
    ] = 10,
    seed: Annotated[int, typer.Option(help="New: what is drawn by.")] = 0,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0: all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0: any free one.")] = 8000,
    invitation: Annotated[
        str | None, typer.Option(help="A word that judges must know to begin.")
    ] = None,
    results: Annotated[bool, typer.Option("--results", help="Say what was answered.")] = False,
    export: Annotated[Path | None, typer.Option(help="Write every answer to this CSV.")] = None,
    json: Annotated[bool, typer.Option("--json", help="With --results: as JSON.")] = False,
) -> None:
    """Ask people which of two systems' headlines is better, on a page; say what they said.

    A new study is made from a sheet, or from sources and systems; one that is there goes on. The
    page is served until Ctrl-C; --results and --export only read. Without FILE: how many judgements
    a study needs, by how strong the preference is.

    \b
    Examples:
      nacc study
      nacc study my.db --sources texts.txt --system default --system lead
      nacc study my.db --host 0.0.0.0 --invitation tulip
      nacc study my.db --results --export answers.csv
    """
    from nacc.evaluation.study import Study
    from nacc.evaluation.study_pairs import with_checks, without_twins
    from nacc.evaluation.study_results import planning_cells
    from nacc.evaluation.tables import piped

    if file is None:
        typer.echo("\n".join(piped(planning_cells())))
        return
    if results or export is not None:
        _report(Study(file), results, export, json)
        return
    if sheet is None and sources is None:
        opened = Study(file)
    else:
        asked = _pairs(sheet, name or (), sources, (system or (), budget or ("50",)), (count, seed))
        pairs = without_twins(asked)
        typer.echo(f"{len(pairs)} pairs; {len(asked) - len(pairs)} more are the same from both")
        pairs = with_checks(pairs, check_every, seed) if pairs else pairs
        opened = Study.make(file, pairs, each=each, check_every=check_every or 10, seed=seed)
    from nacc.apps.study.app import run

    run(opened, host, port, invitation, lambda url: typer.echo(f"listening on {url}"))


def _pairs(
    sheet: Path | None,
    names: list[str] | tuple[str, ...],
    sources: Path | None,
    systems: tuple[list[str] | tuple[str, ...], list[str] | tuple[str, ...]],
    draw: tuple[int, int],
) -> list[Pair]:
    from nacc.evaluation import runs
    from nacc.evaluation.study_pairs import pairs_of_outputs, pairs_of_sheet

    if len(names) not in (0, 2):
        raise InvalidInput("--name twice, or not at all")
    if sheet is not None:
        return pairs_of_sheet(sheet, names)
    specs, budgets = systems
    if sources is None or len(specs) < 2:
        raise InvalidInput("--sources needs at least two --system to compare")
    texts = runs.read_sources(sources)
    with Console(stderr=True).status("starting") as status:
        said = runs.run_at(specs, texts, [Budget.of(b) for b in budgets], tell=status.update)
    return pairs_of_outputs(texts, said, *draw)


def _report(opened: Study, results: bool, export: Path | None, json: bool) -> None:
    from nacc.evaluation.study_results import StudyResults, answer_records
    from nacc.evaluation.tables import as_csv

    answers = opened.answers()
    found = StudyResults(answers)
    if results:
        record = json_format.dumps(found.record(), indent=1)
        typer.echo(record if json else found.markdown())
    if export is not None:
        export.write_text(as_csv(answer_records(answers)), "utf-8")
        typer.echo(f"{len(answers)} answers in {export}")
