"""Ours beside the paper's: run what can be run, and say of the rest what it would need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from nacc.data.datasets import Dataset
from nacc.errors import InvalidInput
from nacc.evaluation.paper import FurtherRow, PaperRow, PaperTable, Setting
from nacc.evaluation.published import AsReleased, Searched, WordControlled
from nacc.evaluation.report import EvaluationProtocol, ReportRow, run_systems
from nacc.evaluation.row_models import Beside, RowName, RowNetwork
from nacc.evaluation.systems import (
    BASELINES,
    OUR_METHODS,
    PAPER_METHODS,
    RIVAL,
    Baseline,
    Decoding,
    Readings,
    System,
    Tell,
    option_given,
    parse_system,
    runs_on,
    silent,
)
from nacc.length.budget import Budget
from nacc.options import Options

if TYPE_CHECKING:
    from nacc.search import SearchModel
    from nacc.summarizer import Summarizer

_FIGURE_4_RIVAL, _FIGURE_4_NAME = 9, "Su et al."  # of table 1


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
        its = "" if isinstance(system, (Baseline, Searched)) else setting
        return cls(system.name, its, data.name, len(data), protocol.budget)


@dataclass
class Reproduction:
    """The models there are, and rows already measured, so that no table measures them again.

    outputs:  other systems' outputs, by table and row.
    networks: what to say of each model under the paper's rows that it stands in for.
    of_rows:  the network of a row, by table and row: a rival's, or one in place of the setting's.
    search:   what the search judges by; None: its rows are not run.
    beside:   further systems of a setting, for one table or every one.
    """

    models: Mapping[Setting, Summarizer]
    outputs: Mapping[RowName, System] = field(default_factory=dict)
    networks: Mapping[Setting, str] = field(default_factory=dict)
    of_rows: Mapping[RowName, RowNetwork] = field(default_factory=dict)
    search: SearchModel | None = None
    beside: Sequence[Beside] = ()
    tell: Tell = silent

    def __post_init__(self) -> None:
        self._measured: dict[MeasuredKey, ReportRow] = {}
        self._opened: dict[Path, Summarizer] = {}
        self.readings = Readings()

    def table(
        self, table: PaperTable, data: Dataset, protocol: EvaluationProtocol
    ) -> list[ReproducedRow]:
        """Every row of the table, then ours on each model."""
        runs: list[tuple[ReproducedRow, System | None]] = []
        for row in table.rows:
            given = self.outputs.get((table.name, row.number))
            system, note = (given, f"outputs of {given.name}") if given else self._row(table, row)
            runs.append((ReproducedRow(row.approach, row.setting, row, None, note), system))
        for further in table.further:
            system, note = self._row(table, further)
            added = ReproducedRow(further.approach, further.setting, None, None, note)
            runs.append((added, system))
        in_table = {row.setting for row in table.rows}
        for setting, model in self.models.items():
            for decoding in _decodings(model, () if setting in in_table else PAPER_METHODS):
                added = ReproducedRow(f"ours: {decoding.name}", setting, None, None)
                runs.append((added, decoding))
        for setting, beside, only in self.beside:
            if only in (None, table.name):
                label = f"ours: {beside.name}" if isinstance(beside, Decoding) else beside.name
                runs.append((ReproducedRow(label, setting, None, None), beside))
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

    def swept(self) -> tuple[Setting, Summarizer]:
        """The paper sweeps its unsupervised model; any other with ε is better than none."""
        settings: tuple[Setting, ...] = ("unsupervised", "supervised")
        for setting in settings:
            model = self.models.get(setting)
            if model is not None and runs_on("bucketed", model):
                return setting, model
        raise InvalidInput("figures need a CTC model: --unsupervised DIR or --supervised DIR")

    def linked(self) -> list[Summarizer]:
        """The models whose slots are linked, those of systems beside among them."""
        beside = [each.system.model for each in self.beside if isinstance(each.system, Decoding)]
        found = dict.fromkeys([*self.models.values(), *beside])
        return [model for model in found if not runs_on("bucketed", model)]

    def transferred(self) -> list[System]:
        """What figure 4 has beside the swept model: linked slots, and Su et al.'s where it is."""
        beside = [each.system for each in self.beside if each.table in (None, "table1")]
        linked: list[System] = [
            system for system in beside if isinstance(system, Decoding) and system.anew
        ]
        linked = linked or [
            Decoding.as_it_is(model, Options(), "linked") for model in self.linked()
        ]
        network = self.of_rows.get(("table1", _FIGURE_4_RIVAL))
        if network is None:
            return linked
        spec = network.system("control=truncate")
        return [*linked, parse_system(f"{_FIGURE_4_NAME}:={spec}", _no_model)]

    def _row(self, table: PaperTable, row: PaperRow | FurtherRow) -> tuple[System | None, str]:
        """What answers to a row, and what is to be said of it; None if something is missing."""
        kind, _, options = row.system.partition(":")
        number = row.number if isinstance(row, PaperRow) else row.like
        network = None if number is None else self.of_rows.get((table.name, number))
        if kind in BASELINES:
            return BASELINES[kind], ""
        if kind == "search":
            return self._searched(options)
        if kind != RIVAL:
            return self._decoding(row, network)
        if network is None:
            return None, f"not run: needs --model {table.name}.{number}=DIR"
        spec = network.system(options)
        return parse_system(f"{row.approach}, {spec}:={spec}", _no_model), network.note(
            row.approach
        )

    def _searched(self, options: str) -> tuple[System | None, str]:
        if self.search is None:
            return None, "not run: needs SEARCH"
        given = dict(option_given(part, options) for part in filter(None, options.split(",")))
        return Searched(f"search:{options}", self.search, **given), ""

    def _model(self, setting: Setting, network: RowNetwork | None) -> tuple[Summarizer | None, str]:
        if network is None:
            return self.models.get(setting), self.networks.get(setting, "")
        folder, options = network
        if options:
            raise InvalidInput(f"{options!r}: the row of {folder} says itself how it is decoded")
        if folder not in self._opened:
            from nacc.summarizer import Summarizer

            self._opened[folder] = Summarizer.load(folder)
        return self._opened[folder], f"network: {folder}"

    def _decoding(
        self, row: PaperRow | FurtherRow, network: RowNetwork | None
    ) -> tuple[System | None, str]:
        model, note = self._model(row.setting, network)
        if model is None:
            return None, "not run: needs MODEL"
        if not runs_on("bucketed", model):
            return None, "not run: needs MODEL (CTC; this one has linked slots)"
        kind, _, options = row.system.partition(":")
        name = row.system if network is None else f"{row.system}, {network.folder}"
        if kind == "released":
            return AsReleased(name, model), note
        if kind == "naus":
            return WordControlled(name, model, int(options.removeprefix("words="))), note
        return Decoding.by(kind, model, name=name), note

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


def _no_model(name: str | None) -> Summarizer:
    raise InvalidInput("a rival brings its own network")
