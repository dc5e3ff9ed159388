"""How `nacc fit` writes its answers: as text, as rows with further columns, as JSON or TSV."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Protocol

from nacc.apps.cli.answers import Answer
from nacc.apps.cli.ruler import number, ruled
from nacc.data.rows import Row, Table
from nacc.errors import BudgetTooSmall


class Report(Protocol):
    """Writes one row's answers, one for each budget."""

    def begin(self, file: str, mark: str) -> str:
        """What comes before a document's rows, given its name and its byte-order mark."""

    def row(self, row: Row, answers: Sequence[Answer]) -> str:
        """One row's answers; none for a row without texts."""


class PlainText:
    """A summary a line, an empty line for one that could not be made; on a terminal, a ruler."""

    def __init__(self, on_a_terminal: bool) -> None:
        self._ruled = on_a_terminal

    def begin(self, file: str, mark: str) -> str:
        return ""

    def row(self, row: Row, answers: Sequence[Answer]) -> str:
        lines = []
        for answer in answers:
            if self._ruled:
                lines += [ruled(summary) for summary in answer.summaries]
            else:
                lines += [f"{summary.text}\n" for summary in answer.summaries] or ["\n"]
        return "".join(lines)


class Extended:
    """The rows of a table with the summaries in columns of their own, in the table's format."""

    def __init__(self, table: Table, names: Sequence[str], alternatives: int) -> None:
        self._table = table
        self._names = names
        self._alternatives = alternatives
        self._documents = 0

    def begin(self, file: str, mark: str) -> str:
        self._documents += 1
        return mark if self._documents == 1 else ""

    def row(self, row: Row, answers: Sequence[Answer]) -> str:
        if row.header and self._documents > 1:
            return ""
        texts: list[str | None] = []
        for answer in answers:
            found = [summary.text for summary in answer.summaries]
            texts += found + [None] * (self._alternatives - len(found))
        if not row.entries:
            texts = [None] * len(self._names)
        return self._table.extended(row, dict(zip(self._names, texts, strict=True)))


class JsonLines:
    """One object a summary: where its text stands, and all that is known of the summary."""

    def __init__(self) -> None:
        self._file = ""

    def begin(self, file: str, mark: str) -> str:
        self._file = file
        return ""

    def row(self, row: Row, answers: Sequence[Answer]) -> str:
        place = {"file": self._file, "line": row.line} if self._file else {"line": row.line}
        found: list[dict[str, object]] = []
        for answer in answers:
            found += [{**place, **asdict(summary)} for summary in answer.summaries]
            if answer.error is not None:
                found.append({**place, "error": str(answer.error)})
                if isinstance(answer.error, BudgetTooSmall):
                    found[-1]["smallest"] = answer.error.smallest
        return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in found)


class TabSeparated:
    """One line a summary: line, length, budget, unit, text; the first line says so."""

    def __init__(self) -> None:
        self._begun = False

    def begin(self, file: str, mark: str) -> str:
        if self._begun:
            return ""
        self._begun = True
        return "line\tlength\tbudget\tunit\ttext\n"

    def row(self, row: Row, answers: Sequence[Answer]) -> str:
        lines = []
        for answer in answers:
            room = f"{number(answer.budget.amount)}\t{answer.budget.measure}"
            for said in answer.summaries:
                lines.append(f"{row.line}\t{number(said.length)}\t{room}\t{said.text}\n")
            if answer.error is not None:
                lines.append(f"{row.line}\t\t{room}\t\n")
        return "".join(lines)


def column_names(into: str, budgets: Sequence[str], alternatives: int) -> list[str]:
    """The new columns: "summary"; for several budgets "summary_30", "summary_75_bytes"; for
    several summaries "summary_1", "summary_2"."""
    names = [into]
    if len(budgets) > 1:
        labels = (re.sub(r"\W+", "_", each).strip("_") for each in budgets)
        names = [f"{into}_{label}" for label in labels]
    if alternatives > 1:
        names = [f"{name}_{i}" for name in names for i in range(1, alternatives + 1)]
    return names
