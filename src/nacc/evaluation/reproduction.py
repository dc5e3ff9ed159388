"""Ours beside the paper's: run what can be run, and say of the rest what it would need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from nacc.data.datasets import Dataset, read_lines
from nacc.errors import InvalidInput, NaccError
from nacc.evaluation.paper import TABLES, PaperRow, PaperTable, Setting
from nacc.evaluation.report import EvaluationProtocol, ReportRow, run_systems
from nacc.evaluation.systems import (
    BASELINES,
    OUR_METHODS,
    PAPER_METHODS,
    Decoding,
    OutputFile,
    Readings,
    System,
    Tell,
    runs_on,
    silent,
)
from nacc.length.budget import Budget
from nacc.options import Options

if TYPE_CHECKING:
    from nacc.summarizer import Summarizer

STAND_INS: dict[Setting, str] = {"supervised": "default", "unsupervised": "extractive"}
"""Packaged networks, trained on other data than the paper's: the rows say so."""


@dataclass(frozen=True, eq=False)
class ReproducedRow:
    """A line of a table: the paper's row (None: a row of ours alone) and ours (None: not run)."""

    label: str
    setting: str
    paper: PaperRow | None
    ours: ReportRow | None
    note: str = ""
    delta: float | None = None  # ours against our run of the paper's baseline, where there is one


@dataclass(frozen=True)
class MeasuredKey:
    """What a measured row depends on; without a model, it is the same in every setting."""

    system: str
    setting: str
    data: str
    pairs: int
    budget: Budget

    @classmethod
    def of(
        cls, system: System, setting: str, data: Dataset, protocol: EvaluationProtocol
    ) -> MeasuredKey:
        its = setting if isinstance(system, Decoding) else ""
        return cls(system.name, its, data.name, len(data), protocol.budget)


@dataclass
class Reproduction:
    """The models there are, and rows already measured, so that no table measures them again.

    outputs:  other systems' outputs, by table and row.
    networks: what to say of each model under the paper's rows that it stands in for.
    """

    models: Mapping[Setting, Summarizer]
    outputs: Mapping[tuple[str, int], System]
    networks: Mapping[Setting, str] = field(default_factory=dict)
    tell: Tell = silent

    def __post_init__(self) -> None:
        self._measured: dict[MeasuredKey, ReportRow] = {}
        self.readings = Readings()

    def table(
        self, table: PaperTable, data: Dataset, protocol: EvaluationProtocol
    ) -> list[ReproducedRow]:
        """Every row of the table, then ours on each model."""
        runs: list[tuple[ReproducedRow, System | None]] = []
        for row in table.rows:
            system, note = self._system(table, row)
            runs.append((ReproducedRow(row.approach, row.setting, row, None, note), system))
        in_table = {row.setting for row in table.rows}
        for setting, model in self.models.items():
            for decoding in _decodings(model, () if setting in in_table else PAPER_METHODS):
                added = ReproducedRow(f"ours: {decoding.name}", setting, None, None)
                runs.append((added, decoding))
        self._measure([(s, added.setting) for added, s in runs if s], data, protocol)
        rows = [
            replace(row, ours=self._measured[MeasuredKey.of(system, row.setting, data, protocol)])
            if system
            else row
            for row, system in runs
        ]
        order = list(dict.fromkeys(row.setting for row in rows))
        rows.sort(key=lambda row: order.index(row.setting))
        return _with_deltas(rows, table)

    def decodings(self, data: Dataset, protocol: EvaluationProtocol) -> list[ReportRow]:
        """Every way of decoding on each model there is."""
        decodings = [
            (decoding, setting)
            for setting, model in self.models.items()
            for decoding in _decodings(model, PAPER_METHODS)
        ]
        self._measure(decodings, data, protocol)
        rows = []
        for decoding, setting in decodings:
            row = self._measured[MeasuredKey.of(decoding, setting, data, protocol)]
            name = row.name if len(self.models) == 1 else f"{row.name}, {setting}"
            rows.append(replace(row, name=name))
        return rows

    def swept(self) -> tuple[Setting, Summarizer]:
        """The paper sweeps its unsupervised model; any other with ε is better than none."""
        settings: tuple[Setting, ...] = ("unsupervised", "supervised")
        for setting in settings:
            model = self.models.get(setting)
            if model is not None and runs_on("bucketed", model):
                return setting, model
        raise InvalidInput("figures need a CTC model: --unsupervised DIR or --supervised DIR")

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
        if not runs_on(row.system, model):
            return None, "not run: needs MODEL (CTC; this one has linked slots)"
        return Decoding.by(row.system, model), self.networks.get(row.setting, "")

    def _measure(
        self,
        systems: Sequence[tuple[System, str]],
        data: Dataset,
        protocol: EvaluationProtocol,
    ) -> None:
        """Measure what was not measured before."""
        keyed = {MeasuredKey.of(each, of, data, protocol): each for each, of in systems}
        new = {key: system for key, system in keyed.items() if key not in self._measured}
        rows = run_systems(
            list(new.values()), data, protocol, readings=self.readings, tell=self.tell
        )
        self._measured |= zip(new, rows, strict=True)


def _decodings(model: Summarizer, papers: Sequence[str]) -> list[Decoding]:
    """The paper's ways of decoding that are asked for, then ours; a linked model as it is."""
    able = [name for name in (*papers, *OUR_METHODS) if runs_on(name, model)]
    if not able:
        return [Decoding.as_it_is(model, Options(), "linked")]
    return [Decoding.by(name, model) for name in able]


def _with_deltas(rows: Sequence[ReproducedRow], table: PaperTable) -> list[ReproducedRow]:
    totals = {
        row.setting: row.ours.total
        for row in rows
        if row.paper and row.ours and row.paper.number in table.baselines
    }
    return [
        replace(row, delta=row.ours.total - totals[row.setting])
        if row.ours and row.setting in totals
        else row
        for row in rows
    ]


def open_networks(
    given: Mapping[Setting, Path | None],
) -> tuple[dict[Setting, Summarizer], list[str]]:
    """The models of the settings, packaged ones where no folder is given; and what is to be said
    of packaged ones that are missing, which is not fatal."""
    from nacc.summarizer import Summarizer

    models: dict[Setting, Summarizer] = {}
    missing = []
    for setting, path in given.items():
        try:
            models[setting] = Summarizer.load(path or STAND_INS[setting])
        except NaccError as error:
            if path is not None:
                raise
            missing.append(f"no packaged model: {error}")
    return models, missing


def network_notes(given: Mapping[Setting, Path | None]) -> dict[Setting, str]:
    """What stands under a row that is ours: on which network it was run."""
    return {
        setting: f"network: {path}" if path else f"our network: {STAND_INS[setting]}"
        for setting, path in given.items()
    }


def parse_outputs(specs: Sequence[str]) -> dict[tuple[str, int], System]:
    """Other systems' outputs for rows of the tables, from "table1.7=PATH"."""
    found: dict[tuple[str, int], System] = {}
    for spec in specs:
        row, equals, path = spec.partition("=")
        name, _, number = row.partition(".")
        known = name in TABLES and number in {str(each.number) for each in TABLES[name].rows}
        if not equals or not known:
            raise InvalidInput(f"--output {spec!r} must read table1.7=PATH, a row of a table")
        found[name, int(number)] = OutputFile(path, tuple(read_lines(Path(path))), to_cut=True)
    return found
