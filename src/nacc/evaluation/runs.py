"""Systems on plain sources at several budgets: for what is read or checked, not scored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nacc.data.datasets import read_lines
from nacc.errors import InvalidInput
from nacc.evaluation.evaluation import model_opener
from nacc.evaluation.systems import Tell, option_given, parse_system, silent
from nacc.length.budget import Budget, number

Run = tuple[str, str]
"""A system's name, and a budget as it is written."""


def read_sources(path: Path) -> list[str]:
    """One source a line; its kind and a tab may stand before it."""
    texts = [line.rpartition("\t")[2].strip() for line in read_lines(path)]
    for at, text in enumerate(texts, start=1):
        if not text:
            raise InvalidInput(f"{path}, line {at}: no source")
    return texts


def run_at(
    specs: Sequence[str],
    sources: Sequence[str],
    budgets: Sequence[Budget],
    model: Path | None = None,
    options: Sequence[str] = (),
    tell: Tell = silent,
) -> dict[Run, list[str]]:
    """What each system says of every source at each budget. In the path of an output file,
    {budget} stands for the budget's amount; options, as "name=value", are for all systems that
    name no model of their own."""
    open_model = model_opener(model)
    common = dict(option_given(each, f"--set {each}") for each in options)
    found: dict[Run, list[str]] = {}
    for budget in budgets:
        for spec in specs:
            at = spec.replace("{budget}", number(budget.amount))
            system = parse_system(at, open_model, common)
            if (system.name, str(budget)) in found:
                raise InvalidInput(f"two systems are named {system.name!r}; write NAME:=SYSTEM")
            tell(f"{system.name}, {budget}: {len(sources)} sources")
            said = system.run(sources, budget)
            found[system.name, str(budget)] = [output.text for output in said]
    return found
