"""Outputs side by side, as an editor reads them (the paper's table 5): what a cut removed is grey.

For the terminal, and as one HTML file with light and dark colours.
"""

from __future__ import annotations

import html
import random
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group
from rich.table import Table
from rich.text import Text

from nacc.data.datasets import Dataset
from nacc.errors import InvalidInput
from nacc.evaluation.report import ReportRow
from nacc.evaluation.systems import Output
from nacc.length.budget import Budget


def choose(data: Dataset, count: int, seed: int = 0) -> list[int]:
    """Places of `count` sources drawn at random, in their order."""
    if count < 1:
        raise InvalidInput(f"cannot show {count} examples; at least 1 is needed")
    return sorted(random.Random(seed).sample(range(len(data)), min(count, len(data))))


@dataclass(frozen=True)
class ExampleLine:
    """A text of an example: what was cut off its end, and the length of what is left."""

    name: str
    text: str
    removed: str = ""
    length: str = ""


def terminal_examples(
    rows: Sequence[ReportRow], data: Dataset, places: Sequence[int], budget: Budget
) -> Group:
    """One small table an example."""
    tables = []
    for place in places:
        table = Table(show_header=False, expand=True, highlight=False)
        table.add_column(style="bold", no_wrap=True)
        table.add_column(overflow="fold", ratio=1)
        table.add_column(justify="right", style="cyan", no_wrap=True)
        given, said = _given_lines(data, place, budget), _output_lines(rows, place, budget)
        for line in (*given, *said):
            shown = Text(line.text)
            if line.removed:  # the mark is for those without colours
                shown.append(f"┊{line.removed}", style="bright_black")
            table.add_row(Text(line.name), shown, line.length, end_section=line is given[-1])
        tables.append(table)
    return Group(*tables)


def html_examples(
    rows: Sequence[ReportRow], data: Dataset, places: Sequence[int], budget: Budget
) -> str:
    """A page of its own, without scripts or anything fetched."""
    sections = []
    for place in places:
        cells = "\n".join(
            f'<tr><th scope="row">{html.escape(line.name)}</th><td>{html.escape(line.text)}'
            + (f"<s>{html.escape(line.removed)}</s>" if line.removed else "")
            + f"</td><td>{line.length}</td></tr>"
            for line in (*_given_lines(data, place, budget), *_output_lines(rows, place, budget))
        )
        sections.append(f"<table>\n{cells}\n</table>")
    title = html.escape(f"{data.name}, at most {budget}")
    return _PAGE.format(title=title, examples="\n".join(sections))


def _given_lines(data: Dataset, place: int, budget: Budget) -> list[ExampleLine]:
    return [
        ExampleLine("source", data.sources[place]),
        *(
            ExampleLine("reference", reference, length=f"{budget.length(reference):g}")
            for reference in data.references[place]
        ),
    ]


def _output_lines(rows: Sequence[ReportRow], place: int, budget: Budget) -> list[ExampleLine]:
    outputs = [(row.name, row.outputs[place]) for row in rows]
    return [
        ExampleLine(name, output.text, removed(output), f"{budget.length(output.text):g}")
        for name, output in outputs
    ]


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
