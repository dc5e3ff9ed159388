"""The paper's figures and ours, row by row: in the terminal, as Markdown and as records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from nacc.evaluation.paper import PaperRow
from nacc.evaluation.report import ReportRow
from nacc.evaluation.reproduction import ReproducedRow

LEGEND = (
    "paper: as printed, on its test set and machine. ours: on the data named above. "
    "our network: a packaged model, decoded the paper's way; its architecture and its training "
    "data are not the paper's. "
    "OUTPUTS: --output TABLE.ROW=PATH. MODEL: --supervised or --unsupervised DIR, or for one row "
    "--model TABLE.ROW=DIR. SEARCH: --search-model FILE."
)


def paper_table(rows: Sequence[ReproducedRow], title: str) -> Table:
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
    for reproduced in rows:
        if reproduced.setting != setting:
            setting = reproduced.setting
            table.add_section()
            table.add_row("", Text(setting, style="italic"))
        paper, ours = reproduced.paper, reproduced.ours
        label = Text(reproduced.label)
        if paper:
            table.add_row(str(paper.number), label, "paper", *_paper_cells(paper), style="dim")
        if ours:
            table.add_row("", "" if paper else label, "ours", *_our_cells(reproduced, ours))
        if not paper and not ours:
            table.add_row("", label)
        if reproduced.note:
            table.add_row("", Text(reproduced.note, style="yellow"))
    return table


def paper_markdown(rows: Sequence[ReproducedRow], title: str) -> str:
    lines = [
        f"## {title}",
        "",
        "| # | Setting | Approach | | Len | R-1 | R-2 | R-L | ΔR | s/sent | |",
        "| ---: | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    for reproduced in rows:
        number = str(reproduced.paper.number) if reproduced.paper else ""
        head = f"| {number} | {reproduced.setting} | {reproduced.label} |"
        if reproduced.paper:
            note = "" if reproduced.ours else reproduced.note
            lines.append(f"{head} paper | {' | '.join(_paper_cells(reproduced.paper))} | {note} |")
        if reproduced.ours:
            cells = " | ".join(_our_cells(reproduced, reproduced.ours))
            lines.append(f"{head} ours | {cells} | {reproduced.note} |")
        if not reproduced.paper and not reproduced.ours:
            lines.append(f"{head} ours |{' – |' * 6} {reproduced.note} |")
    return "\n".join([*lines, "", LEGEND, ""])


def paper_records(rows: Sequence[ReproducedRow]) -> list[dict[str, Any]]:
    """Flat records: the paper's figures as paper_*, ours as ours_*."""
    found = []
    for reproduced in rows:
        record: dict[str, Any] = {"approach": reproduced.label, "setting": reproduced.setting}
        if reproduced.paper:
            record |= {f"paper_{key}": value for key, value in asdict(reproduced.paper).items()}
        if reproduced.ours:
            ours = reproduced.ours
            record |= {
                "ours_length": ours.qualities.length,
                "ours_r1": ours.r1.value,
                "ours_r2": ours.r2.value,
                "ours_rl": ours.rl.value,
                "ours_total": ours.total,
                "ours_delta": reproduced.delta,
                "ours_within_budget": ours.qualities.within_budget,
                "ours_seconds": ours.timing.single.median if ours.timing else None,
            }
        found.append(record | {"note": reproduced.note})
    return found


def _paper_cells(row: PaperRow) -> list[str]:
    figures = (row.length, row.r1, row.r2, row.rl)
    cells = ["–" if value is None else f"{value:.2f}" for value in figures]
    return [*cells, _signed(row.delta), "–" if row.seconds is None else f"{row.seconds:.3f}"]


def _our_cells(reproduced: ReproducedRow, row: ReportRow) -> list[str]:
    cells = [f"{v:.2f}" for v in (row.qualities.length, row.r1.value, row.r2.value, row.rl.value)]
    return [
        *cells,
        _signed(reproduced.delta),
        "–" if row.timing is None else f"{row.timing.single.median:.4f}",
    ]


def _signed(delta: float | None) -> str:
    return "–" if delta is None else f"{delta:+.2f}" if delta else "0"
