"""Rows as people and machines read them: in the terminal, as Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from nacc.evaluation.report import Estimate, EvaluationProtocol, ReportRow
from nacc.evaluation.timing import Machine, Spread


def terminal_tables(rows: Sequence[ReportRow], title: str) -> Group:
    """The paper's table, and under it the one it does not have."""
    tables = []
    for (header, *body), legend, heading in _tables(rows, title):
        table = Table(
            title=heading, title_justify="left", caption=legend, caption_justify="left",
            box=box.SIMPLE_HEAD, collapse_padding=True, pad_edge=False,
        )  # fmt: skip
        table.add_column(header[0], overflow="fold", min_width=9)
        for name in header[1:]:
            table.add_column(name, justify="right", no_wrap=True)
        for cells in body:
            table.add_row(*map(Text, cells))
        tables.append(table)
    return Group(*tables)


def markdown(rows: Sequence[ReportRow], title: str) -> str:
    lines = []
    for cells, legend, heading in _tables(rows, title):
        lines += [f"## {heading}", "", *piped(cells), "", legend, ""]
    return "\n".join(lines)


def piped(cells: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table: names in the first column, figures in the others."""
    header, *body = cells
    return [_pipe(header), _pipe(["---"] + ["---:"] * (len(header) - 1)), *map(_pipe, body)]


def records(rows: Sequence[ReportRow]) -> list[dict[str, Any]]:
    """One flat record a row, figures unrounded, for CSV and JSON."""
    return [_record(row) for row in rows]


def write(
    folder: Path,
    rows: Sequence[ReportRow],
    title: str,
    protocol: EvaluationProtocol,
    machine: Machine,
) -> list[Path]:
    """Write evaluation.json, .csv and .md to a folder: figures only, no text of the data."""
    folder.mkdir(parents=True, exist_ok=True)
    about = {
        "title": title,
        "budget": str(protocol.budget),
        "metric": protocol.metric,
        "byte_limit": protocol.byte_limit,
        "machine": asdict(machine),
    }
    found = records(rows)
    files = {
        "evaluation.json": json.dumps({**about, "rows": found}, indent=1) + "\n",
        "evaluation.csv": as_csv(found),
        "evaluation.md": markdown(rows, title) + f"\n{machine}\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return [folder / name for name in files]


def as_csv(found: Sequence[dict[str, Any]]) -> str:
    out = io.StringIO()
    fields = list(dict.fromkeys(key for record in found for key in record))
    writer = csv.DictWriter(out, fields, lineterminator="\n")
    writer.writeheader()
    writer.writerows(found)
    return out.getvalue()


_LEGEND = {
    "R-1": "R-1, R-2, R-L: mean ± half of the 95% interval.",
    "ΔR": "ΔR: total against the row with 0; * p < 0.05, ** p < 0.01 (paired randomisation).",
    "s/sent": "s/sent: seconds, one sentence at a time.",
    "Fits": "Fits: within the budget.",
    "Used": "Used: of the budget.",
    "Ends": "Ends: on a function word.",
    "Twice": "Twice: say a content word twice.",
    "Novel": "Novel: content words not in the source.",
    "Nums": "Nums: have a number the source has not.",
    "Unk": 'Unk: say "unk".',
    "Empty": "Empty: say nothing.",
    "PPL": "PPL: perplexity of a headline language model.",
    "Gram": "Gram: have a grammar fault.",
    "Batched": "Batched: seconds a sentence.",
}
_Cells = list[list[str]]


def _tables(rows: Sequence[ReportRow], title: str) -> list[tuple[_Cells, str, str]]:
    names: dict[str, list[str | None]] = {"System": [row.name for row in rows]}
    paper = names | {"Len": [f"{row.qualities.length:.2f}" for row in rows]}
    for name, part in (("R-1", "r1"), ("R-2", "r2"), ("R-L", "rl")):
        paper[name] = [_interval(getattr(row, part)) for row in rows]
    paper["ΔR"] = [_delta(row) for row in rows]
    paper["s/sent"] = [_seconds(row.timing.single if row.timing else None) for row in rows]
    paper["Fits"] = [_share(row.qualities.within_budget) for row in rows]
    beyond = dict(names)
    for name, part in (
        ("Used", "budget_used"),
        ("Ends", "dangling"),
        ("Twice", "repeating"),
        ("Novel", "novel_words"),
        ("Nums", "invented_numbers"),
        ("Unk", "unknown"),
        ("Empty", "empty"),
    ):
        beyond[name] = [_share(getattr(row.qualities, part)) for row in rows]
    beyond["PPL"] = [None if row.perplexity is None else f"{row.perplexity:.0f}" for row in rows]
    beyond["Gram"] = [_share(row.ungrammatical) for row in rows]
    beyond["Batched"] = [_seconds(row.timing.batched if row.timing else None) for row in rows]
    cells = (_filled_cells(paper), title), (_filled_cells(beyond), "Beyond the paper")
    return [(found, _legend_of(found[0]), heading) for found, heading in cells]


def _legend_of(header: list[str]) -> str:
    return " ".join(_LEGEND[name] for name in header if name in _LEGEND)


def _filled_cells(columns: dict[str, list[str | None]]) -> _Cells:
    """Header and rows; columns that nobody has a figure for are left out."""
    kept = {name: cells for name, cells in columns.items() if any(c is not None for c in cells)}
    body = [[cell or "–" for cell in row] for row in zip(*kept.values(), strict=True)]
    return [list(kept), *body]


def _share(value: float | None) -> str | None:
    return None if value is None else f"{100 * value:.1f}%"


def _interval(mean: Estimate) -> str:
    return f"{mean.value:.2f} ±{(mean.high - mean.low) / 2:.1f}"


def _delta(row: ReportRow) -> str | None:
    if row.delta is None:
        return None
    if row.p_value is None:
        return "0"
    stars = "**" if row.p_value < 0.01 else "*" if row.p_value < 0.05 else ""
    return f"{row.delta:+.2f}{stars}"


def _seconds(spread: Spread | None) -> str | None:
    return None if spread is None else f"{spread.median:.4f}"


def _record(row: ReportRow) -> dict[str, Any]:
    record: dict[str, Any] = {"system": row.name}
    for name in ("r1", "r2", "rl"):
        mean = getattr(row, name)
        record |= {name: mean.value, f"{name}_low": mean.low, f"{name}_high": mean.high}
    record |= {"total": row.total, "delta": row.delta, "p_value": row.p_value}
    record |= asdict(row.qualities)
    for kind in ("single", "batched"):
        spread = getattr(row.timing, kind) if row.timing else None
        for part in ("median", "fastest", "slowest"):
            record[f"seconds_{kind}_{part}"] = getattr(spread, part) if spread else None
    return record | {"perplexity": row.perplexity, "ungrammatical": row.ungrammatical}


def _pipe(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
