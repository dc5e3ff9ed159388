"""Ours beside the paper's: run what can be run, and say of the rest what it would need."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from nacc.data.datasets import Dataset
from nacc.evaluation import report
from nacc.evaluation.human import sign_test
from nacc.evaluation.paper import (
    TABLE_3,
    TABLE_3_ANNOTATORS,
    TABLE_3_SAMPLES,
    PaperRow,
    PaperTable,
    Setting,
)
from nacc.evaluation.systems import BASELINES, Model, Readings, System, of_model

PAPERS = ("truncate", "bucketed")
OURS = ("exact", "coherent")  # what the paper does not have, on the same models
LEGEND = (
    "paper: as printed, on its test set and machine. ours: on the data named above. "
    "our network: a packaged model, decoded the paper's way; its architecture and its training "
    "data are not the paper's. "
    "OUTPUTS: --output TABLE.ROW=PATH. MODEL: --supervised or --unsupervised DIR."
)


@dataclass(frozen=True, eq=False)
class Result:
    """A line of a table: the paper's row (None: a row of ours alone) and ours (None: not run)."""

    label: str
    setting: str
    paper: PaperRow | None
    ours: report.Row | None
    note: str = ""
    delta: float | None = None  # ours against our run of the paper's baseline, where there is one


@dataclass
class Reproduction:
    """The models there are, and rows already measured, so that no table measures them again.

    networks: what to say of each model under the paper's rows that it stands in for.
    """

    models: Mapping[Setting, Model]
    outputs: Mapping[tuple[str, int], System]
    progress: Callable[[str], None] = lambda doing: None
    networks: Mapping[Setting, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._measured: dict[tuple[Any, ...], report.Row] = {}
        self.readings = Readings()

    def table(self, table: PaperTable, data: Dataset, protocol: report.Protocol) -> list[Result]:
        """Every row of the table, then ours on each model."""
        runs: list[tuple[Result, System | None]] = []
        for row in table.rows:
            system, note = self._system(table, row)
            runs.append((Result(row.approach, row.setting, row, None, note), system))
        in_table = {row.setting for row in table.rows}
        for setting, model in self.models.items():
            for name in OURS if setting in in_table else (*PAPERS, *OURS):
                runs.append((Result(f"ours: {name}", setting, None, None), of_model(name, model)))
        self._measure([(s, result.setting) for result, s in runs if s], data, protocol)
        results = [
            replace(result, ours=self._measured[_key(system, result.setting, data, protocol)])
            if system
            else result
            for result, system in runs
        ]
        order = list(dict.fromkeys(result.setting for result in results))
        results.sort(key=lambda result: order.index(result.setting))
        return _with_deltas(results, table)

    def decodings(self, data: Dataset, protocol: report.Protocol) -> list[report.Row]:
        """Every way of decoding on each model there is."""
        systems = [
            (of_model(method, model), setting)
            for setting, model in self.models.items()
            for method in (*PAPERS, *OURS)
        ]
        self._measure(systems, data, protocol)
        rows = []
        for system, setting in systems:
            row = self._measured[_key(system, setting, data, protocol)]
            name = row.name if len(self.models) == 1 else f"{row.name}, {setting}"
            rows.append(replace(row, name=name))
        return rows

    def _system(self, table: PaperTable, row: PaperRow) -> tuple[System | None, str]:
        given = self.outputs.get((table.name, row.number))
        if given is not None:
            return given, f"outputs of {given.name}"
        if row.system is None:
            return None, "not run: needs OUTPUTS"
        if row.system in BASELINES:
            return BASELINES[row.system], ""
        model = self.models.get(row.setting)
        if model is None:
            return None, "not run: needs MODEL"
        return of_model(row.system, model), self.networks.get(row.setting, "")

    def _measure(
        self, systems: Sequence[tuple[System, str]], data: Dataset, protocol: report.Protocol
    ) -> None:
        """Measure what was not measured before."""
        new = {_key(system, setting, data, protocol): system for system, setting in systems}
        for key in new.keys() & self._measured.keys():
            del new[key]
        rows = report.measure(
            list(new.values()), data, protocol, readings=self.readings, progress=self.progress
        )
        self._measured |= zip(new, rows, strict=True)


def _key(system: System, setting: str, data: Dataset, protocol: report.Protocol) -> tuple[Any, ...]:
    """What a measured row depends on; without a model, it is the same in every setting."""
    settings = setting if system.model else ""
    return system.name, settings, data.name, len(data), str(protocol.budget)


def _with_deltas(results: Sequence[Result], table: PaperTable) -> list[Result]:
    totals = {
        result.setting: result.ours.total
        for result in results
        if result.paper and result.ours and result.paper.number in table.baselines
    }
    return [
        replace(result, delta=result.ours.total - totals[result.setting])
        if result.ours and result.setting in totals
        else result
        for result in results
    ]


def as_table(results: Sequence[Result], title: str) -> Table:
    """The paper's figures, ours under them, row by row."""
    table = Table(
        title=title, title_justify="left", box=box.SIMPLE_HEAD, collapse_padding=True,
        pad_edge=False, caption_justify="left",
        caption=LEGEND,
    )  # fmt: skip
    table.add_column("#", justify="right")
    table.add_column("Approach", overflow="fold", min_width=16)
    table.add_column("", no_wrap=True)
    for name in ("Len", "R-1", "R-2", "R-L", "ΔR", "s/sent"):
        table.add_column(name, justify="right", no_wrap=True)
    setting = ""
    for result in results:
        if result.setting != setting:
            setting = result.setting
            table.add_section()
            table.add_row("", Text(setting, style="italic"))
        paper, ours = result.paper, result.ours
        label = Text(result.label)
        if paper:
            table.add_row(str(paper.number), label, "paper", *_paper_cells(paper), style="dim")
        if ours:
            table.add_row("", "" if paper else label, "ours", *_our_cells(result, ours))
        if result.note:
            table.add_row("", Text(result.note, style="yellow"))
    return table


def as_markdown(results: Sequence[Result], title: str) -> str:
    lines = [
        f"## {title}",
        "",
        "| # | Setting | Approach | | Len | R-1 | R-2 | R-L | ΔR | s/sent | |",
        "| ---: | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    for result in results:
        number = str(result.paper.number) if result.paper else ""
        head = f"| {number} | {result.setting} | {result.label} |"
        if result.paper:
            note = "" if result.ours else result.note
            lines.append(f"{head} paper | {' | '.join(_paper_cells(result.paper))} | {note} |")
        if result.ours:
            cells = " | ".join(_our_cells(result, result.ours))
            lines.append(f"{head} ours | {cells} | {result.note} |")
    return "\n".join([*lines, "", LEGEND, ""])


def as_records(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Flat records: the paper's figures as paper_*, ours as ours_*."""
    found = []
    for result in results:
        record: dict[str, Any] = {"approach": result.label, "setting": result.setting}
        if result.paper:
            record |= {f"paper_{key}": value for key, value in asdict(result.paper).items()}
        if result.ours:
            ours = result.ours
            record |= {
                "ours_length": ours.qualities.length,
                "ours_r1": ours.r1.value,
                "ours_r2": ours.r2.value,
                "ours_rl": ours.rl.value,
                "ours_total": ours.total,
                "ours_delta": result.delta,
                "ours_within_budget": ours.qualities.within_budget,
                "ours_seconds": ours.timing.single.median if ours.timing else None,
            }
        found.append(record | {"note": result.note})
    return found


def table_3() -> list[dict[str, Any]]:
    """The human evaluation's p-values, recomputed from its percentages for each plain unit."""
    found = []
    for row in TABLE_3:
        for unit, n in (
            (
                f"vote ({TABLE_3_SAMPLES * TABLE_3_ANNOTATORS})",
                TABLE_3_SAMPLES * TABLE_3_ANNOTATORS,
            ),
            (f"sample ({TABLE_3_SAMPLES})", TABLE_3_SAMPLES),
        ):
            wins, losses = round(n * row.wins / 100), round(n * row.losses / 100)
            found.append(
                {
                    "criterion": row.criterion,
                    "unit": unit,
                    "wins": wins,
                    "ties": n - wins - losses,
                    "losses": losses,
                    "p_value": sign_test(wins, losses),
                    "paper_p_value": row.p_value,
                }
            )
    return found


def _paper_cells(row: PaperRow) -> list[str]:
    figures = (row.length, row.r1, row.r2, row.rl)
    cells = ["–" if value is None else f"{value:.2f}" for value in figures]
    return [*cells, _signed(row.delta), "–" if row.seconds is None else f"{row.seconds:.3f}"]


def _our_cells(result: Result, row: report.Row) -> list[str]:
    cells = [f"{v:.2f}" for v in (row.qualities.length, row.r1.value, row.r2.value, row.rl.value)]
    return [
        *cells,
        _signed(result.delta),
        "–" if row.timing is None else f"{row.timing.single.median:.4f}",
    ]


def _signed(delta: float | None) -> str:
    return "–" if delta is None else f"{delta:+.2f}" if delta else "0"
