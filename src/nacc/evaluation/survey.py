"""The same systems on several data sets, side by side; the ablation of the linked model is one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from nacc.data.datasets import locate
from nacc.errors import InvalidInput
from nacc.evaluation.evaluation import Evaluation, EvaluationSettings, model_opener
from nacc.evaluation.report import ReportRow
from nacc.evaluation.systems import AS_IT_IS, Tell, option_given, silent
from nacc.evaluation.tables import as_csv, piped, records

_PARTS: dict[str, dict[str, float]] = {
    "linked, best path": {"expected_words": 0, "expected_pairs": 0, "rerank": 0},
    "+ expected words": {"expected_pairs": 0, "rerank": 0},
    "+ expected pairs": {"rerank": 0},
    "+ sum over paths": {"rerank": 20, "rerank_weight": 0},
    "+ re-ranking": {"rerank": 20},
}
"""The linked model, a part more each time: its folder's options, but for these."""
_LEGEND = "R-1 / R-2 / R-L; the best sum of the three in bold."


def ablation(ctc: Path) -> tuple[str, ...]:
    """Systems: a CTC model as it is, then the model that is evaluated, a part more each time."""
    rows = {
        name: ",".join(f"{option}={value}" for option, value in asked.items())
        for name, asked in _PARTS.items()
    }
    return (
        f"CTC, coherent:={AS_IT_IS}:model={ctc}",
        *(f"{name}:={AS_IT_IS}:{asked}" for name, asked in rows.items()),
    )


@dataclass(frozen=True, eq=False)
class Survey:
    """An evaluation a data set. Time is measured on the first of them."""

    evaluations: Sequence[Evaluation]

    @classmethod
    def of(
        cls,
        settings: EvaluationSettings,
        paths: Sequence[Path],
        options: Sequence[str] = (),
        tell: Tell = silent,
    ) -> Survey:
        """Measure on each data set what the settings ask for.

        options: "name=value" for all that run the model, or "short:name=value" on some of the
        data only.
        """
        given = options_by_data(options, paths)
        open_model = model_opener(settings.model)
        found: list[Evaluation] = []
        for path, its in given.items():
            time_on = 0 if found else settings.time_on
            each = replace(settings, data=path, options=its, time_on=time_on)
            found.append(Evaluation.of(each, tell, open_model))
        return cls(found)

    @property
    def systems(self) -> list[str]:
        return [row.name for row in self.evaluations[0].rows]

    def cells(self) -> list[list[str]]:
        """Header and rows: a data set a row, a system a column; then what each costs."""
        body = [
            [_title(each), *_in_bold([_figures([row]) for row in each.rows])]
            for each in self.evaluations
        ]
        kinds = [each for each in self.evaluations if each.data.is_short]
        if len(kinds) > 1:
            means = [_figures(rows) for rows in zip(*(each.rows for each in kinds), strict=True)]
            body.append([f"short, mean of {len(kinds)} kinds", *_in_bold(means)])
        timings = [row.timing for row in self.evaluations[0].rows]
        if any(timings):
            times = ["–" if t is None else f"{1e3 * t.single.median:.1f}" for t in timings]
            body.append([f"ms a sentence, {self.evaluations[0].data.name}", *times])
        return [["", *self.systems], *body]

    def terminal(self) -> Group:
        header, *body = self.cells()
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, caption=_LEGEND, caption_justify="left")
        for name in header:
            table.add_column(name, justify="left" if not name else "right", overflow="fold")
        for cells in body:
            table.add_row(*(Text(c.strip("*"), "bold" if c[:1] == "*" else "") for c in cells))
        return Group(table)

    def record(self) -> dict[str, Any]:
        """All figures, for JSON."""
        sets = [{"title": each.title, "rows": records(each.rows)} for each in self.evaluations]
        return {"machine": asdict(self.evaluations[0].machine), "data": sets}

    def write(self, folder: Path) -> list[Path]:
        """Write survey.json, .csv and .md: figures only, no text of the data."""
        folder.mkdir(parents=True, exist_ok=True)
        flat = [
            {"data": each.data.name, "pairs": len(each.data), **record}
            for each in self.evaluations
            for record in records(each.rows)
        ]
        machine = self.evaluations[0].machine
        files = {
            "survey.json": json.dumps(self.record(), indent=1) + "\n",
            "survey.csv": as_csv(flat),
            "survey.md": "\n".join([*piped(self.cells()), "", _LEGEND, "", f"{machine}", ""]),
        }
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")
        return [folder / name for name in files]


def options_by_data(given: Sequence[str], paths: Sequence[Path]) -> dict[Path, Mapping[str, Any]]:
    """The options for each data set, from "name=value" and "DATA:name=value"."""
    found: dict[Path, dict[str, Any]] = {path: {} for path in paths}
    for each in given:
        head, equals, value = each.partition("=")
        where, _, name = head.rpartition(":")
        meant = [path for path in locate(where, report=True) if path in found] if where else paths
        if not meant:
            raise InvalidInput(f"--set {each!r}: {where} is none of the data that is evaluated")
        option = dict([option_given(f"{name}{equals}{value}", f"--set {each}")])
        for path in meant:
            found[path] |= option
    return dict(found)


def _title(each: Evaluation) -> str:
    return f"{each.data.name} ({len(each.data)}), {each.protocol.budget}"


def _figures(rows: Sequence[ReportRow]) -> tuple[float, float, float]:
    return (
        fmean(row.r1.value for row in rows),
        fmean(row.r2.value for row in rows),
        fmean(row.rl.value for row in rows),
    )


def _in_bold(figures: Sequence[tuple[float, float, float]]) -> list[str]:
    best = max(map(sum, figures))
    written = [" / ".join(f"{value:.2f}" for value in three) for three in figures]
    return [
        f"**{text}**" if sum(three) == best and len(figures) > 1 else text
        for text, three in zip(written, figures, strict=True)
    ]
