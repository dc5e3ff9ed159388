"""Outputs side by side, as an editor reads them (the paper's table 5): what a cut removed is grey.

For the terminal, and as one HTML file with light and dark colours.
"""

from __future__ import annotations

import html
import random
from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from nacc.data.datasets import Dataset
from nacc.errors import InvalidInput
from nacc.evaluation.report import Row
from nacc.evaluation.systems import Output
from nacc.length.budget import Budget


def choose(data: Dataset, count: int, seed: int = 0) -> list[int]:
    """Places of `count` sources drawn at random, in their order."""
    if count < 1:
        raise InvalidInput(f"cannot show {count} examples; at least 1 is needed")
    return sorted(random.Random(seed).sample(range(len(data)), min(count, len(data))))


def terminal(rows: Sequence[Row], data: Dataset, places: Sequence[int], budget: Budget) -> Group:
    """One small table an example."""
    tables = []
    for place in places:
        table = Table(show_header=False, expand=True, highlight=False)
        table.add_column(style="bold", no_wrap=True)
        table.add_column(overflow="fold", ratio=1)
        table.add_column(justify="right", style="cyan", no_wrap=True)
        table.add_row("source", Text(data.sources[place]), "")
        for reference in data.references[place]:
            table.add_row("reference", Text(reference), f"{budget.length(reference):g}")
        table.add_section()
        for row in rows:
            output = row.outputs[place]
            shown = Text(output.text)
            if gone := removed(output):
                shown.append(
                    f"┊{gone}", style="bright_black"
                )  # the mark is for those without colours
            table.add_row(Text(row.name), shown, f"{budget.length(output.text):g}")
        tables.append(table)
    return Group(*tables)


def as_html(rows: Sequence[Row], data: Dataset, places: Sequence[int], budget: Budget) -> str:
    """A page of its own, without scripts or anything fetched."""
    sections = []
    for place in places:
        lines = [("source", html.escape(data.sources[place]), "")]
        lines += [
            ("reference", html.escape(reference), f"{budget.length(reference):g}")
            for reference in data.references[place]
        ]
        for row in rows:
            output = row.outputs[place]
            shown = html.escape(output.text)
            if gone := removed(output):
                shown += f"<s>{html.escape(gone)}</s>"
            lines.append((row.name, shown, f"{budget.length(output.text):g}"))
        cells = "\n".join(
            f'<tr><th scope="row">{html.escape(name)}</th><td>{shown}</td><td>{length}</td></tr>'
            for name, shown, length in lines
        )
        sections.append(f"<table>\n{cells}\n</table>")
    title = html.escape(f"{data.name}, at most {budget}")
    return _PAGE.format(title=title, examples="\n".join(sections))


def removed(output: Output) -> str:
    """What was cut off the end."""
    full = output.full.strip()
    return full[len(output.text) :] if full.startswith(output.text) else ""


_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --cut: light-dark(#767676, #8a8a8a); --line: #88888855 }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem }}
table {{ border-collapse: collapse; width: 100%; margin: 0 0 2rem }}
th, td {{ text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0;
  border-top: 1px solid var(--line) }}
th {{ white-space: nowrap; font-weight: 600; width: 10rem }}
td:last-child {{ text-align: right; font-variant-numeric: tabular-nums; width: 3rem }}
s {{ color: var(--cut); text-decoration: none }}
</style>
<h1>{title}</h1>
<p>Grey: cut off to fit. Numbers: the length of what is left.</p>
{examples}
</html>
"""
