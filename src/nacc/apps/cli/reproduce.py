"""`nacc reproduce`: the paper's tables and figures, ours beside its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from nacc.apps.cli.evaluate import model_loader
from nacc.data.datasets import Dataset, data_folder, load, read_lines
from nacc.errors import InvalidInput, NaccError
from nacc.evaluation import human, paper, report, reproduction, sweeps, tables, timing
from nacc.evaluation.systems import Model, OutputFile, System, of_model

PACKAGED: dict[paper.Setting, str] = {"supervised": "default", "unsupervised": "extractive"}
"""Networks of our own, trained on other data than the paper's: the rows say so."""
PARTS = ("table1", "table2", "table3", "table4", "figure3", "figure4", "speed")


@dataclass(frozen=True)
class Run:
    """What one call of the command works with."""

    gigaword: Path
    duc: Path
    first: int | None
    time_on: int
    sweep_on: int
    out: Path
    models: dict[paper.Setting, Model]
    networks: dict[paper.Setting, str]
    outputs: dict[tuple[str, int], System]
    progress: Callable[[str], None]

    def data(self, kind: str) -> Dataset:
        path = self.gigaword if kind == "gigaword" else self.duc
        if not path.exists():
            raise InvalidInput(f"{path} does not exist; name your copy with --{kind} PATH")
        return load(path).first(self.first)

    def swept(self) -> tuple[paper.Setting, Model]:
        """The paper sweeps its unsupervised model; any other is better than none."""
        settings: tuple[paper.Setting, ...] = ("unsupervised", "supervised")
        for setting in settings:
            if setting in self.models:
                return setting, self.models[setting]
        raise InvalidInput("figures need a model: --unsupervised DIR or --supervised DIR")


def reproduce(
    what: Annotated[str, typer.Argument(help=f"{', '.join(PARTS)}, or all.")],
    *,
    gigaword: Annotated[
        Path | None, typer.Option(help="Gigaword: a folder, an article file or a .tsv.")
    ] = None,
    duc: Annotated[
        Path | None, typer.Option(help="DUC: a folder with input and references.")
    ] = None,
    supervised: Annotated[
        Path | None, typer.Option(help="Model trained on headlines. Default: packaged, “default”.")
    ] = None,
    unsupervised: Annotated[
        Path | None,
        typer.Option(help="Model trained on search outputs. Default: packaged, “extractive”."),
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
    out: Annotated[Path, typer.Option(help="Where tables and figures are written.")] = Path(
        "reproduction"
    ),
) -> None:
    """Run what the paper ran and print ours beside the paper's figures."""
    if what not in (*PARTS, "all"):
        raise InvalidInput(f"cannot reproduce {what!r}; known: {', '.join(PARTS)}, all")
    console = Console()
    given: dict[paper.Setting, Path | None]
    given = {"supervised": supervised, "unsupervised": unsupervised}
    with Console(stderr=True).status("starting") as status:
        run = Run(
            gigaword=gigaword or data_folder() / "gigaword" / "dev.tsv",
            duc=duc or data_folder() / "duc2003",
            first=first,
            time_on=time_on,
            sweep_on=sweep_on,
            out=out,
            models=_models(given, console),
            networks={
                setting: f"network: {path}" if path else f"our network: {PACKAGED[setting]}"
                for setting, path in given.items()
            },
            outputs=_outputs(output or []),
            progress=status.update,
        )
        results = reproduction.Reproduction(
            run.models, run.outputs, run.progress, networks=run.networks
        )
        for part in PARTS if what == "all" else (what,):
            if part in paper.TABLES:
                _table(paper.TABLES[part], results, run, console)
            elif part == "table3":
                _table_3(run, blind, votes or [], console)
            else:
                _figure(part, results, run, console)
    console.print(f"written to {out}; {timing.machine()}", style="dim", highlight=False)


def _models(
    given: dict[paper.Setting, Path | None], console: Console
) -> dict[paper.Setting, Model]:
    """The models asked for; a missing packaged one is said, not fatal."""
    models: dict[paper.Setting, Model] = {}
    for setting, path in given.items():
        try:
            models[setting] = model_loader(path or Path(PACKAGED[setting]))(None)
        except NaccError as error:
            if path is not None:
                raise
            console.print(f"no packaged model: {error}", style="yellow")
    return models


def _outputs(specs: Sequence[str]) -> dict[tuple[str, int], System]:
    found: dict[tuple[str, int], System] = {}
    for spec in specs:
        row, equals, path = spec.partition("=")
        name, _, number = row.partition(".")
        known = name in paper.TABLES and number in {str(r.number) for r in paper.TABLES[name].rows}
        if not equals or not known:
            raise InvalidInput(f"--output {spec!r} must read table1.7=PATH, a row of a table")
        found[name, int(number)] = OutputFile(path, tuple(read_lines(Path(path))), cut=True)
    return found


def _table(
    table: paper.PaperTable, results: reproduction.Reproduction, run: Run, console: Console
) -> None:
    data = run.data(table.data)
    protocol = replace(report.Protocol.of(data), time_on=run.time_on)
    found = results.table(table, data, protocol)
    title = f"{table.name}: {table.caption}; ours on {data.name}, {len(data)} pairs"
    console.print(reproduction.as_table(found, title))
    _write(run.out, table.name, reproduction.as_records(found))
    text = reproduction.as_markdown(found, title) + f"\n{timing.machine()}\n"
    (run.out / f"{table.name}.md").write_text(text, "utf-8")


def _table_3(run: Run, blind: bool, votes: Sequence[Path], console: Console) -> None:
    found = reproduction.table_3()
    if votes:
        found = _counted(run.out, votes)
    header = ["", "Unit", "Wins", "Ties", "Losses", "p", "p in the paper"]
    cells = [
        [
            row["criterion"], row["unit"], str(row["wins"]), str(row["ties"]), str(row["losses"]),
            f"{row['p_value']:.2g}",
            f"{row['paper_p_value']:g}" if row.get("paper_p_value") else "–",
        ]
        for row in found
    ]  # fmt: skip
    shown = Table(
        *header, title="table3", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False
    )
    for line in cells:
        shown.add_row(*line)
    console.print(shown)
    _write(run.out, "table3", found)
    text = "\n".join(["## table3: human evaluation", "", *tables.piped([header, *cells]), ""])
    (run.out / "table3.md").write_text(text, "utf-8")
    if blind:
        data = run.data("gigaword")
        setting, model = run.swept()
        budget = report.Protocol.of(data).budget
        run.progress(f"outputs of the {setting} model for the voting sheet")
        ours, theirs = (
            [output.text for output in of_model(method, model).run(data.sources, budget)]
            for method in ("bucketed", "truncate")
        )
        sheet, key = human.blind(data.sources, ours, theirs, paper.TABLE_3_SAMPLES)
        (run.out / "votes.csv").write_text(tables.as_csv(sheet), "utf-8")
        (run.out / "votes.key.json").write_text(json.dumps(key) + "\n", "utf-8")
        console.print(f"fill in {run.out / 'votes.csv'} with A, B or tie; then --votes it")


def _counted(out: Path, votes: Sequence[Path]) -> list[dict[str, Any]]:
    key_file = out / "votes.key.json"
    if not key_file.is_file():
        raise InvalidInput(f"{key_file} is missing: the key that --blind wrote there")
    key = json.loads(key_file.read_text("utf-8"))
    sheets = [human.read_votes(path) for path in votes]
    return [
        {"criterion": criterion, **asdict(tally), "p_value": tally.p_value}
        for criterion in human.CRITERIA
        for tally in human.tally(sheets, key, criterion)
    ]


def _figure(part: str, results: reproduction.Reproduction, run: Run, console: Console) -> None:
    from nacc.evaluation import figures

    data = run.data("gigaword")
    if part != "speed":
        data = data.first(run.sweep_on)
    protocol = replace(report.Protocol.of(data), time_on=run.time_on)
    setting, model = run.swept()
    shared: dict[str, Any] = {"readings": results.readings, "progress": run.progress}
    if part == "figure3":
        buckets = sweeps.bucket_sweep(model, data, protocol, **shared)
        files = figures.bucket_size(buckets, run.out) + figures.score_lost(buckets, run.out)
    elif part == "figure4":
        budgets = sweeps.budget_sweep(model, data, protocol, **shared)
        files = figures.length_transfer(budgets, run.out)
    else:
        files = figures.quality_and_speed(results.decodings(data, protocol), run.out)
    drawn = ", ".join(path.name for path in files)
    shown = run.models if part == "speed" else (setting,)
    of = " and ".join(f"{setting} ({run.networks[setting]})" for setting in shown)
    console.print(f"{part}: {of}, {data.name}, {len(data)} pairs: {drawn}")


def _write(out: Path, name: str, records: list[dict[str, Any]]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    about = asdict(timing.machine())
    text = json.dumps({"machine": about, "rows": records}, indent=1) + "\n"
    (out / f"{name}.json").write_text(text, "utf-8")
    (out / f"{name}.csv").write_text(tables.as_csv(records), "utf-8")
